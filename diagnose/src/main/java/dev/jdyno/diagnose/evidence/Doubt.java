package dev.jdyno.diagnose.evidence;

/// Why a name is not sure although its own evidence is: the same figures fit something else, too.
/// All doubts cap the confidence alike.
public enum Doubt {
    /// Another finding stands for itself beside it.
    NOT_ALONE,
    /// Another bottleneck looks nearly the same and is not ruled out.
    LOOKALIKE,
    /// Other processes hold most of the cores: the target's figures are theirs, too.
    CROWDED,
    /// A measurement that it rests on does not agree with the others of the same load.
    FIGURES_DISAGREE,
    /// Rounds that it rests on were disturbed by others: their figures are put on other cores.
    DISTURBED,
    /// The CPU is saturated, too: lock and cores limit together.
    CPU_USED_UP,
    /// Connections were seen in use, but no thread was seen waiting: idle ones look the same.
    NO_WAITER_SEEN,
    /// Garbage and overflowing survivors go together.
    GARBAGE_WITH_OVERFLOW,
    /// The service's own answers wait for acknowledgements: more load gives more until something
    /// else is saturated.
    ANSWERS_IN_PIECES,
    /// The full executor's own workers do not wait for its tasks: it may be too small only.
    MAY_BE_TOO_SMALL,
    /// Throughput did not fall: a clock that completes what threads wait for leaves no trace.
    NO_COLLAPSE,
    /// The service's errors speak for it, and do not say why.
    BY_ERRORS_ALONE,
    /// Threads hold the permits: it may be a pool that does not say so.
    PERMITS_ARE_HELD,
    /// Only a part of the requests queues: the 90th percentile grows and the median does not.
    ONLY_A_PART;

    /// Most confidence under a doubt. Most of the wrong names that were given with 0.9 and more to
    /// services of other make were given under one.
    public static final double AT_MOST = 0.85;

    /// Where a scale of confidence ends under this doubt.
    public double most() {
        return AT_MOST;
    }

    /// The confidence with this doubt.
    public double cap(double confidence) {
        return Math.min(confidence, AT_MOST);
    }
}
