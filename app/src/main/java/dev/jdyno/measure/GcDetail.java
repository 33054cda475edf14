package dev.jdyno.measure;

import java.util.Map;

/// What a flight recording tells of the collector beyond its counters, over one round.
///
/// @param longestPauseMs longest single stop for the collector
/// @param causes collections by cause, in the JVM's words: `Allocation Failure`, `System.gc()`, `G1
///   Humongous Allocation`, …
/// @param stalledThreads mean number of threads that waited for memory (ZGC's allocation stalls):
///   thread-seconds per second
public record GcDetail(double longestPauseMs, Map<String, Long> causes, double stalledThreads) {
    public GcDetail {
        causes = Map.copyOf(causes);
    }

    /// Collections of one cause.
    public long of(String cause) {
        return causes.getOrDefault(cause, 0L);
    }
}
