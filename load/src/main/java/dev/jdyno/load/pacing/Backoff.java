package dev.jdyno.load.pacing;

/// The pause before the next attempt after a server refused or broke a fresh connection. Each pause
/// is longer than the one before, up to a limit.
public final class Backoff {
    private static final long FIRST_NANOS = 10_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private long nextNanos = FIRST_NANOS;

    public long next() {
        long wait = nextNanos;
        nextNanos = Math.min(LONGEST_NANOS, wait * 2);
        return wait;
    }

    /// Resets the pause after a successful request.
    public void reset() {
        nextNanos = FIRST_NANOS;
    }

    /// True if a connection lasted longer than the longest pause.
    public static boolean isLonger(long lastedNanos) {
        return lastedNanos > LONGEST_NANOS;
    }
}
