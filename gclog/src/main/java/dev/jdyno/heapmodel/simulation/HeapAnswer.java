package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.OptionalInt;

/// What the heap model answers about one heap under one load.
///
/// @param run the load on this heap
/// @param safeConcurrency requests at a time up to which full collections are not frequent (F6);
///   empty when each concurrency tried is safe
/// @param youngEnough the smallest young generation that is enough (F9)
/// @param sweep young generations of the sizes asked for; empty when none were
public record HeapAnswer(
        HeapFlags flags,
        HeapWorkload load,
        HeapPrediction run,
        OptionalInt safeConcurrency,
        Bytes youngEnough,
        List<HeapSizing.Step> sweep) {
    public HeapAnswer {
        sweep = List.copyOf(sweep);
    }

    /// @param youngSizes to try; empty for no sweep
    public static HeapAnswer of(HeapFlags flags, HeapWorkload load, List<Bytes> youngSizes) {
        List<HeapSizing.Step> sweep = HeapSizing.sweepYoung(flags, load, youngSizes);
        return new HeapAnswer(
                flags,
                load,
                HeapSimulator.run(flags, load),
                HeapSizing.safeConcurrency(flags, load),
                sweep.isEmpty() ? HeapSizing.youngEnough(flags, load) : HeapSizing.enoughOf(sweep),
                sweep);
    }
}
