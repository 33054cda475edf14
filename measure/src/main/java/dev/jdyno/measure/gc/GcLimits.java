package dev.jdyno.measure.gc;

/// Limits from which figures of a collector count as a fault, once for all that judge them: a run's
/// rules, those of a GC log, and the advice of both. A limit of a figure that only one of them has
/// stays in its rule.
public final class GcLimits {
    /// Share of the time that the application is stopped from which it is worth a word (JMC's
    /// GcPauseRatioRule: information).
    public static final double STOPPED_SHARE_FELT = 0.05;

    /// Share of the application's time stopped by the collector, or for other safepoints, from
    /// which these limit it (JMC's GcPauseRatioRule: warning).
    public static final double STOPPED_SHARE = 0.10;

    /// Promoted share of what is allocated from which survivors overflow. Of the kept recordings,
    /// services that only make garbage promote at most 0.01 (`gc-allocation` 0.001, `cpu-garbage`
    /// 0.010), those whose survivors overflow 0.57 and more (`gc-promotion`).
    public static final double PROMOTED_SHARE = 0.05;

    /// Old generation's occupancy, live, from which full collections mean a heap that is too small
    /// for its live set (Jifa: 80 % after a full collection).
    public static final double OLD_FULL = 0.80;

    /// Share of the collections that the application or a tool asked for.
    public static final double ASKED_SHARE = 0.30;

    /// Share of the collections that a humongous object set off.
    public static final double HUMONGOUS_SHARE = 0.20;

    /// F9: a young generation of this many requests' memory; a larger one gives little more.
    public static final double REQUESTS_IN_YOUNG = 100;

    /// Mann–Kendall statistic from which what collections leave rises: one-sided 0.1 %.
    public static final double RISE_Z = 3.1;

    /// Collections from which their trend counts: fewer never reach {@link #RISE_Z}.
    public static final int RISE_POINTS = 8;

    /// Rise from the first to the last, as a share of the space: less is within their scatter.
    public static final double RISE_SHARE = 0.05;

    /// Share of the rise that the later half must have: what levels off is a cache that fills.
    public static final double RISE_LATER_HALF = 0.25;

    /// Share of the memory that a heap can have: metaspace, compiled code, stacks and the
    /// collector's own tables lie beside it. Images mostly set MaxRAMPercentage to as much.
    public static final double HEAP_OF_MEMORY = 0.75;

    private GcLimits() {}
}
