package dev.jdyno.measure;

import java.util.List;
import java.util.Optional;

/// How long named methods took in one window, every call counted.
///
/// @param concurrency the load's, in that window
/// @param seconds the window's length
/// @param source who measured: `jfr` or `async-profiler`
/// @param note what the source does not give; empty when it gives all
public record StageTimes(
        int concurrency, double seconds, String source, List<Stage> stages, String note) {

    /// One method.
    ///
    /// @param tag as the user wrote it
    /// @param count calls that ended in the window
    /// @param minMs empty without a call
    /// @param stdDevMs of a single call; empty where the source gives none
    public record Stage(
            String tag,
            long count,
            Optional<Double> meanMs,
            Optional<Double> minMs,
            Optional<Double> maxMs,
            Optional<Double> stdDevMs) {}

    public StageTimes {
        stages = List.copyOf(stages);
    }

    public StageTimes withConcurrency(int held) {
        return new StageTimes(held, seconds, source, stages, note);
    }
}
