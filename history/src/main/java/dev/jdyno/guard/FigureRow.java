package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.measure.statistics.Interval;
import java.time.Instant;
import java.util.Optional;

/// Today's judgement of one figure.
///
/// @param value today's value; empty if it was not measured
/// @param reference value of the level before, scaled to today's machine
/// @param ratio value ÷ reference
/// @param since the first run with the change
public record FigureRow(
        Metric metric,
        Optional<Double> value,
        Optional<Double> reference,
        Optional<Double> ratio,
        Optional<Interval> ci95,
        Verdict verdict,
        Optional<Since> since) {
    /// The run and commit at which a change begins.
    ///
    /// @param run id of the stored result; empty for today's result until it is stored
    /// @param before commit of the previous run
    public record Since(
            Optional<String> run, Instant day, Optional<Commit> code, Optional<Commit> before) {}

    /// Returns the same row. A change that begins today gets the id of today's result.
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
