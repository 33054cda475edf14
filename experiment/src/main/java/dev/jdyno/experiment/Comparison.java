package dev.jdyno.experiment;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// A published experiment beside what came out here.
///
/// @param id such as `E1`
/// @param rows one figure each
/// @param notes how it was run and what differs from the original
public record Comparison(String id, String title, List<Row> rows, List<String> notes) {
    /// The unit of a figure that answers a question.
    public static final String YES_OR_NO = "1 yes, 0 no";

    /// One figure.
    ///
    /// @param published as its source gives it; empty where the source gives none
    /// @param predicted by a formula, from this machine's demands; empty where there is none
    /// @param judged whether the shape held; empty for figures that only this machine explains,
    ///   such as absolute throughput
    public record Row(
            String figure,
            Optional<Double> published,
            Optional<Double> predicted,
            double measured,
            String unit,
            Optional<Judged> judged) {
        /// The same with an explanation, which is kept where the figure did not hold.
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

        /// The same with what a formula gives.
        Row predicted(double value) {
            return new Row(figure, published, Optional.of(value), measured, unit, judged);
        }
    }

    /// @param tolerance largest relative distance from the published figure
    /// @param range between which the figure must lie; empty where `tolerance` says it
    /// @param why what was measured that explains a figure which did not hold
    public record Judged(
            boolean holds, double tolerance, Optional<Interval> range, Optional<String> why) {
        public Judged(boolean holds, double tolerance) {
            this(holds, tolerance, Optional.empty(), Optional.empty());
        }

        static Judged between(double least, double most, double measured) {
            var range = new Interval(least, most);
            return new Judged(range.contains(measured), 0, Optional.of(range), Optional.empty());
        }
    }

    public Comparison {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    /// A figure whose absolute value is this machine's own.
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

    /// A figure of this machine that the source does not give.
    static Row here(String name, double measured, String unit) {
        return new Row(name, Optional.empty(), Optional.empty(), measured, unit, Optional.empty());
    }

    /// A count of this machine that the source does not give.
    static Row here(String name, long measured, String unit) {
        return here(name, (double) measured, unit);
    }

    /// A figure that the source does not give but a formula does: it must come out within
    /// `tolerance`.
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

    /// A ratio that must come out again within `tolerance`.
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

    /// Something that must be so.
    static Row holds(String figure, boolean holds) {
        return new Row(
                figure,
                Optional.of(1.0),
                Optional.of(1.0),
                holds ? 1 : 0,
                YES_OR_NO,
                Optional.of(new Judged(holds, 0)));
    }

    /// How many times better something became. The size of a gain is the machine's own; it held
    /// when at least half of the published gain came out again.
    static Row gain(String name, double published, double measured) {
        return within(
                name, published, measured, "ratio", 1 + (published - 1) / 2, Double.MAX_VALUE);
    }

    /// A figure that must lie between two others.
    static Row within(
            String name,
            double published,
            double measured,
            String unit,
            double least,
            double most) {
        return new Row(
                name,
                Optional.of(published),
                Optional.empty(),
                measured,
                unit,
                Optional.of(Judged.between(least, most, measured)));
    }

    /// The median of |predicted / measured − 1| over the rows of one unit that carry a prediction;
    /// empty when none does.
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

    /// Whether every judged figure held.
    public boolean holds() {
        return rows.stream().allMatch(r -> r.judged().map(Judged::holds).orElse(true));
    }
}
