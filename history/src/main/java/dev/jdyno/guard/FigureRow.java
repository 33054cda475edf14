package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.measure.statistics.Interval;
import java.time.Instant;
import java.util.Optional;

/// One guarded figure of today.
///
/// @param value of today; empty where it was not measured
/// @param reference of the level before, on the machine as it is today
/// @param ratio value to reference
/// @param since the first run with the change
public record FigureRow(
        Metric metric,
        Optional<Double> value,
        Optional<Double> reference,
        Optional<Double> ratio,
        Optional<Interval> ci95,
        Verdict verdict,
        Optional<Since> since) {
    /// Where a change begins.
    ///
    /// @param run id of the stored result; empty: today's, until that has one
    /// @param before the commit of the run before it
    public record Since(
            Optional<String> run, Instant day, Optional<Commit> code, Optional<Commit> before) {}

    /// The same, where a change that begins today has the name of today's result.
    FigureRow dated(Entry today) {
        return new FigureRow(
                metric,
                value,
                reference,
                ratio,
                ci95,
                verdict,
                since.map(s ->
                        s.run().isPresent()
                                ? s
                                : new Since(
                                        Optional.of(today.id()),
                                        today.at(),
                                        today.code(),
                                        s.before())));
    }

    static FigureRow unmeasured(Metric metric) {
        return new FigureRow(
                metric,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Verdict.UNCLEAR,
                Optional.empty());
    }
}
