package dev.jdyno.inside.remote;

import dev.jdyno.cluster.Duty;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Group;
import dev.jdyno.cluster.Handlers;
import dev.jdyno.measure.NanoClock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// An agent's role to observe a JVM of its host. While no messages come from the run, the agent
/// sends none. If the run stays silent, the agent leaves the group, which ends everything that was
/// started in the target.
public final class ObserveDuty implements Duty {
    private final Wire wire;
    private final NanoClock clock;
    private final ObservingSession.Opening opening;
    private final Pace pace;
    private final ExecutorService reading =
            Executors.newSingleThreadExecutor(
                    r -> Thread.ofPlatform().name("jdyno-asked").daemon().unstarted(r));

    /// Completed once the session receives requests; earlier requests wait for it.
    private final CompletableFuture<Consumer<byte[]>> receiver = new CompletableFuture<>();

    private Optional<ObservingSession> session = Optional.empty();

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
        handlers.on(GroupLink.ASK, reading, (_, bytes) -> receiver.join().accept(bytes));
    }

    @Override
    public void begin(Group group) {
        session =
                Optional.of(ObservingSession.on(new ToFounder(group), wire, clock, opening, pace));
    }

    private final class ToFounder implements Link {
        private final Group group;

        ToFounder(Group group) {
            this.group = group;
        }

        @Override
        public boolean send(byte[] message) {
            if (!isUp()) {
                return false;
            }
            group.send(group.founder(), GroupLink.ANSWER, message);
            return true;
        }

        @Override
        public void receive(Consumer<byte[]> wanted) {
            receiver.complete(wanted);
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
        receiver.complete(_ -> {});
        reading.shutdown();
        session.ifPresent(ObservingSession::close);
    }
}
