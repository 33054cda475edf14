package dev.jdyno.heapmodel;

import dev.jdyno.measure.HeapObservation;
import dev.jdyno.measure.ShenandoahCycle;
import java.util.Optional;
import java.util.OptionalDouble;

/// Forecasts the number of Shenandoah's cycles: the run seen is replayed under Shenandoah's own
/// rules on the heap it had and on the other one ({@link ShenandoahReplay}), and what was seen is
/// changed by the ratio of the two ({@link ReplayedCount}).
///
/// Needs the lines of `-Xlog:gc*` as JDK 25 prints them, without generations and with pacing; tried
/// with one worker (docs/heap-model.md).
final class ShenandoahForecast {
    /// Fewer tell too little.
    private static final int LEAST_CYCLES = 5;

    /// A log of which fewer than this share of the cycles ran to their end tells too little.
    private static final double LEAST_WHOLE = 0.5;

    private final HeapObservation seen;
    private final ReplayedCount counted;

    private ShenandoahForecast(HeapObservation seen, ReplayedCount counted) {
        this.seen = seen;
        this.counted = counted;
    }

    /// @return empty when the log has too little of what a replay needs
    static Optional<ShenandoahForecast> of(HeapObservation seen) {
        int whole = seen.shenandoahCycles().size();
        if (whole < LEAST_CYCLES
                || whole < LEAST_WHOLE * Math.min(seen.cycles(), ShenandoahCycle.KEPT)) {
            return Optional.empty();
        }
        var history = new ShenandoahHistory(seen.shenandoahCycles(), seen.heapBytes());
        return ReplayedCount.of(
                        heap -> ShenandoahReplay.cycles(history, heap), whole, seen.heapBytes())
                .map(c -> new ShenandoahForecast(seen, c));
    }

    /// @return empty when the heap is too small to replay the run
    OptionalDouble cycles(double heapBytes) {
        OptionalDouble ratio = counted.ratio(heapBytes);
        return ratio.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(seen.cycles() * ratio.getAsDouble());
    }
}
