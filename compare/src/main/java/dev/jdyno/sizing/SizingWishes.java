package dev.jdyno.sizing;

import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.Optional;

/// What sizing advice must know besides the run.
///
/// @param container what the JVM may take altogether, as asked for; empty when it was not
/// @param threads of the service, at least 1
/// @param direct direct buffers besides the heap
/// @param heaps sizes to try; empty for half to four times the one seen
public record SizingWishes(
        Optional<Bytes> container, int threads, Bytes direct, List<Bytes> heaps) {
    public SizingWishes {
        heaps = List.copyOf(heaps);
    }

    /// Advice for one run.
    ///
    /// @param limit used when no container was asked for
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
