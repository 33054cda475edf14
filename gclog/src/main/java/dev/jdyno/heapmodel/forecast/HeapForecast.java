package dev.jdyno.heapmodel.forecast;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;

/// The forecast of a run on a heap of another size.
///
/// The method depends on the log. {@link ReplayForecast} needs the bytes that young collections
/// copy, {@link ZgcForecast} the young collections of ZGC. {@link CycleForecast} is for other runs
/// of ZGC and Shenandoah. All others use a first-order model. docs/heap-forecast-errors.md has the
/// error of each on real programs.
///
/// @param youngGcs number of young and mixed collections
/// @param shortPauseMeanMs mean time of all stops of a young collection or a cycle, without full
///   collections
/// @param pauseShare pauses as a share of the time that the run would take
/// @param tooSmall true if the live set leaves almost no free space, so that an OutOfMemoryError is
///   likely
public record HeapForecast(
        Bytes heap,
        double youngGcs,
        double fullGcs,
        double cycles,
        double pauseMs,
        double shortPauseMeanMs,
        double pauseShare,
        boolean tooSmall) {
    /// Minimum free space as a share of the live set. A heap with less is too small.
    private static final double MIN_FREE_OF_LIVE = 0.15;

    /// Usable share of a heap without fixed generations.
    private static final double USABLE = 0.90;

    /// The old generation's share of the heap with fixed generations (NewRatio 2).
    private static final double OLD_SHARE = 2.0 / 3;

    /// Median error of forecasts in percent, by the distance between the two heap sizes, on the two
    /// groups of programs tested last. The first group (four programs) helped to choose a part of
    /// ZGC's model, the second (six programs) did not (docs/heap-forecasts.md). For logs without
    /// the tables or lines that a replay needs, the error is that of earlier programs.
    public record MedianError(int collectionsPct, int pausePct) {
        /// Minimum ratio of two heaps at which the error for far heaps applies. The tested near
        /// pairs had ratios of 1.5 and 1.6, the far pairs of 2.4.
        static final double FAR = 2;

        /// Median errors for a heap up to 1.6 times larger or smaller than that of the run.
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

        /// Median errors for a heap 2.4 times larger or smaller than that of the run.
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

        /// The error for this heap.
        public static MedianError of(HeapObservation seen, Bytes heap) {
            double asked = heap.value();
            double larger = Math.max(asked, seen.heapBytes());
            double smaller = Math.min(asked, seen.heapBytes());
            return larger < FAR * smaller ? near(seen) : far(seen);
        }
    }

    /// The forecast for one heap. For several heaps of one run, use a {@link HeapForecaster}.
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
                oldRoom(seen, (double) heap.value()) < seen.liveBytes() * MIN_FREE_OF_LIVE);
    }

    /// Free space in the old generation besides the live set.
    static double oldRoom(HeapObservation seen, double heap) {
        double share = seen.kind().isFixed() ? OLD_SHARE : USABLE;
        return heap * share - seen.liveBytes();
    }

    /// Number of collections of all kinds.
    public double gcs() {
        return youngGcs + fullGcs + cycles;
    }
}
