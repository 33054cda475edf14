package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalDouble;

/// Forecasts collectors with concurrent cycles: ZGC and Shenandoah.
///
/// A cycle begins when the free memory just suffices for the allocation during the cycle. The first
/// cycles begin earlier, because the collector does not know the program yet. These learning cycles
/// begin at a fixed share of the heap, `part`, for any program. So the allocated bytes are
///
///     allocated = learning · part · heap + (cycles − learning) · used · (heap − liveShare · live)
///
/// where `learning` is the number of learning cycles. `used` is the share of the usable memory that
/// is allocated from one later cycle to the next. It is computed from the run and taken to be the
/// same for the other heap size, which gives the number of cycles there. `liveShare` and `learning`
/// were fitted to six programs and tested on six others (docs/heap-forecasts.md).
final class CycleForecast {
    /// @param learning number of learning cycles at the start
    /// @param part share of the heap that is allocated before each of these
    /// @param liveShare share of the live set by which the usable memory is reduced. The live set
    ///   does not make cycles begin earlier. But cycles free less memory, and copies of live
    ///   objects need space.
    private record Rule(double learning, double part, double liveShare) {}

    /// ZGC's warm-up at 10, 20 and 30 % of the heap had no visible effect on the counts.
    private static final Rule ZGC = new Rule(0, 0, 1.5);

    /// Exponent of the heap's size for the stops of ZGC's cycles: the same work has more memory to
    /// examine.
    private static final double ZGC_PAUSE_EXPONENT = 0.3;

    /// Shenandoah's learning steps (`shenandoahAdaptiveHeuristics.cpp`).
    private static final Rule SHENANDOAH = new Rule(4, 0.1, 0.5);

    /// Maximum share of the cycles that counts as learning.
    private static final double LEARNING_SHARE_MAX = 0.6;

    /// Minimum free space as a share of the heap, however full the heap is.
    private static final double MIN_SHARE = 0.05;

    /// Exponents of the heap's size for the number of full collections, which are cycles that did
    /// not end in time and stopped the application. On a larger heap they become rare quickly. For
    /// a smaller heap, the few full collections of the run count as accidents, whose number grows
    /// in proportion to the cycles.
    private static final double FULL_EXPONENT_LARGER = 4;

    private static final double FULL_EXPONENT_SMALLER = 1;

    private CycleForecast() {}

    /// @param replay counts the cycles of Shenandoah, if the log has enough for it
    static HeapForecast of(HeapObservation seen, Optional<ShenandoahForecast> replay, Bytes heap) {
        Rule rule = seen.kind() == HeapObservation.Kind.ZGC ? ZGC : SHENANDOAH;
        double ratio = heap.value() / seen.heapBytes();
        double cycles =
                seen.cycles() == 0
                        ? 0
                        : replay.map(f -> f.cycles((double) heap.value()))
                                .filter(OptionalDouble::isPresent)
                                .map(OptionalDouble::getAsDouble)
                                .orElseGet(() -> cycles(seen, rule, (double) heap.value()));
        double full =
                seen.fullGcs()
                        * Math.pow(
                                ratio, ratio > 1 ? -FULL_EXPONENT_LARGER : -FULL_EXPONENT_SMALLER);
        double stepMs = seen.cycles() == 0 ? 0 : cycles * stopMs(seen, heap);
        double fullMs = seen.fullGcs() == 0 ? 0 : seen.fullPauseMs() / seen.fullGcs() * full;
        return HeapForecast.of(seen, heap, 0, full, cycles, stepMs, fullMs);
    }

    /// Time of all stops of a cycle.
    private static double stopMs(HeapObservation seen, Bytes heap) {
        double mean = seen.cyclePauseMs() / seen.cycles();
        return seen.kind() == HeapObservation.Kind.ZGC
                ? mean * Math.pow(heap.value() / seen.heapBytes(), ZGC_PAUSE_EXPONENT)
                : ShenandoahStops.meanMs(seen, mean, (double) heap.value());
    }

    private static double cycles(HeapObservation seen, Rule rule, double heap) {
        double learning = Math.min(rule.learning(), seen.cycles() * LEARNING_SHARE_MAX);
        double perCycle =
                (seen.allocatedBytes() - learned(seen, rule, learning, seen.heapBytes()))
                        / (seen.cycles() - learning);
        double other =
                perCycle * freeHeap(seen, rule, heap) / freeHeap(seen, rule, seen.heapBytes());
        return learning + (seen.allocatedBytes() - learned(seen, rule, learning, heap)) / other;
    }

    private static double learned(HeapObservation seen, Rule rule, double learning, double heap) {
        return Math.min(learning * rule.part() * heap, seen.allocatedBytes() * LEARNING_SHARE_MAX);
    }

    private static double freeHeap(HeapObservation seen, Rule rule, double heap) {
        return Math.max(heap * MIN_SHARE, heap - rule.liveShare() * seen.liveBytes());
    }
}
