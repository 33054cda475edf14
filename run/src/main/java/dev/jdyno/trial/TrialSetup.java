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
        return answering(
                new Opening(plan, folder, clock, away, LocalInside::open, force), startNanos, stop);
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
        return answering(
                new Opening(plan, folder, clock, InsideOpening.NONE, LocalInside::watch, false),
                startNanos,
                stop);
    }

    private static TrialSetup answering(Opening opening, long startNanos, BooleanSupplier stop)
            throws InterruptedException {
        Plan plan = opening.plan();
        TrialSetup setup = prepare(opening);
        try {
            if (FirstAnswer.isDriven(plan)) {
                FirstAnswer.awaitPort(setup, plan);
                setup = setup.atService(plan).observed(opening);
            }
            try (Loading loading = Loading.on(setup, opening.clock(), startNanos, stop)) {
                FirstAnswer.await(loading, plan);
            }
            if (!stop.getAsBoolean()) {
                setup = setup.atService(plan).observed(opening);
                if (setup.inside.isEmpty()) {
                    setup.target.ifPresent(Target::requireAlive);
                }
            }
            return setup;
        } catch (RuntimeException | InterruptedException notReady) {
            setup.close();
            throw notReady;
        }
    }

    /// The same setup; if the JVM of the service is another one than the target, with that JVM,
    /// which is not observed yet.
    private TrialSetup atService(Plan plan) {
        Optional<Long> service = target.flatMap(t -> serviceBeside(t, HttpUrl.port(plan.url())));
        if (service.isEmpty()) {
            return this;
        }
        inside.ifPresent(Inside::close);
        alone.close();
        return new TrialSetup(
                target.map(t -> t.watching(service.get())),
                Optional.empty(),
                session,
                relay,
                ExclusiveTarget.withoutTarget());
    }

    /// The same setup, in which the target is observed: nothing, if it has ended before the JVM of
    /// the service was there.
    private TrialSetup observed(Opening opening) throws InterruptedException {
        if (inside.isPresent()) {
            return this;
        }
        if (opening.plan().target() instanceof Plan.TargetPlan.Observed away) {
            return observed(opening.away().open(away, opening.clock()), alone);
        }
        if (target.isEmpty() || target.get().isOutlived()) {
            return this;
        }
        try {
            return observed(target.get(), opening);
        } catch (RuntimeException notOpened) {
            if (target.get().isOutlived()) {
                return this; // it ended meanwhile
            }
            throw notOpened;
        }
    }

    private TrialSetup observed(Target jvm, Opening opening) throws InterruptedException {
        ExclusiveTarget own = ExclusiveTarget.on(jvm, opening.force());
        try {
            return observed(opening.here(jvm), own);
        } catch (RuntimeException | InterruptedException notOpened) {
            own.close();
            throw notOpened;
        }
    }

    private TrialSetup observed(Inside seen, ExclusiveTarget own) {
        return new TrialSetup(target, Optional.of(seen), session, relay, own);
    }

    /// The JVM of the service, if it is another one than that which is observed: it listens on the
    /// URL's port. If none does, because a proxy is in front, and the observed one has ended, it is
    /// the one that started last.
    private static Optional<Long> serviceBeside(Target observed, int port) {
        if (listens(observed.pid(), port)) {
            return Optional.empty();
        }
        List<Long> others = observed.otherJvms();
        Optional<Long> listener = others.stream().filter(pid -> listens(pid, port)).findFirst();
        return listener.isPresent() || others.isEmpty() || observed.isAlive()
                ? listener
                : Optional.of(others.getLast());
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

    /// How a target is observed.
    ///
    /// @param folder for the recordings, and the output of a launched target
    /// @param away target on another host
    /// @param here target on this machine
    /// @param force whether to go on although another jdyno works on the target
    private record Opening(
            Plan plan, Path folder, NanoClock clock, InsideOpening away, Here here, boolean force) {
        interface Here {
            Inside open(Target target, NanoClock clock, Path folder, Frames frames)
                    throws InterruptedException;
        }

        Inside here(Target target) throws InterruptedException {
            return here.open(target, clock, folder, Frames.with(plan.inside().frames()));
        }
    }

    private static TrialSetup prepare(Opening opening) throws InterruptedException {
        Plan plan = opening.plan();
        Path folder = opening.folder();
        NanoClock clock = opening.clock();
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
                return new TrialSetup(
                                target,
                                Optional.empty(),
                                load,
                                relay,
                                ExclusiveTarget.withoutTarget())
                        .observed(opening);
            } catch (RuntimeException | InterruptedException notObserved) {
                load.close();
                throw notObserved;
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
