package dev.jdyno.diagnose.evidence;

/// Limits that rules of several packages share.
public final class Limits {
    /// Minimum ratio X(2N) / X(N) at which throughput counts as rising with the load.
    public static final double STILL_RISING = 1.6;

    /// Minimum share of the threads in use that wait for locks, for a lock to be considered as the
    /// bottleneck.
    public static final double LOCK_WAITERS = 0.40;

    /// Minimum share of the target's cores used by other processes (steal included) at which these
    /// must be fixed before the target's own demand.
    public static final double HELD_BY_OTHERS = 0.30;

    /// Maximum number of connections per request in flight that counts as few. At least every
    /// second request then has no connection.
    public static final double FEW_CONNECTIONS = 0.5;

    /// Minimum share of connections with an open request at which all of them count as in use. A
    /// connection is free for a moment between two requests.
    public static final double ALL_IN_USE = 0.85;

    /// Minimum share of threads that counts as all of them, because a dump may find a thread
    /// between two waits.
    public static final double AS_GOOD_AS_ALL = 0.95;

    /// Minimum share of the threads in use for one pool to count as having most of them.
    public static final double MAJORITY_OF_BUSY = 0.6;

    /// Mean number of threads or calls below which it rounds to zero.
    public static final double NONE = 0.5;

    /// Share of the target's cores in use below which its CPU does not limit yet.
    public static final double CPU_IDLE = 0.70;

    /// Minimum share of a time, or of its threads, at which a part is mentioned together with other
    /// parts.
    public static final double GOOD_PART = 0.2;

    /// Minimum growth of the time that threads spend in their own wait, at which this wait is a
    /// queue for another resource.
    public static final double WAIT_GROWS = 1.6;

    private Limits() {}
}
