package dev.jdyno.heapmodel.simulation;

import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.OptionalInt;

/// The model's answer for one heap under one load.
///
/// @param run the load on this heap
/// @param safeConcurrency concurrency up to which full collections are not frequent (F6); empty if
///   every concurrency tried is safe
/// @param youngEnough smallest sufficient young generation (F9)
/// @param sweep results for the requested sizes of young; empty if none were requested
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

    /// @param youngSizes sizes to try; empty for no sweep
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
