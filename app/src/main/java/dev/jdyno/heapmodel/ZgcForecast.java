package dev.jdyno.heapmodel;

import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.HeapObservation;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/// Forecasts generational ZGC: the run seen is replayed under ZGC's own rules on the heap it had
/// and on the other one, and what was seen is changed by the ratio of the two ({@link ZgcReplay}).
///
/// Needs the tables of `-Xlog:gc*` as JDK 21 to 25 print them; tried on JDK 25 with one worker a
/// generation (docs/heap-model.md).
final class ZgcForecast {
    /// Fewer tell too little.
    private static final int LEAST_COLLECTIONS = 5;

    /// Of the heap's size: a replay jumps where a collection begins a little earlier, so some on
    /// nearly the same heap are averaged.
    private static final double[] AROUND = {0.96, 0.98, 1, 1.02, 1.04};

    /// Of how seldom cycles come, with which the stops of each grow: threads and caches have turned
    /// to other things.
    private static final double PAUSE_EXPONENT = 0.15;

    private final HeapObservation seen;
    private final ZgcHistory history;
    private final double replayed;

    private ZgcForecast(HeapObservation seen, ZgcHistory history, double replayed) {
        this.seen = seen;
        this.history = history;
        this.replayed = replayed;
    }

    /// @return empty when the log has too little of what a replay needs
    static Optional<ZgcForecast> of(HeapObservation seen) {
        if (seen.zgcYoung().size() < LEAST_COLLECTIONS) {
            return Optional.empty();
        }
        var history = new ZgcHistory(seen.zgcYoung());
        if (!(history.allocated() > 0) || !(history.allocationRate() > 0)) {
            return Optional.empty();
        }
        OptionalDouble replayed = around(history, seen.heapBytes(), seen.heapBytes());
        return replayed.isEmpty()
                ? Optional.empty()
                : Optional.of(new ZgcForecast(seen, history, replayed.getAsDouble()));
    }

    /// @return empty when the heap is too small to replay the run
    Optional<HeapForecast> at(Bytes heap) {
        OptionalDouble there = around(history, seen.heapBytes(), (double) heap.value());
        if (there.isEmpty()) {
            return Optional.empty();
        }
        double ratio = there.getAsDouble() / replayed;
        return Optional.of(
                HeapForecast.of(
                        seen,
                        heap,
                        0,
                        seen.fullGcs() * ratio,
                        seen.cycles() * ratio,
                        seen.cyclePauseMs() * Math.pow(ratio, 1 - PAUSE_EXPONENT),
                        seen.fullPauseMs() * ratio));
    }

    /// The geometric mean of replays on nearly the same heap.
    private static OptionalDouble around(ZgcHistory history, double heapSeen, double heap) {
        double[] logs =
                DoubleStream.of(AROUND)
                        .mapToObj(x -> ZgcReplay.collections(history, heapSeen, heap * x))
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
