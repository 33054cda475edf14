package dev.jdyno.measure.gc;

import java.util.List;
import java.util.Optional;

/// Figures of the GC log of a run. The log includes the warm-up.
///
/// @param spanS seconds from the first time stamp of the log to the last
/// @param liveBytes the live set at the end; empty when the log does not show it
/// @param liveIsUpperBound whether no old collection ran, so that the live set may be smaller
/// @param pauses lengths of all stops by the collector
/// @param collections single collections in order. If there are too many, two adjacent ones are
///   merged: the longer pause, the larger occupancy before, and the occupancy after the later one.
/// @param pauseBins pauses by length, each bin twice as long as the one before
/// @param runBeganS when the run began, in seconds since the JVM started; empty if that is not
///   known
public record GcLogFigures(
        double spanS,
        Optional<Double> liveBytes,
        boolean liveIsUpperBound,
        Pauses pauses,
        List<Collection> collections,
        List<PauseBin> pauseBins,
        Optional<Double> runBeganS) {

    /// Distribution of the pauses, in ms.
    public record Pauses(
            long count, double totalMs, double p50, double p90, double p99, double max) {}

    /// One collection. Sizes are 0 when the log does not contain them.
    ///
    /// @param atS seconds since the JVM started
    /// @param kind `young`, `mixed`, `full`, …
    /// @param pauseMs 0 if it is not a pause but concurrent work
    public record Collection(
            double atS,
            String kind,
            double pauseMs,
            long beforeBytes,
            long afterBytes,
            long capacityBytes) {
        /// The same collection with its time on another clock.
        public Collection at(double seconds) {
            return new Collection(seconds, kind, pauseMs, beforeBytes, afterBytes, capacityBytes);
        }
    }

    /// Pauses of at least `fromMs` and less than `toMs`.
    public record PauseBin(double fromMs, double toMs, long count) {}

    public GcLogFigures {
        collections = List.copyOf(collections);
        pauseBins = List.copyOf(pauseBins);
    }

    /// The same figures with the time at which the run began.
    public GcLogFigures withRunBegan(Optional<Double> seconds) {
        return new GcLogFigures(
                spanS, liveBytes, liveIsUpperBound, pauses, collections, pauseBins, seconds);
    }

    /// Share of the log's span in which the collector stopped the application, 0…1.
    public double pauseShare() {
        return spanS <= 0 ? 0 : pauses.totalMs() / 1000 / spanS;
    }
}
