package dev.jdyno.measure.gc;

import dev.jdyno.measure.statistics.Trend;
import java.util.List;
import java.util.Map;

/// Figures of the collector in one round that a flight recording contains and the JVM's counters do
/// not.
///
/// @param longestPauseMs longest single stop for the collector
/// @param causes collections by cause, in the JVM's words: `Allocation Failure`, `System.gc()`, `G1
///   Humongous Allocation`, …
/// @param stalledThreads mean number of threads that waited for memory (ZGC's allocation stalls):
///   thread-seconds per second
/// @param afterFull for each full collection: its seconds since the epoch, and the bytes in use in
///   the whole heap after it. Only rules use it; `result.json` does not contain it.
public record GcDetail(
        double longestPauseMs,
        Map<String, Long> causes,
        double stalledThreads,
        List<Trend.Point> afterFull) {
    public GcDetail {
        causes = Map.copyOf(causes);
        afterFull = List.copyOf(afterFull);
    }

    /// Number of collections with one cause.
    public long of(String cause) {
        return causes.getOrDefault(cause, 0L);
    }
}
