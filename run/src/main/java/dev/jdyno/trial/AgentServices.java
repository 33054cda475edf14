package dev.jdyno.trial;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.inside.Inside;
import dev.jdyno.inside.remote.GroupLink;
import dev.jdyno.inside.remote.Link;
import dev.jdyno.inside.remote.RemoteLaunch;
import dev.jdyno.inside.remote.Wire;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.Selector;
import dev.jdyno.trial.recording.RecordingFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Services that an agent on another host starts and observes for one piece of work, at most {@link
/// GroupLink#LANES} at once. The connection is made at the first start and kept, so that no other
/// run gets the agent in between. Closing this object ends all services.
public final class AgentServices implements AutoCloseable {
    private final String run;
    private final List<Integer> free =
            new ArrayList<>(IntStream.range(0, GroupLink.LANES).boxed().toList());
    private final Doubts doubts = new Doubts();
    private Optional<Connected> connected = Optional.empty();
    private volatile Optional<Machine> machine = Optional.empty();

    /// @param run name of the run, which the agent shows
    public AgentServices(String run) {
        this.run = run;
    }

    /// Warnings about the observation of the services: the last of each kind and command, because a
    /// later start may have lost more than the first.
    static final class Doubts {
        private final Map<Doubt, Warning> last = new LinkedHashMap<>();

        /// @param launch name of the command
        /// @param id of the warning
        private record Doubt(String launch, String id) {}

        synchronized void add(String launch, List<Warning> warnings) {
            warnings.forEach(w -> last.put(new Doubt(launch, w.id()), w));
        }

        synchronized List<String> list() {
            return last.entrySet().stream()
                    .map(d -> "launch:" + d.getKey().launch() + ": " + d.getValue().says())
                    .toList();
        }
    }

    private record Connected(Plan.TargetPlan.Observed to, GroupLink link) {
        boolean isTo(Plan.TargetPlan.Observed other) {
            return to.agent().equals(other.agent()) && to.tokenFile().equals(other.tokenFile());
        }
    }

    /// The lane of the link that one service uses until it is closed.
    private final class Lease implements Link {
        private final int number;
        private final Link lane;
        private final String launch;
        private Optional<Inside> inside = Optional.empty();
        private volatile boolean closed;

        Lease(int number, Link lane, String launch) {
            this.number = number;
            this.lane = lane;
            this.launch = launch;
        }

        @Override
        public boolean send(byte[] message) {
            return !closed && lane.send(message);
        }

        @Override
        public void receive(Consumer<byte[]> receiver) {
            lane.receive(receiver);
        }

        @Override
        public Optional<Offset> clock() {
            return lane.clock();
        }

        @Override
        public boolean isUp() {
            return lane.isUp();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                inside.ifPresent(i -> doubts.add(launch, i.doubts()));
                lane.close();
                free(number);
            }
        }
    }

    /// Starts a service, and waits until it listens.
    ///
    /// @param target names the agent and a command of its list
    /// @return its port, and its observation, which ends the service when it is closed
    /// @throws UserError if the agent cannot be reached or refuses, or the service does not listen
    RemoteLaunch start(
            Plan.TargetPlan.Observed target,
            Selector.Launch which,
            Plan.Limits limits,
            NanoClock clock,
            BooleanSupplier stop)
            throws InterruptedException {
        Lease lease = lease(target, which.name(), clock);
        try {
            RemoteLaunch started =
                    RemoteLaunch.start(
                            new RemoteLaunch.Wanted(
                                    target.agent(), which.name(), limits.startTimeout(), stop),
                            lease,
                            new Wire(RecordingFile.json()),
                            clock);
            lease.inside = Optional.of(started.inside());
            machine = Optional.of(started.inside().machine());
            return started;
        } catch (RuntimeException | InterruptedException notStarted) {
            lease.close();
            throw notStarted;
        }
    }

    private synchronized Lease lease(
            Plan.TargetPlan.Observed target, String launch, NanoClock clock) {
        if (connected.isEmpty()) {
            GroupLink link =
                    GroupLink.to(
                            AgentAddress.parse(target.agent()),
                            AgentSecrets.read(target.tokenFile()),
                            run,
                            clock);
            connected = Optional.of(new Connected(target, link));
        }
        Connected to = connected.get();
        if (!to.isTo(target) || free.isEmpty()) {
            throw new IllegalStateException("one agent, and two services at once");
        }
        int number = free.removeFirst();
        return new Lease(number, to.link().lane(number), launch);
    }

    private synchronized void free(int number) {
        free.add(number);
    }

    /// The machine of the services; empty if the agent has started none.
    public Optional<Machine> machine() {
        return machine;
    }

    /// Warnings about the observation of the services that were closed, for the reader of the
    /// result: the last of each kind and command, as `launch:a: …`.
    public List<String> doubts() {
        return doubts.list();
    }

    @Override
    public synchronized void close() {
        connected.map(Connected::link).ifPresent(GroupLink::close);
        connected = Optional.empty();
    }
}
