package dev.jdyno.measure.thread;

import java.util.List;
import java.util.Optional;

/// Durations of named methods in one window, as a whole and by interval. Every call is counted.
///
/// @param concurrency the load's concurrency in that window
/// @param seconds the window's length
/// @param source the measuring tool: `jfr` or `async-profiler`
/// @param stages the methods over the whole window
/// @param parts the same window in intervals, in their order; empty if nothing was measured
/// @param note what the source does not give, and why; empty when it gives all
public record StageTimes(
        int concurrency,
        double seconds,
        String source,
        List<Stage> stages,
        List<Part> parts,
        String note) {

    /// One method.
    ///
    /// @param tag name of the method as the user wrote it
    /// @param count number of calls that ended in that time
    /// @param minMs the shortest call; empty without a call, or if the source does not give it
    /// @param stdDevMs standard deviation of a call; empty if the source does not give it, and for
    ///   a single call
    /// @param from the source of the figures: `jdk.MethodTrace`, `jdk.MethodTiming`,
    ///   `async-profiler`; empty without a call
    public record Stage(
            String tag,
            long count,
            Optional<Double> meanMs,
            Optional<Double> minMs,
            Optional<Double> maxMs,
            Optional<Double> stdDevMs,
            String from) {

        /// A method that was not called.
        public static Stage notCalled(String tag) {
            return new Stage(
                    tag,
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    "");
        }
    }

    /// One interval of the window.
    ///
    /// @param fromS seconds since the window began
    /// @param stages the named methods in their order. A method is missing if only the begin of the
    ///   window is known for it.
    public record Part(double fromS, double toS, List<Stage> stages) {
        public Part {
            stages = List.copyOf(stages);
        }

        public Optional<Stage> stage(String tag) {
            return stages.stream().filter(s -> s.tag().equals(tag)).findFirst();
        }
    }

    public StageTimes {
        stages = List.copyOf(stages);
        parts = List.copyOf(parts);
    }

    public StageTimes withConcurrency(int held) {
        return new StageTimes(held, seconds, source, stages, parts, note);
    }

    public StageTimes withNote(String added) {
        return new StageTimes(concurrency, seconds, source, stages, parts, added);
    }
}
