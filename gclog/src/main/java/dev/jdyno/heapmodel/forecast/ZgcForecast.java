package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import java.util.Optional;
import java.util.OptionalDouble;

/// Forecasts generational ZGC. The run is replayed under ZGC's own rules on its own heap and on the
/// other one ({@link ZgcReplay}), and the run's figures are scaled by the ratio ({@link
/// ReplayedCount}).
///
/// It needs the tables of `-Xlog:gc*` as JDK 21 to 25 print them. It was tested on JDK 25 with one
/// worker per generation (docs/heap-forecasts.md).
final class ZgcForecast {
    /// Minimum number of collections for a forecast.
    private static final int MIN_COLLECTIONS = 5;

    /// Exponent with which the stops of a cycle grow with the interval between cycles, because
    /// threads and caches have moved on to other work.
    private static final double PAUSE_EXPONENT = 0.15;

    private final HeapObservation seen;
    private final ReplayedCount collections;

    private ZgcForecast(HeapObservation seen, ReplayedCount collections) {
        this.seen = seen;
        this.collections = collections;
    }

    /// @return empty if the log has too few figures for a replay
    static Optional<ZgcForecast> of(HeapObservation seen) {
        if (seen.zgcYoung().size() < MIN_COLLECTIONS) {
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

    /// @return empty if the heap is too small for a replay
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
