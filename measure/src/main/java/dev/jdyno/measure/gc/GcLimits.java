package dev.jdyno.measure.gc;

/// Limits at which figures of a collector count as a fault. Shared by the rules of a run, the rules
/// of a GC log, and the advice of both. A limit that only one rule uses is in that rule.
public final class GcLimits {
    /// Minimum share of the time that the application is stopped for it to be mentioned (JMC's
    /// GcPauseRatioRule: information).
    public static final double STOPPED_SHARE_FELT = 0.05;

    /// Minimum share of the time that the application is stopped by the collector, or for other
    /// safepoints, for these to be the limit (JMC's GcPauseRatioRule: warning).
    public static final double STOPPED_SHARE = 0.10;

    /// Minimum promoted share of the allocated bytes for survivors to overflow. In the stored
    /// recordings, services that only create garbage promote at most 0.01 (`gc-allocation` 0.001,
    /// `cpu-garbage` 0.010). Services whose survivors overflow promote 0.57 and more
    /// (`gc-promotion`).
    public static final double PROMOTED_SHARE = 0.05;

    /// Minimum live share of the old generation at which full collections mean a heap that is too
    /// small for its live set (Jifa: 80 % after a full collection).
    public static final double OLD_FULL = 0.80;

    /// Minimum share of collections requested by the application or a tool.
    public static final double ASKED_SHARE = 0.30;

    /// Minimum share of collections caused by a humongous object.
    public static final double HUMONGOUS_SHARE = 0.20;

    /// F9: size of a sufficient young generation, in multiples of the memory of a request. A larger
    /// generation gives little more.
    public static final double REQUESTS_IN_YOUNG = 100;

    /// Minimum Mann–Kendall statistic for a rise of the memory that collections leave in use:
    /// one-sided 0.1 %.
    public static final double RISE_Z = 3.1;

    /// Minimum number of collections for their trend to count: fewer never reach {@link #RISE_Z}.
    public static final int RISE_POINTS = 8;

    /// Minimum rise from the first to the last collection, as a share of the space: a smaller one
    /// is within their scatter.
    public static final double RISE_SHARE = 0.05;

    /// Minimum share of the rise that the later half must have: a rise that levels off is a cache
    /// that fills.
    public static final double RISE_LATER_HALF = 0.25;

    /// Maximum share of the memory for a heap: metaspace, compiled code, stacks and the collector's
    /// own tables need memory besides. Images usually set MaxRAMPercentage to this value.
    public static final double HEAP_OF_MEMORY = 0.75;

    private GcLimits() {}
}
