package dev.jdyno.heapmodel.advice;

import java.util.Optional;

/// What a heap is sized for.
///
/// @param pauseMs the longest pause that is fine; empty for no such goal
/// @param gcShare largest share of time in pauses
public record HeapGoal(Optional<Double> pauseMs, double gcShare) {
    /// Jifa and JMC warn from 5–10 % on; 5 % leaves throughput almost whole.
    public static final double GC_SHARE = 0.05;

    public HeapGoal {
        if (!(gcShare > 0 && gcShare < 1)) {
            throw new IllegalArgumentException("a GC share is between 0 and 100 %: " + gcShare);
        }
        if (pauseMs.isPresent() && !(pauseMs.get() > 0)) {
            throw new IllegalArgumentException("a pause is longer than nothing: " + pauseMs.get());
        }
    }
}
