package dev.jdyno.inside.remote;

import dev.jdyno.cluster.Duty;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Group;
import dev.jdyno.cluster.Handlers;
import dev.jdyno.measure.NanoClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// An agent's role to observe JVMs of its host, one in each lane. While the run is silent, nothing
/// is sent. If it stays silent, the agent leaves the group, which ends everything that was started
/// in the target.
public final class ObserveDuty implements Duty {
    private final Wire wire;
    private final NanoClock clock;
    private final ObservingSession.Opening opening;
    private final Pace pace;
    private final ExecutorService reading =
            Executors.newSingleThreadExecutor(
                    r -> Thread.ofPlatform().name("jdyno-asked").daemon().unstarted(r));

    private final List<Lane> lanes =
            IntStream.range(0, GroupLink.LANES).mapToObj(Lane::new).toList();

    /// @param pace limits of the whole process
    public ObserveDuty(Wire wire, NanoClock clock, ObservingSession.Opening opening, Pace pace) {
        this.wire = wire;
        this.clock = clock;
        this.opening = opening;
        this.pace = pace;
    }

    @Override
    public Facts.Role role() {
        return Facts.Role.OBSERVE;
    }

    @Override
    public void handle(Handlers handlers) {
        for (Lane lane : lanes) {
            handlers.on(
                    GroupLink.ASK.get(lane.number),
                    reading,
                    (_, bytes) -> lane.receiver.join().accept(bytes));
        }
    }

    @Override
    public void begin(Group group) {
        lanes.forEach(lane -> lane.begin(group));
    }

    /// Requests and answers of one session.
    private final class Lane {
        private final int number;

        /// Requests that arrive before this duty has the group wait for it.
        private final CompletableFuture<Consumer<byte[]>> receiver = new CompletableFuture<>();

        private volatile Optional<ObservingSession> session = Optional.empty();

        Lane(int number) {
            this.number = number;
        }

        void begin(Group group) {
            session =
                    Optional.of(
                            ObservingSession.on(
                                    new ToFounder(group, this), wire, clock, opening, pace));
        }

        void close() {
            session.ifPresent(ObservingSession::close);
        }
    }

    private record ToFounder(Group group, Lane lane) implements Link {
        @Override
        public boolean send(byte[] message) {
            if (!isUp()) {
                return false;
            }
            group.send(group.founder(), GroupLink.ANSWER.get(lane.number), message);
            return true;
        }

        @Override
        public void receive(Consumer<byte[]> wanted) {
            lane.receiver.complete(wanted);
        }

        @Override
        public Optional<Offset> clock() {
            return Optional.empty();
        }

        @Override
        public boolean isUp() {
            return !group.isFounderSilent();
        }

        @Override
        public void close() {
            // nothing to close here: the agent itself closes the group
        }
    }

    @Override
    public void close() {
        lanes.forEach(lane -> lane.receiver.complete(_ -> {}));
        reading.shutdown();
        // ends all sessions at once, because each service may take long to end
        List<Thread> closing =
                lanes.stream()
                        .map(lane ->
                                Thread.ofPlatform()
                                        .name("jdyno-observe-close-" + lane.number)
                                        .start(lane::close))
                        .toList();
        for (Thread each : closing) {
            try {
                each.join();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                return; // the threads end by themselves
            }
        }
    }
}
