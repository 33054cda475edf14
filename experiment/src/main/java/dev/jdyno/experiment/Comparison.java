package dev.jdyno.experiment;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The published figures of an experiment and the results of this machine.
///
/// @param id such as `E1`
/// @param rows one row per figure
/// @param notes how it was run, and differences from the original
public record Comparison(String id, String title, List<Row> rows, List<String> notes) {
    /// Unit of a figure that answers a question.
    public static final String YES_OR_NO = "1 yes, 0 no";

    /// One figure.
    ///
    /// @param published value in the source; empty if the source has none
    /// @param predicted value that a formula gives from this machine's demands; empty without a
    ///   formula
    /// @param judged whether the figure agrees; empty for figures that depend on the machine, such
    ///   as absolute throughput
    public record Row(
            String figure,
            Optional<Double> published,
            Optional<Double> predicted,
            double measured,
            String unit,
            Optional<Judged> judged) {
        /// Returns the same row with an explanation, which is kept only if the figure does not
        /// agree.
        Row because(String why) {
            return new Row(
                    figure,
                    published,
                    predicted,
                    measured,
                    unit,
                    judged.map(j ->
                            new Judged(
                                    j.holds(),
                                    j.tolerance(),
                                    j.range(),
                                    j.holds() ? Optional.empty() : Optional.of(why))));
        }

        /// Returns the same row with the value that a formula gives.
        Row predicted(double value) {
            return new Row(figure, published, Optional.of(value), measured, unit, judged);
        }
    }

    /// @param tolerance largest relative distance from the published figure
    /// @param range range in which the figure must lie; empty if `tolerance` is used instead
    /// @param why measured explanation of a figure that does not agree
    public record Judged(
            boolean holds, double tolerance, Optional<Interval> range, Optional<String> why) {
        public Judged(boolean holds, double tolerance) {
            this(holds, tolerance, Optional.empty(), Optional.empty());
        }

        static Judged between(double min, double max, double measured) {
            var range = new Interval(min, max);
            return new Judged(range.contains(measured), 0, Optional.of(range), Optional.empty());
        }
    }

    public Comparison {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    /// A figure whose absolute value depends on the machine.
    static Row figure(String name, double published, double measured, String unit) {
        return new Row(
                name, Optional.of(published), Optional.empty(), measured, unit, Optional.empty());
    }

    static Row predicted(
            String name,
            double published,
            Optional<Double> predicted,
            double measured,
            String unit) {
        return new Row(name, Optional.of(published), predicted, measured, unit, Optional.empty());
    }

    /// A measured figure that the source does not have.
    static Row here(String name, double measured, String unit) {
        return new Row(name, Optional.empty(), Optional.empty(), measured, unit, Optional.empty());
    }

    /// A measured count that the source does not have.
    static Row here(String name, long measured, String unit) {
        return here(name, (double) measured, unit);
    }

    /// A figure that the source does not have and a formula gives. The measurement must agree with
    /// the formula within `tolerance`.
    static Row expected(
            String name, double predicted, double measured, String unit, double tolerance) {
        boolean holds = Math.abs(measured / predicted - 1) <= tolerance;
        return new Row(
                name,
                Optional.empty(),
                Optional.of(predicted),
                measured,
                unit,
                Optional.of(new Judged(holds, tolerance)));
    }

    /// A ratio that must agree with the published ratio within `tolerance`.
    static Row shape(String name, double published, double measured, double tolerance) {
        boolean holds = Math.abs(measured / published - 1) <= tolerance;
        return new Row(
                name,
                Optional.of(published),
                Optional.empty(),
                measured,
                "ratio",
                Optional.of(new Judged(holds, tolerance)));
    }

    /// A condition that must hold.
    static Row holds(String figure, boolean holds) {
        return new Row(
                figure,
                Optional.of(1.0),
                Optional.of(1.0),
                holds ? 1 : 0,
                YES_OR_NO,
                Optional.of(new Judged(holds, 0)));
    }

    /// An improvement as a factor. Its size depends on the machine, so at least half of the
    /// published gain must be reached.
    static Row gain(String name, double published, double measured) {
        return within(
                name, published, measured, "ratio", 1 + (published - 1) / 2, Double.MAX_VALUE);
    }

    /// A figure that must lie between two limits.
    static Row within(
            String name, double published, double measured, String unit, double min, double max) {
        return new Row(
                name,
                Optional.of(published),
                Optional.empty(),
                measured,
                unit,
                Optional.of(Judged.between(min, max, measured)));
    }

    /// The median of |predicted / measured − 1| over the rows of one unit with a prediction; empty
    /// if none has one.
    public OptionalDouble predictionError(String unit) {
        double[] errors =
                rows.stream()
                        .filter(r -> r.unit().equals(unit) && r.predicted().isPresent())
                        .mapToDouble(r -> Math.abs(r.predicted().get() / r.measured() - 1))
                        .toArray();
        return errors.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Quantiles.median(errors));
    }

    /// True if every judged figure agrees.
    public boolean holds() {
        return rows.stream().allMatch(r -> r.judged().map(Judged::holds).orElse(true));
    }
}
