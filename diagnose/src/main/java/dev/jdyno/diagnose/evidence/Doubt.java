package dev.jdyno.diagnose.evidence;

/// Why a name is uncertain although its own evidence is clear: the same figures also fit something
/// else. All doubts limit the confidence to the same value.
public enum Doubt {
    /// A second finding limits, too, and no other finding explains it.
    NOT_ALONE,
    /// Another bottleneck looks nearly the same and is not ruled out.
    LOOKALIKE,
    /// Other processes hold most of the cores, so the target's figures depend on them.
    CROWDED,
    /// A measurement behind the verdict does not agree with the others of the same load.
    FIGURES_DISAGREE,
    /// Rounds behind the verdict were disturbed by other processes. Their figures were converted to
    /// other cores.
    DISTURBED,
    /// The CPU is saturated, too: lock and cores limit together.
    CPU_SATURATED,
    /// Connections were seen in use, but no waiting thread was seen. Idle connections look the
    /// same.
    NO_WAITER_SEEN,
    /// Much garbage and overflowing survivors occur together.
    GARBAGE_WITH_OVERFLOW,
    /// The service's own answers wait for acknowledgements. Throughput grows with the load until
    /// another resource is saturated.
    ANSWERS_IN_PIECES,
    /// The workers of the full executor do not wait for its tasks, so it may simply be too small.
    MAY_BE_TOO_SMALL,
    /// Throughput did not fall. If a timer completes what threads wait for, no dump shows it.
    NO_COLLAPSE,
    /// Only the service's errors point to this name, and they do not give the reason.
    BY_ERRORS_ALONE,
    /// Threads hold the permits, so it may be a pool that is not recognised as one.
    PERMITS_ARE_HELD,
    /// Only a part of the requests queues: the 90th percentile grows and the median does not.
    ONLY_A_PART;

    /// Maximum confidence under a doubt. Most wrong names that had a confidence of 0.9 and more,
    /// for services by other authors, were given under a doubt.
    public static final double MAX_CONFIDENCE = 0.85;

    /// Returns the upper end of a scale of confidence under this doubt.
    public double most() {
        return MAX_CONFIDENCE;
    }

    /// Returns the confidence, limited by this doubt.
    public double cap(double confidence) {
        return Math.min(confidence, MAX_CONFIDENCE);
    }
}
