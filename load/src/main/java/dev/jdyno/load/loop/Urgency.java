package dev.jdyno.load.loop;

import dev.jdyno.load.wire.Poller;
import dev.jdyno.load.wire.ThreadCpu;
import java.util.function.LongSupplier;

/// Whether an event loop goes before the other threads of its core: while it has a schedule to
/// keep, and as long as it leaves them enough. A loop that needs most of a core cannot keep its
/// schedule anyway, and a service that shares the core would starve.
final class Urgency {
    /// The share of a core beyond which the loop waits for its turn like everybody.
    static final double MOST_SHARE = 0.7;

    /// Time over which the share is taken.
    static final long LOOK_NANOS = 100_000_000;

    private final Poller poller;
    private final LongSupplier cpuNanos;
    private boolean onTime;
    private boolean urgent;
    private long lookedAt;
    private long cpuThen;

    Urgency(Poller poller) {
        this(poller, ThreadCpu::ofCurrentThread);
    }

    /// @param cpuNanos what the loop's thread has used since its start
    Urgency(Poller poller, LongSupplier cpuNanos) {
        this.poller = poller;
        this.cpuNanos = cpuNanos;
    }

    /// Says whether there is a schedule to keep from now on.
    void onTime(boolean value, long now) {
        if (value != onTime) {
            onTime = value;
            lookedAt = now;
            cpuThen = cpuNanos.getAsLong();
            set(value);
        }
    }

    /// Called now and then.
    void look(long now) {
        if (!onTime || now - lookedAt < LOOK_NANOS) {
            return;
        }
        long cpu = cpuNanos.getAsLong();
        double share = (double) (cpu - cpuThen) / (now - lookedAt);
        lookedAt = now;
        cpuThen = cpu;
        set(share <= MOST_SHARE);
    }

    private void set(boolean value) {
        if (value != urgent) {
            urgent = value;
            poller.onItsThread(value);
        }
    }
}
