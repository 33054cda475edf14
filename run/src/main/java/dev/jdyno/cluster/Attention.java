package dev.jdyno.cluster;

import java.time.Duration;

/// The time in which this process listens without a gap. A process that stood still, because it was
/// suspended or others held the machine, could not hear its peers meanwhile. So it does not know
/// whether they were silent.
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

    /// Returns the instant since which this process has run without a gap. To be called again and
    /// again: it is the calls themselves that show that the process runs.
    synchronized long sinceNanos(long nowNanos) {
        if (nowNanos - lastNanos > maxGapNanos) {
            sinceNanos = nowNanos;
        }
        lastNanos = Math.max(lastNanos, nowNanos);
        return sinceNanos;
    }
}
