package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalDouble;

/// Forecasts collectors that work beside the application in cycles, ZGC and Shenandoah.
///
/// A cycle begins when so much of the room besides the live set is full that the rest just
/// lasts for its length. The first cycles, by which the collector learns its program, begin
/// earlier, at fixed parts of the heap whatever the program. So of what is allocated
///
///     allocated = learning · part · heap + (cycles − learning) · used · (heap − liveShare · live)
///
/// holds at both sizes with the same `used`. Live share and learning were fitted to six programs
/// and tried on six others (docs/heap-forecasts.md).
final class CycleForecast {
    /// @param learning cycles at the start
    /// @param part of the heap that is allocated before each of these
    /// @param liveShare how much of what is alive takes room away: cycles that find it in use begin
    ///   as early as others, but have less to free, and copies of it need room
    private record Rule(double learning, double part, double liveShare) {}

    /// ZGC's warm-up at 10, 20 and 30 % of the heap did not show in the counts.
    private static final Rule ZGC = new Rule(0, 0, 1.5);

    /// Of the heap's size, with which the stops of ZGC's cycles grow: there is more to look at for
    /// the same work.
    private static final double ZGC_PAUSE_EXPONENT = 0.3;

    /// Shenandoah's learning steps (`shenandoahAdaptiveHeuristics.cpp`).
    private static final Rule SHENANDOAH = new Rule(4, 0.1, 0.5);

    /// No more than this share of the cycles is taken for learning.
    private static final double LEARNING_SHARE_MAX = 0.6;

    /// However full a heap is, the room is not taken for less than this share of it.
    private static final double LEAST_SHARE = 0.05;

    /// Cycles that did not end in time and stopped everything go away steeply with room. The few
    /// that a roomy heap has are accidents, which become more only as cycles do.
    private static final double FULL_EXPONENT_LARGER = 4;

    private static final double FULL_EXPONENT_SMALLER = 1;

    private CycleForecast() {}

    /// @param replay by which the cycles of Shenandoah are counted, where the log tells enough
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

    /// All stops of a cycle.
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
        double other = perCycle * room(seen, rule, heap) / room(seen, rule, seen.heapBytes());
        return learning + (seen.allocatedBytes() - learned(seen, rule, learning, heap)) / other;
    }

    private static double learned(HeapObservation seen, Rule rule, double learning, double heap) {
        return Math.min(learning * rule.part() * heap, seen.allocatedBytes() * LEARNING_SHARE_MAX);
    }

    private static double room(HeapObservation seen, Rule rule, double heap) {
        return Math.max(heap * LEAST_SHARE, heap - rule.liveShare() * seen.liveBytes());
    }
}
