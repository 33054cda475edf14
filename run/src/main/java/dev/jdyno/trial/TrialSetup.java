package dev.jdyno.trial;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.load.Fleet;
import dev.jdyno.driver.DrivenLoad;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.inside.Inside;
import dev.jdyno.inside.LocalInside;
import dev.jdyno.load.LoadGenerator;
import dev.jdyno.load.LoadSession;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.trial.grpc.PlannedCalls;
import dev.jdyno.trial.rounds.CountedByService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The parts of a trial: the target, the observation of its inside, and the client that loads it.
/// Closing it ends everything that jdyno started.
///
/// @param target the target; empty if it is on another host
/// @param inside observation of the target, on this machine or on another host
/// @param session the load: from this process, or from agents on other hosts
/// @param relay relay in front of the target's downstream, if the plan wants one
/// @param alone claim that no other jdyno works on the target
record TrialSetup(
        Optional<Target> target,
        Optional<Inside> inside,
        LoadGenerator session,
        Optional<Relay> relay,
        ExclusiveTarget alone)
        implements AutoCloseable {

    /// The setup once the target has given a good answer. Of a launched command, the JVM that
    /// listens on the URL's port is observed: a launcher may itself be a JVM that starts the JVM of
    /// the service, or run one only for a moment (`java -version` in a start script).
    ///
    /// @param folder for the output of a launched target
    /// @param startNanos time of the clock from which the seconds of the run are counted
    /// @param stop polled at least four times a second; true ends the wait
    /// @param away how a target on another host is observed
    /// @param force whether to go on although another jdyno works on the target
    /// @throws dev.jdyno.measure.text.UserError if it does not start, gives no good answer, or
    ///   another jdyno works on it and `force` is false
    static TrialSetup answering(
            Plan plan,
            Path folder,
            NanoClock clock,
            long startNanos,
            BooleanSupplier stop,
            InsideOpening away,
            boolean force)
            throws InterruptedException {
        var opening = new Opening(away, LocalInside::open);
        return answering(plan, folder, clock, startNanos, stop, opening, force);
    }

    /// The setup of a start that is measured from its launch, once the target has given a good
    /// answer. Nothing is recorded in the JVM and no command is sent to it, because that costs 1 to
    /// 1.5 s of CPU before its first request.
    ///
    /// @param startNanos time of the clock from which the seconds of the run are counted
    /// @param stop polled at least four times a second; true ends the wait
    /// @throws dev.jdyno.measure.text.UserError if it does not start, or gives no good answer
    static TrialSetup untouched(
            Plan plan, Path folder, NanoClock clock, long startNanos, BooleanSupplier stop)
            throws InterruptedException {
        var opening = new Opening(InsideOpening.NONE, LocalInside::watch);
        return answering(plan, folder, clock, startNanos, stop, opening, false);
    }

    private static TrialSetup answering(
            Plan plan,
            Path folder,
            NanoClock clock,
            long startNanos,
            BooleanSupplier stop,
            Opening opening,
            boolean force)
            throws InterruptedException {
        TrialSetup setup = prepare(plan, folder, clock, opening, force);
        try (Loading loading = Loading.on(setup, clock, startNanos, stop)) {
            FirstAnswer.await(loading, plan);
        } catch (RuntimeException | InterruptedException notReady) {
            setup.close();
            throw notReady;
        }
        return setup.atListener(plan, folder, clock, opening, force);
    }

    private TrialSetup atListener(
            Plan plan, Path folder, NanoClock clock, Opening opening, boolean force)
            throws InterruptedException {
        int port = HttpUrl.port(plan.url());
        Optional<Long> listener =
                target.filter(t -> !listens(t.pid(), port))
                        .flatMap(t ->
                                t.otherJvms().stream().filter(p -> listens(p, port)).findFirst());
        if (listener.isEmpty()) {
            return this;
        }
        inside.ifPresent(Inside::close);
        alone.close();
        Target listening = target.orElseThrow().watching(listener.get());
        try {
            Watched seen = Watched.on(plan, listening, opening, folder, clock, force);
            return new TrialSetup(seen.target(), seen.inside(), session, relay, seen.alone());
        } catch (RuntimeException | InterruptedException notWatched) {
            new TrialSetup(
                            Optional.of(listening),
                            Optional.empty(),
                            session,
                            relay,
                            ExclusiveTarget.withoutTarget())
                    .close();
            throw notWatched;
        }
    }

    /// Ports on which the JVMs of a launched command accept connections, in rising order.
    List<Integer> listeningPorts() {
        return target.stream()
                .flatMap(t -> Stream.concat(Stream.of(t.pid()), t.otherJvms().stream()))
                .flatMap(pid -> Sockets.portsOf(ProcFs.SYSTEM, pid).stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static boolean listens(long pid, int port) {
        return Sockets.portsOf(ProcFs.SYSTEM, pid).contains(port);
    }

    /// @throws UserError if no process of a launched command runs any more, or another target has
    ///   ended
    void requireStarting() {
        if (target.isPresent()) {
            target.get().requireStarting();
        } else {
            inside.ifPresent(Inside::requireAlive);
        }
    }

    /// The ways in which a target is observed.
    ///
    /// @param away target on another host
    /// @param here target on this machine
    private record Opening(InsideOpening away, Here here) {
        interface Here {
            Inside open(Target target, NanoClock clock, Path folder, Frames frames)
                    throws InterruptedException;
        }

        Inside here(Plan plan, Target target, Path folder, NanoClock clock)
                throws InterruptedException {
            return here.open(target, clock, folder, Frames.with(plan.inside().frames()));
        }
    }

    /// The target and what observes it.
    private record Watched(
            Optional<Target> target, Optional<Inside> inside, ExclusiveTarget alone) {
        static Watched of(
                Plan plan,
                Optional<Target> first,
                Opening opening,
                Path folder,
                NanoClock clock,
                boolean force)
                throws InterruptedException {
            if (plan.target() instanceof Plan.TargetPlan.Observed observed) {
                Inside inside = opening.away().open(observed, clock);
                return new Watched(first, Optional.of(inside), ExclusiveTarget.withoutTarget());
            }
            Optional<Target> target = first;
            while (target.isPresent()) {
                try {
                    return on(plan, target.get(), opening, folder, clock, force);
                } catch (RuntimeException notOpened) {
                    // a start script may run a JVM for a moment, such as `java -version`
                    target = target.get().successor();
                    if (target.isEmpty()) {
                        throw notOpened;
                    }
                }
            }
            return new Watched(first, Optional.empty(), ExclusiveTarget.withoutTarget());
        }

        static Watched on(
                Plan plan,
                Target target,
                Opening opening,
                Path folder,
                NanoClock clock,
                boolean force)
                throws InterruptedException {
            ExclusiveTarget alone = ExclusiveTarget.on(target, force);
            try {
                Inside inside = opening.here(plan, target, folder, clock);
                return new Watched(Optional.of(target), Optional.of(inside), alone);
            } catch (RuntimeException | InterruptedException notOpened) {
                alone.close();
                throw notOpened;
            }
        }
    }

    private static TrialSetup prepare(
            Plan plan, Path folder, NanoClock clock, Opening opening, boolean force)
            throws InterruptedException {
        LoadSpec requests = spec(plan);
        requests.checkTls(); // reports a mistake of the user before anything is started
        LoadSpec spec = PlannedCalls.early(plan, requests, clock);
        Optional<LoadGenerator> agents = plan.agents().map(a -> fleet(plan, a, spec, clock));
        Optional<Relay> relay = plan.proving().relay().map(TrialSetup::relay);
        Optional<Target> target = Optional.empty();
        try {
            target = target(plan, folder, relay);
            LoadSpec sent =
                    target.isPresent() ? PlannedCalls.late(plan, spec, target.get(), clock) : spec;
            Optional<Target> counting = target;
            LoadGenerator load =
                    agents.or(() -> plan.drive().map(d -> driven(d, plan, counting, folder, clock)))
                            .orElseGet(() -> LoadSession.start(sent, clock));
            try {
                Watched watched = Watched.of(plan, target, opening, folder, clock, force);
                return new TrialSetup(
                        watched.target(), watched.inside(), load, relay, watched.alone());
            } catch (RuntimeException | InterruptedException notWatched) {
                load.close();
                throw notWatched;
            }
        } catch (RuntimeException | InterruptedException notStarted) {
            agents.ifPresent(LoadGenerator::close);
            target.ifPresent(Target::close);
            relay.ifPresent(Relay::close);
            throw notStarted;
        }
    }

    private static Optional<Target> target(Plan plan, Path folder, Optional<Relay> relay)
            throws InterruptedException {
        return switch (plan.target()) {
            case Plan.TargetPlan.Launch(String command) ->
                    Optional.of(
                            Target.launch(
                                    relay.map(r -> command.replace(Plan.Proving.PLACE, r.address()))
                                            .orElse(command),
                                    targetLog(folder)));
            case Plan.TargetPlan.Attach(long pid) -> Optional.of(Target.attach(pid));
            case Plan.TargetPlan.Observed _, Plan.TargetPlan.None _ -> Optional.empty();
        };
    }

    /// The file for the output of the target, which may be secret.
    private static Path targetLog(Path folder) {
        Path log = folder.resolve("target.log");
        try {
            PrivateFiles.create(log).close();
            return log;
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + log,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    private static Relay relay(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        return Relay.inFrontOf(
                InetSocketAddress.createUnresolved(
                        hostAndPort.substring(0, colon),
                        Integer.parseInt(hostAndPort.substring(colon + 1))));
    }

    private static LoadGenerator fleet(
            Plan plan, Plan.Agents agents, LoadSpec spec, NanoClock clock) {
        return Fleet.start(
                agents.addresses().stream().map(AgentAddress::parse).toList(),
                AgentSecrets.read(agents.tokenFile()),
                spec,
                plan.name(),
                clock);
    }

    private static LoadGenerator driven(
            Drive drive, Plan plan, Optional<Target> target, Path folder, NanoClock clock) {
        return DrivenLoad.start(
                drive,
                InetSocketAddress.createUnresolved(
                        HttpUrl.host(plan.url()).orElse("127.0.0.1"), HttpUrl.port(plan.url())),
                folder,
                clock,
                Optional.of(new CountedByService(plan, target, clock)));
    }

    private static LoadSpec spec(Plan plan) {
        LoadSpecBuilder spec =
                LoadSpec.to(PlannedCalls.url(plan))
                        .method(plan.method())
                        .requestTimeout(plan.limits().requestTimeout())
                        .replies(plan.request().replies())
                        .tls(new TlsSettings(plan.tls().insecure(), plan.tls().caFile()));
        plan.headers().forEach(spec::header);
        plan.body().ifPresent(b -> spec.body(Body.of(b)));
        plan.workload().ifPresent(spec::workload);
        return spec.build();
    }

    boolean targetIsAlive() {
        return inside.map(Inside::isAlive).orElse(true);
    }

    @Override
    public void close() {
        try {
            session.close();
        } finally {
            try {
                inside.ifPresent(Inside::close);
            } finally {
                alone.close();
                target.ifPresent(Target::close);
                relay.ifPresent(Relay::close);
            }
        }
    }
}
