package dev.jdyno.measure.gc;

import dev.jdyno.measure.statistics.Trend;
import java.util.List;
import java.util.Map;

/// Figures of the collector in one round that a flight recording contains beyond its counters.
///
/// @param longestPauseMs longest single stop for the collector
/// @param causes collections by cause, in the JVM's words: `Allocation Failure`, `System.gc()`, `G1
///   Humongous Allocation`, …
/// @param stalledThreads mean number of threads that waited for memory (ZGC's allocation stalls):
///   thread-seconds per second
/// @param afterFull bytes in use in the whole heap after each full collection, by seconds since the
///   epoch; for the rules, not kept in `result.json`
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
