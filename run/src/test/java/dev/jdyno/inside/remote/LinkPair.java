package dev.jdyno.inside.remote;

import dev.jdyno.measure.NanoClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Both ends of a link in one process, with a delay in each direction. The link can be interrupted.
public final class LinkPair implements AutoCloseable {
    private final ScheduledExecutorService wire = Executors.newSingleThreadScheduledExecutor();
    private final Duration delay;
    private volatile boolean cut;
    private final End coordinator;
    private final End agent;

    /// @param delay of each message
    /// @param ahead time by which the agent's clock is ahead of the coordinator's
    public LinkPair(Duration delay, Duration ahead) {
        this.delay = delay;
        this.coordinator = new End(ahead.toNanos());
        this.agent = new End(-ahead.toNanos());
        coordinator.other = agent;
        agent.other = coordinator;
    }

    private final class End implements Link {
        private final long offsetNanos;
        private volatile Consumer<byte[]> receiver = _ -> {};
        private End other = this;

        End(long offsetNanos) {
            this.offsetNanos = offsetNanos;
        }

        @Override
        public boolean send(byte[] message) {
            if (!cut) {
                var _ =
                        wire.schedule(
                                () -> other.receiver.accept(message),
                                delay.toNanos(),
                                TimeUnit.NANOSECONDS);
            }
            return !cut;
        }

        @Override
        public void receive(Consumer<byte[]> wanted) {
            receiver = wanted;
        }

        @Override
        public Optional<Offset> clock() {
            return Optional.of(new Offset(offsetNanos, delay.toNanos()));
        }

        @Override
        public boolean isUp() {
            return !cut;
        }

        @Override
        public void close() {
            // the two ends are closed together
        }
    }

    public Link coordinator() {
        return coordinator;
    }

    public Link agent() {
        return agent;
    }

    /// The clock of the agent's end.
    public NanoClock agentClock() {
        return () -> NanoClock.SYSTEM.nanos() + coordinator.offsetNanos;
    }

    /// From now on, no message arrives.
    public void cut() {
        cut = true;
    }

    @Override
    public void close() {
        wire.shutdownNow();
    }
}
