package dev.jdyno.tune;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.statistics.Interval;
import java.util.Optional;
import java.util.OptionalDouble;

/// What a comparison of two sets of changes came to.
///
/// @param gain of the figure that is improved: more than 1 is better, whatever the figure's
///   direction; empty where it was not measured often enough
/// @param ci95 of the gain
/// @param a the figure itself before
/// @param b and after
/// @param starts of each; 1 for a look before the comparison
/// @param goalMs what the goal limits, after; empty without a goal
/// @param inFlight requests in flight of the saturated blocks
/// @param ratePerS of the blocks at a fixed rate; empty without any
public record Measured(
        Outcome outcome,
        Optional<Double> gain,
        Optional<Interval> ci95,
        Optional<Double> a,
        Optional<Double> b,
        int starts,
        boolean moreErrors,
        Optional<Double> goalMs,
        Optional<Integer> inFlight,
        Optional<Double> ratePerS) {
    /// Half the width of the widest interval, as a logarithm, that judges a prediction: ± 15 %.
    private static final double NARROW = 0.15;

    /// Whether the interval is narrow enough to judge a prediction by.
    boolean isNarrow() {
        return ci95.filter(i -> Math.log(i.hi() / i.lo()) / 2 < NARROW).isPresent();
    }

    static Measured of(Compared compared) {
        Metric metric = compared.primary();
        Optional<Compared.Row> row = compared.row(metric);
        Optional<Effect> effect = row.flatMap(Compared.Row::effect);
        boolean up = metric.higherIsBetter();
        return new Measured(
                compared.verdict(),
                effect.map(e -> up ? e.ratio() : 1 / e.ratio()),
                effect.map(e ->
                        up
                                ? e.interval()
                                : new Interval(1 / e.interval().hi(), 1 / e.interval().lo())),
                row.flatMap(r -> boxed(r.a())),
                row.flatMap(r -> boxed(r.b())),
                compared.starts(),
                compared.row(Metric.ERRORS).filter(r -> r.outcome() == Outcome.WORSE).isPresent(),
                compared.goalMs(),
                Optional.of(compared.concurrency()).filter(n -> n > 0),
                Optional.of(compared.ratePerS()).filter(rate -> rate > 0));
    }

    private static Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }
}
