package dev.jdyno.load.loop;

import dev.jdyno.load.wire.Poller;
import dev.jdyno.load.wire.ThreadCpu;
import java.util.function.LongSupplier;

/// Decides whether an event loop has priority over the other threads of its core. It has priority
/// while it must keep a schedule and leaves enough of the core to other threads. A loop that needs
/// most of a core cannot keep its schedule anyway, and a service on the same core would starve.
final class Urgency {
    /// Maximum share of a core up to which the loop has priority.
    static final double MAX_SHARE = 0.7;

    /// Interval over which this share is measured.
    static final long CHECK_INTERVAL_NANOS = 100_000_000;

    private final Poller poller;
    private final LongSupplier cpuNanos;
    private boolean onTime;
    private boolean urgent;
    private long lookedAt;
    private long cpuThen;

    Urgency(Poller poller) {
        this(poller, ThreadCpu::ofCurrentThread);
    }

    /// @param cpuNanos CPU time that the loop's thread has used since its start
    Urgency(Poller poller, LongSupplier cpuNanos) {
        this.poller = poller;
        this.cpuNanos = cpuNanos;
    }

    /// Sets whether the loop has to keep a schedule from now on.
    void onTime(boolean value, long now) {
        if (value != onTime) {
            onTime = value;
            lookedAt = now;
            cpuThen = cpuNanos.getAsLong();
            set(value);
        }
    }

    /// Measures the share of the core again if the interval has passed; called repeatedly.
    void look(long now) {
        if (!onTime || now - lookedAt < CHECK_INTERVAL_NANOS) {
            return;
        }
        long cpu = cpuNanos.getAsLong();
        double share = (double) (cpu - cpuThen) / (now - lookedAt);
        lookedAt = now;
        cpuThen = cpu;
        set(share <= MAX_SHARE);
    }

    private void set(boolean value) {
        if (value != urgent) {
            urgent = value;
            poller.onItsThread(value);
        }
    }
}
