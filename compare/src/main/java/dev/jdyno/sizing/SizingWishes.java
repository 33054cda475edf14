package dev.jdyno.sizing;

import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.Optional;

/// The input of sizing advice besides the data of the run.
///
/// @param container memory limit of the whole JVM as the user gave it; empty without one
/// @param threads number of threads of the service, at least 1
/// @param direct size of direct buffers, outside the heap
/// @param heaps heap sizes to try; empty: half to four times the observed size
public record SizingWishes(
        Optional<Bytes> container, int threads, Bytes direct, List<Bytes> heaps) {
    public SizingWishes {
        heaps = List.copyOf(heaps);
    }

    /// Returns the advice for one run.
    ///
    /// @param limit used if the user gave no container limit
    public HeapAdvice advice(HeapReading read, HeapGoal goal, Optional<Bytes> limit) {
        var outside =
                new Footprint.Outside(
                        read.analysis().heap().metaspace().map(m -> (double) m.highestBytes()),
                        threads,
                        direct);
        return HeapAdvice.of(
                read.seen(),
                new HeapAdvice.Asked(
                        goal, read.longestPauseMs(), outside, container.or(() -> limit), heaps));
    }
}
