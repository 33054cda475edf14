package dev.jdyno.cluster;

import java.time.Duration;

/// The time in which this process listens without a gap. A process that was suspended, or got no
/// CPU time, received no messages in that time. It does not know whether its peers were silent.
final class Attention {
    private final long maxGapNanos;
    private long lastNanos;
    private long sinceNanos;

    /// @param maxGap maximum time between two calls of {@link #sinceNanos} of a process that runs
    Attention(Duration maxGap, long nowNanos) {
        maxGapNanos = maxGap.toNanos();
        lastNanos = nowNanos;
        sinceNanos = nowNanos;
    }

    /// Returns the instant since which this process has run without a gap. The calls themselves
    /// show that the process runs, so they must be at most the maximum gap apart.
    synchronized long sinceNanos(long nowNanos) {
        if (nowNanos - lastNanos > maxGapNanos) {
            sinceNanos = nowNanos;
        }
        lastNanos = Math.max(lastNanos, nowNanos);
        return sinceNanos;
    }
}
