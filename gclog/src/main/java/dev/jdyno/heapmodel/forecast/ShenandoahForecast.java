package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Forecasts the number of Shenandoah's cycles. The run is replayed under Shenandoah's own rules on
/// its own heap and on the other one ({@link ShenandoahReplay}), and the run's count is scaled by
/// the ratio ({@link ReplayedCount}).
///
/// It needs the lines of `-Xlog:gc*` as JDK 25 prints them, without generations and with pacing. It
/// was tested with one worker (docs/heap-forecasts.md).
final class ShenandoahForecast {
    /// Minimum number of cycles for a forecast.
    private static final int MIN_CYCLES = 5;

    /// Minimum share of cycles that ran to their end.
    private static final double MIN_WHOLE = 0.5;

    /// Minimum share of cycles that copy. With fewer, cycles mostly free enough without copying.
    private static final double MIN_COPYING_SHARE = 0.5;

    /// Lowest share of the allocation that is tried, and the factor to the next one.
    private static final double MIN_FRESH = 0.05;

    private static final double FRESH_STEP = 1.2;

    /// Maximum difference of a deviation from the best one, in logarithms. Of the shares within it,
    /// the largest is chosen, because a small share and a larger one with shorter lives may leave
    /// the same bytes.
    private static final double AS_NEAR = 0.03;

    private final HeapObservation seen;
    private final ReplayedCount counted;

    private ShenandoahForecast(HeapObservation seen, ReplayedCount counted) {
        this.seen = seen;
        this.counted = counted;
    }

    /// @return empty if the log has too few figures for a replay
    static Optional<ShenandoahForecast> of(HeapObservation seen) {
        int whole = seen.shenandoahCycles().size();
        if (whole < MIN_CYCLES
                || whole < MIN_WHOLE * Math.min(seen.cycles(), ShenandoahCycle.KEPT)) {
            return Optional.empty();
        }
        var history = new ShenandoahHistory(seen.shenandoahCycles(), seen.heapBytes());
        OptionalDouble fresh =
                history.copyingShare() >= MIN_COPYING_SHARE
                        ? OptionalDouble.of(freshShare(history))
                        : OptionalDouble.empty();
        return ReplayedCount.of(heap -> cycles(history, heap, fresh), whole, seen.heapBytes())
                .map(c -> new ShenandoahForecast(seen, c));
    }

    private static OptionalLong cycles(
            ShenandoahHistory history, double heapBytes, OptionalDouble freshShare) {
        return ShenandoahReplay.of(history, heapBytes, freshShare)
                .map(r -> OptionalLong.of(r.cycles()))
                .orElseGet(OptionalLong::empty);
    }

    /// Share of the allocation that is not dead at once. It is chosen so that replayed cycles on
    /// the run's own heap leave the same bytes in use as those in the log.
    private static double freshShare(ShenandoahHistory history) {
        double kept =
                IntStream.range(0, history.size())
                        .mapToDouble(history::keptBytes)
                        .average()
                        .orElseThrow();
        double[] shares =
                DoubleStream.iterate(MIN_FRESH, x -> x < 1, x -> x * FRESH_STEP).toArray();
        double[] off = DoubleStream.of(shares).map(share -> off(history, share, kept)).toArray();
        double min = DoubleStream.of(off).min().orElseThrow();
        int best = shares.length - 1;
        while (off[best] > min + AS_NEAR) {
            best--;
        }
        return shares[best];
    }

    private static double off(ShenandoahHistory history, double share, double kept) {
        return ShenandoahReplay.of(history, history.heapBytes(), OptionalDouble.of(share))
                .map(r -> Math.abs(Math.log(Math.max(1, r.keptBytes()) / Math.max(1, kept))))
                .orElse(Double.MAX_VALUE);
    }

    /// @return empty if the heap is too small for a replay
    OptionalDouble cycles(double heapBytes) {
        OptionalDouble ratio = counted.ratio(heapBytes);
        return ratio.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(seen.cycles() * ratio.getAsDouble());
    }
}
