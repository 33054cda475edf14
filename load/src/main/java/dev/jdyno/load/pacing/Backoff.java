package dev.jdyno.load.pacing;

/// How long to wait before a server that refused or broke a fresh connection is asked again: longer
/// each time, up to a bound.
public final class Backoff {
    private static final long FIRST_NANOS = 10_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private long nextNanos = FIRST_NANOS;

    public long next() {
        long wait = nextNanos;
        nextNanos = Math.min(LONGEST_NANOS, wait * 2);
        return wait;
    }

    /// The server has served.
    public void reset() {
        nextNanos = FIRST_NANOS;
    }

    /// Whether a connection that lasted so long had more than the longest wait.
    public static boolean isLonger(long lastedNanos) {
        return lastedNanos > LONGEST_NANOS;
    }
}
