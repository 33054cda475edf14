package dev.jdyno.heapmodel;

import dev.jdyno.measure.HeapObservation;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/// Forecasts the number of Shenandoah's cycles: the run seen is replayed under Shenandoah's own
/// rules on the heap it had and on the other one, and what was seen is changed by the ratio of the
/// two ({@link ShenandoahReplay}).
///
/// Needs the lines of `-Xlog:gc*` as JDK 25 prints them, without generations and with pacing; tried
/// with one worker (docs/heap-model.md).
final class ShenandoahForecast {
    /// Fewer tell too little.
    private static final int LEAST_CYCLES = 5;

    /// A log of which fewer than this share of the cycles ran to their end tells too little.
    private static final double LEAST_WHOLE = 0.5;

    /// Of the heap's size: a replay jumps where a cycle begins a little earlier, so some on nearly
    /// the same heap are averaged.
    private static final double[] AROUND = {0.96, 0.98, 1, 1.02, 1.04};

    private final HeapObservation seen;
    private final ShenandoahHistory history;
    private final double replayed;

    private ShenandoahForecast(HeapObservation seen, ShenandoahHistory history, double replayed) {
        this.seen = seen;
        this.history = history;
        this.replayed = replayed;
    }

    /// @return empty when the log has too little of what a replay needs
    static Optional<ShenandoahForecast> of(HeapObservation seen) {
        int whole = seen.shenandoahCycles().size();
        if (whole < LEAST_CYCLES || whole < LEAST_WHOLE * seen.cycles()) {
            return Optional.empty();
        }
        var history = new ShenandoahHistory(seen.shenandoahCycles(), seen.heapBytes());
        OptionalDouble replayed = around(history, seen.heapBytes());
        return replayed.isEmpty()
                ? Optional.empty()
                : Optional.of(new ShenandoahForecast(seen, history, replayed.getAsDouble()));
    }

    /// @return empty when the heap is too small to replay the run
    OptionalDouble cycles(double heapBytes) {
        OptionalDouble there = around(history, heapBytes);
        return there.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(seen.cycles() * there.getAsDouble() / replayed);
    }

    /// The geometric mean of replays on nearly the same heap.
    private static OptionalDouble around(ShenandoahHistory history, double heap) {
        double[] logs =
                DoubleStream.of(AROUND)
                        .mapToObj(x -> ShenandoahReplay.cycles(history, heap * x))
                        .flatMapToDouble(n ->
                                n.isPresent()
                                        ? DoubleStream.of(
                                                Math.log(Math.max(1, (double) n.getAsLong())))
                                        : DoubleStream.empty())
                        .toArray();
        return logs.length < AROUND.length
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.exp(DoubleStream.of(logs).average().orElseThrow()));
    }
}
