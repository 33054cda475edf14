package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalDouble;

/// Forecasts generational ZGC: the run seen is replayed under ZGC's own rules on the heap it had
/// and on the other one ({@link ZgcReplay}), and what was seen is changed by the ratio of the two
/// ({@link ReplayedCount}).
///
/// Needs the tables of `-Xlog:gc*` as JDK 21 to 25 print them; tried on JDK 25 with one worker a
/// generation (docs/heap-forecasts.md).
final class ZgcForecast {
    /// Fewer tell too little.
    private static final int LEAST_COLLECTIONS = 5;

    /// Of how seldom cycles come, with which the stops of each grow: threads and caches have turned
    /// to other things.
    private static final double PAUSE_EXPONENT = 0.15;

    private final HeapObservation seen;
    private final ReplayedCount collections;

    private ZgcForecast(HeapObservation seen, ReplayedCount collections) {
        this.seen = seen;
        this.collections = collections;
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
        return ReplayedCount.of(
                        heap -> ZgcReplay.collections(history, seen.heapBytes(), heap),
                        history.size(),
                        seen.heapBytes())
                .map(c -> new ZgcForecast(seen, c));
    }

    /// @return empty when the heap is too small to replay the run
    Optional<HeapForecast> at(Bytes heap) {
        OptionalDouble ratios = collections.ratio((double) heap.value());
        if (ratios.isEmpty()) {
            return Optional.empty();
        }
        double ratio = ratios.getAsDouble();
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
}
