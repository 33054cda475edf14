package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;

/// The same run on a heap of another size.
///
/// How it is reckoned depends on what was seen: by {@link ReplayForecast} where the log tells what
/// young collections copy, by {@link ZgcForecast} where it tells ZGC's young collections, by {@link
/// CycleForecast} for other ZGC and Shenandoah, else to first order. The error of each on real
/// programs is in docs/heap-forecast-errors.md.
///
/// @param youngGcs young and mixed
/// @param shortPauseMeanMs of all stops but full collections: per young collection or cycle
/// @param pauseShare of the time the run would take
/// @param tooSmall the live set leaves hardly any room: an OutOfMemoryError is near
public record HeapForecast(
        Bytes heap,
        double youngGcs,
        double fullGcs,
        double cycles,
        double pauseMs,
        double shortPauseMeanMs,
        double pauseShare,
        boolean tooSmall) {
    /// Less room than this share of the live set is none.
    private static final double ROOM_MIN = 0.15;

    /// What of a heap that is not divided for good can be filled.
    private static final double USABLE = 0.90;

    /// Old's share of the heap where generations are fixed (NewRatio 2).
    private static final double OLD_SHARE = 2.0 / 3;

    /// Median error of forecasts, in per cent, by how far away the heap is that is asked for: on
    /// the four and the six programs that were looked at last. The four helped to choose a part of
    /// ZGC's model (docs/heap-forecasts.md). Without the tables or lines that a replay needs, on
    /// others before them.
    public record MedianError(int collectionsPct, int pausePct) {
        /// Factor between two heaps from which forecasts were compared as far: pairs near were 1.5
        /// and 1.6 times as large as each other, pairs far away 2.4 times.
        static final double FAR = 2;

        /// For a heap up to 1.6 times as large as the one seen, or as small.
        public static MedianError near(HeapObservation seen) {
            return switch (seen.kind()) {
                case SERIAL -> new MedianError(1, 13);
                case PARALLEL, SWEPT -> new MedianError(4, 18);
                case REGIONS -> new MedianError(7, 15);
                case ZGC -> seen.zgcYoung().isEmpty() ? far(seen) : new MedianError(10, 18);
                case SHENANDOAH ->
                        seen.shenandoahCycles().isEmpty() ? far(seen) : new MedianError(5, 10);
            };
        }

        /// For a heap 2.4 times as large as the one seen, or as small.
        public static MedianError far(HeapObservation seen) {
            return switch (seen.kind()) {
                case SERIAL -> new MedianError(1, 26);
                case PARALLEL, SWEPT -> new MedianError(6, 18);
                case REGIONS -> new MedianError(10, 24);
                case ZGC ->
                        seen.zgcYoung().isEmpty()
                                ? new MedianError(19, 20)
                                : new MedianError(15, 18);
                case SHENANDOAH ->
                        seen.shenandoahCycles().isEmpty()
                                ? new MedianError(17, 29)
                                : new MedianError(5, 14);
            };
        }

        /// For this heap.
        public static MedianError of(HeapObservation seen, Bytes heap) {
            double asked = heap.value();
            double larger = Math.max(asked, seen.heapBytes());
            double smaller = Math.min(asked, seen.heapBytes());
            return larger < FAR * smaller ? near(seen) : far(seen);
        }
    }

    /// For several heaps of one run ask a {@link HeapForecaster}.
    public static HeapForecast of(HeapObservation seen, Bytes heap) {
        return HeapForecaster.of(seen).at(heap);
    }

    static HeapForecast of(
            HeapObservation seen,
            Bytes heap,
            double youngGcs,
            double fullGcs,
            double cycles,
            double shortPauseMs,
            double fullPauseMs) {
        double pauseMs = shortPauseMs + fullPauseMs;
        double stops = youngGcs + cycles;
        return new HeapForecast(
                heap,
                youngGcs,
                fullGcs,
                cycles,
                pauseMs,
                stops > 0 ? shortPauseMs / stops : 0,
                pauseMs / (seen.runningS() * 1000 + pauseMs),
                oldRoom(seen, (double) heap.value()) < seen.liveBytes() * ROOM_MIN);
    }

    /// What old can take besides the live set.
    static double oldRoom(HeapObservation seen, double heap) {
        double share = seen.kind().isFixed() ? OLD_SHARE : USABLE;
        return heap * share - seen.liveBytes();
    }

    /// Collections of all kinds.
    public double gcs() {
        return youngGcs + fullGcs + cycles;
    }
}
