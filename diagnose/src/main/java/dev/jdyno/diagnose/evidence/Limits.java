package dev.jdyno.diagnose.evidence;

/// Limits that rules of several packages share.
public final class Limits {
    /// X(2N)/X(N) from which throughput counts as rising with the load.
    public static final double STILL_RISING = 1.6;

    /// Share of the busy threads waiting for locks from which locks are looked at.
    public static final double LOCK_WAITERS = 0.40;

    /// Share of the target's cores held by others (steal included) from which they, and not its own
    /// demand, are the first thing to fix.
    public static final double HELD_BY_OTHERS = 0.30;

    private Limits() {}
}
