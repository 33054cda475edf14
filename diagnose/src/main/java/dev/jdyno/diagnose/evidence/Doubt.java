package dev.jdyno.diagnose.evidence;

/// Reasons why a bottleneck is uncertain although its own evidence is clear, because the figures
/// also fit another explanation. Every doubt limits the confidence to the same value.
public enum Doubt {
    /// A second finding limits, too, and no other finding explains it.
    NOT_ALONE,
    /// Another bottleneck has nearly the same figures and is not ruled out.
    LOOKALIKE,
    /// Other processes hold most of the cores, so the target's figures depend on them.
    CROWDED,
    /// A measurement that the verdict uses does not agree with the other measurements at the same
    /// load.
    FIGURES_DISAGREE,
    /// Other processes disturbed rounds that the verdict uses. Their figures were converted to the
    /// usual number of cores.
    DISTURBED,
    /// The CPU is saturated, too: lock and cores limit together.
    CPU_SATURATED,
    /// Connections were found in use, but no thread was found waiting. Idle connections look the
    /// same.
    NO_WAITER_SEEN,
    /// Much garbage and overflowing survivor spaces occur together.
    GARBAGE_WITH_OVERFLOW,
    /// The service's own answers wait for acknowledgements. Throughput grows with the load until
    /// another resource is saturated.
    ANSWERS_IN_PIECES,
    /// The workers of the full executor do not wait for its tasks, so it may simply be too small.
    MAY_BE_TOO_SMALL,
    /// Throughput did not fall. A timer may complete the tasks for which threads wait, and dumps do
    /// not show timers.
    NO_COLLAPSE,
    /// Only errors of the service indicate this bottleneck, and they do not give the reason.
    BY_ERRORS_ALONE,
    /// Threads hold the permits, so it may be a pool that is not recognised as one.
    PERMITS_ARE_HELD,
    /// Only a part of the requests queues: the 90th percentile grows and the median does not.
    ONLY_A_PART;

    /// Maximum confidence under a doubt. For services by other authors, most wrong verdicts with a
    /// confidence of 0.9 and more were made under a doubt.
    public static final double MAX_CONFIDENCE = 0.85;

    /// Returns the maximum confidence under this doubt.
    public double most() {
        return MAX_CONFIDENCE;
    }

    /// Returns the confidence, limited by this doubt.
    public double cap(double confidence) {
        return Math.min(confidence, MAX_CONFIDENCE);
    }
}
