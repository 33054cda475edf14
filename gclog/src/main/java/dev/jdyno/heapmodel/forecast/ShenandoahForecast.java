package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Forecasts the number of Shenandoah's cycles: the run seen is replayed under Shenandoah's own
/// rules on the heap it had and on the other one ({@link ShenandoahReplay}), and what was seen is
/// changed by the ratio of the two ({@link ReplayedCount}).
///
/// Needs the lines of `-Xlog:gc*` as JDK 25 prints them, without generations and with pacing; tried
/// with one worker (docs/heap-forecasts.md).
final class ShenandoahForecast {
    /// Fewer tell too little.
    private static final int LEAST_CYCLES = 5;

    /// A log of which fewer than this share of the cycles ran to their end tells too little.
    private static final double LEAST_WHOLE = 0.5;

    /// Of the cycles so many must copy, else they free enough without.
    private static final double MOSTLY = 0.5;

    /// Shares of the allocation tried: from this one up, each so many times the one before.
    private static final double FRESH_LEAST = 0.05;

    private static final double FRESH_STEP = 1.2;

    /// Little and much that lives on for a while may leave the same: of shares as near as this, as
    /// logarithms, it is the largest.
    private static final double AS_NEAR = 0.03;

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
        OptionalDouble fresh =
                history.copyingShare() >= MOSTLY
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

    /// How much of the allocation is not dead at once: where that is right, cycles leave on the
    /// heap seen what they left in the log.
    private static double freshShare(ShenandoahHistory history) {
        double kept =
                IntStream.range(0, history.size())
                        .mapToDouble(history::keptBytes)
                        .average()
                        .orElseThrow();
        double[] shares =
                DoubleStream.iterate(FRESH_LEAST, x -> x < 1, x -> x * FRESH_STEP).toArray();
        double[] off = DoubleStream.of(shares).map(share -> off(history, share, kept)).toArray();
        double least = DoubleStream.of(off).min().orElseThrow();
        int best = shares.length - 1;
        while (off[best] > least + AS_NEAR) {
            best--;
        }
        return shares[best];
    }

    private static double off(ShenandoahHistory history, double share, double kept) {
        return ShenandoahReplay.of(history, history.heapBytes(), OptionalDouble.of(share))
                .map(r -> Math.abs(Math.log(Math.max(1, r.keptBytes()) / Math.max(1, kept))))
                .orElse(Double.MAX_VALUE);
    }

    /// @return empty when the heap is too small to replay the run
    OptionalDouble cycles(double heapBytes) {
        OptionalDouble ratio = counted.ratio(heapBytes);
        return ratio.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(seen.cycles() * ratio.getAsDouble());
    }
}
