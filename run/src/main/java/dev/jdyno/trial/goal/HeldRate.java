package dev.jdyno.trial.goal;

import dev.jdyno.capacity.goal.OpenKnee;
import dev.jdyno.measure.JvmMemory;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import java.util.Optional;

/// A rate that was held on a freshly started service.
///
/// @param test whether the goals were kept, with bounds of the misses
/// @param misses share of missed requests for each goal
/// @param round the figures of client and service at that rate
/// @param saturationQps throughput when more load gave no more
/// @param aloneMs mean response time with one request in flight
/// @param memory where the memory of the JVM was after a full collection; empty if it was not asked
///   for, or cannot be seen
/// @param heap occupancy of the heap at the end; empty if it cannot be seen
/// @param pools the use of its pools; empty if they were not asked for, or cannot be seen
/// @param notWarm present if the service was not steady when the warm-up ended
public record HeldRate(
        OpenKnee.Test test,
        List<GoalKnee.Misses> misses,
        Round round,
        double saturationQps,
        double aloneMs,
        Optional<TargetFacts> facts,
        Optional<JvmMemory> memory,
        Optional<HeapFill> heap,
        Optional<PoolDemand.Pools> pools,
        Optional<Warning> notWarm) {
    public HeldRate {
        misses = List.copyOf(misses);
    }
}
