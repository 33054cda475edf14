package dev.jdyno.diagnose.evidence;

/// Limits that rules of several packages share.
public final class Limits {
    /// X(2N)/X(N) from which throughput counts as rising with the load.
    public static final double STILL_RISING = 1.6;

    /// Share of the threads in use waiting for locks from which locks are looked at.
    public static final double LOCK_WAITERS = 0.40;

    /// Share of the target's cores held by others (steal included) from which they, and not its own
    /// demand, are the first thing to fix.
    public static final double HELD_BY_OTHERS = 0.30;

    /// Connections for each request in flight up to which they are few: at least every second
    /// request is at none of them.
    public static final double FEW_CONNECTIONS = 0.5;

    /// Share of connections with a request under way from which all are in use: between two
    /// requests a connection is free for a moment.
    public static final double ALL_IN_USE = 0.85;

    /// Share from which threads are as good as all: a dump finds one between two waits.
    public static final double AS_GOOD_AS_ALL = 0.95;

    /// Share of the threads in use from which those of one pool are most of what is busy.
    public static final double MOST_OF_BUSY = 0.6;

    /// Threads or calls on average below which there are none in whole numbers.
    public static final double NONE = 0.5;

    /// Share of the target's cores in use below which its CPU is no limit yet.
    public static final double CPU_IDLE = 0.70;

    /// Share of a time, or of its threads, from which a part of it is worth a word beside others.
    public static final double GOOD_PART = 0.2;

    /// Growth of the time in the threads' own wait from which that wait is a queue elsewhere.
    public static final double WAIT_GROWS = 1.6;

    private Limits() {}
}
