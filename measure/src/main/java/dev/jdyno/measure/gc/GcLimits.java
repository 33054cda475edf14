package dev.jdyno.measure.gc;

/// Limits at which figures of a collector count as a fault. Shared by the rules of a run, the rules
/// of a GC log, and the advice of both. A limit that only one rule uses is in that rule.
public final class GcLimits {
    /// Minimum share of the time that the application is stopped for it to be mentioned (JMC's
    /// GcPauseRatioRule: information).
    public static final double STOPPED_SHARE_FELT = 0.05;

    /// Minimum share of stopped time at which the collector's pauses, or other safepoints, count as
    /// the limit of the service (JMC's GcPauseRatioRule: warning).
    public static final double STOPPED_SHARE = 0.10;

    /// Minimum promoted share of the allocated bytes for survivors to overflow. In the stored
    /// recordings, services that only create garbage promote at most 0.01 (`gc-allocation` 0.001,
    /// `cpu-garbage` 0.010). Services whose survivors overflow promote 0.57 and more
    /// (`gc-promotion`).
    public static final double PROMOTED_SHARE = 0.05;

    /// Minimum live share of the old generation at which full collections mean a heap that is too
    /// small for its live set (Jifa: 80 % after a full collection).
    public static final double OLD_FULL = 0.80;

    /// Minimum share of collections that the application or a tool requested, among all
    /// collections, for a fault.
    public static final double ASKED_SHARE = 0.30;

    /// Minimum share of collections that a humongous object caused, among all collections, for a
    /// fault.
    public static final double HUMONGOUS_SHARE = 0.20;

    /// Size of a sufficient young generation, in multiples of the memory of a request (F9). A
    /// larger generation improves little.
    public static final double REQUESTS_IN_YOUNG = 100;

    /// Minimum Mann–Kendall statistic for a rise of the memory that collections leave in use:
    /// one-sided level of 0.1 %.
    public static final double RISE_Z = 3.1;

    /// Minimum number of collections for their trend to count: fewer never reach {@link #RISE_Z}.
    public static final int RISE_POINTS = 8;

    /// Minimum rise from the first to the last collection, as a share of the space that is
    /// collected. A smaller rise is within the scatter of the values.
    public static final double RISE_SHARE = 0.05;

    /// Minimum part of the rise that must happen in the later half of the time. A smaller part
    /// means that the rise levels off, as for a cache that fills.
    public static final double RISE_LATER_HALF = 0.25;

    /// Maximum size of a heap, as a share of the memory of the machine or container. Metaspace,
    /// compiled code, stacks and the collector's own tables need the rest. Container images usually
    /// set MaxRAMPercentage to this value.
    public static final double HEAP_OF_MEMORY = 0.75;

    private GcLimits() {}
}
