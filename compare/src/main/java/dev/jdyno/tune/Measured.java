package dev.jdyno.tune;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.statistics.Interval;
import java.util.Optional;
import java.util.OptionalDouble;

/// The result of a comparison of two sets of changes.
///
/// @param by the figure that the gain is of: the figure to improve, or the CPU time of a request
///   where the CPU limits throughput. There, throughput is the CPU that the service gets, divided
///   by this time (F1), and it varies more, with the share of the machine that the service gets
/// @param gain ratio of the figure to improve, where more than 1 is better, whatever the figure's
///   direction; empty without enough measurements
/// @param ci95 of the gain
/// @param throughput ratio of throughput in the same blocks; empty if the gain is of throughput
/// @param throughputCi95 of the ratio of throughput
/// @param a the figure before the changes
/// @param b the figure with the changes
/// @param starts of each variant; 1 for a look, which comes before the comparison
/// @param goalMs the percentile that the goal limits, with the changes; empty without a goal
/// @param inFlight requests in flight in the saturated blocks
/// @param ratePerS rate of the fixed-rate blocks; empty without such blocks
public record Measured(
        Outcome outcome,
        Metric by,
        Optional<Double> gain,
        Optional<Interval> ci95,
        Optional<Double> throughput,
        Optional<Interval> throughputCi95,
        Optional<Double> a,
        Optional<Double> b,
        int starts,
        boolean moreErrors,
        Optional<Double> goalMs,
        Optional<Integer> inFlight,
        Optional<Double> ratePerS) {
    /// Maximum half-width of an interval that can judge a prediction, as a logarithm: ± 15 %.
    private static final double NARROW = 0.15;

    /// Ratio of throughput, whichever figure decided; empty if it is unknown.
    public Optional<Double> throughputRatio() {
        return by == Metric.QPS ? gain : throughput;
    }

    /// The interval of the {@link #throughputRatio}.
    public Optional<Interval> throughputInterval() {
        return by == Metric.QPS ? ci95 : throughputCi95;
    }

    /// Ratio of requests per CPU second, if it decided; else empty.
    public Optional<Double> cpuGain() {
        return gain.filter(_ -> by == Metric.CPU);
    }

    /// True if the interval is narrow enough to judge a prediction.
    boolean isNarrow() {
        return ci95.filter(i -> Math.log(i.hi() / i.lo()) / 2 < NARROW).isPresent();
    }

    static Measured of(Compared compared) {
        Measured by = of(compared, compared.primary(), compared.verdict());
        if (compared.primary() != Metric.CPU) {
            return by;
        }
        Optional<Measured> throughput =
                compared.row(Metric.QPS).map(r -> of(compared, Metric.QPS, r.outcome()));
        // if they clearly differ, something other than the CPU became or was the limit
        return throughput
                .filter(qps -> by.contradicts(qps))
                .orElseGet(() -> throughput.map(by::beside).orElse(by));
    }

    /// True if the gain of throughput clearly differs from the one that the CPU time of a request
    /// shows: no value is in both intervals.
    private boolean contradicts(Measured qps) {
        return ci95.isPresent()
                && qps.ci95
                        .filter(i -> i.hi() < ci95.get().lo() || i.lo() > ci95.get().hi())
                        .isPresent();
    }

    private Measured beside(Measured qps) {
        return new Measured(
                outcome,
                by,
                gain,
                ci95,
                qps.gain,
                qps.ci95,
                a,
                b,
                starts,
                moreErrors,
                goalMs,
                inFlight,
                ratePerS);
    }

    private static Measured of(Compared compared, Metric metric, Outcome outcome) {
        Optional<Compared.Row> row = compared.row(metric);
        Optional<Effect> effect = row.flatMap(Compared.Row::effect);
        boolean up = metric.higherIsBetter();
        return new Measured(
                outcome,
                metric,
                effect.map(e -> up ? e.ratio() : 1 / e.ratio()),
                effect.map(e -> up ? e.interval() : inverse(e.interval())),
                Optional.empty(),
                Optional.empty(),
                row.flatMap(r -> boxed(r.a())),
                row.flatMap(r -> boxed(r.b())),
                compared.starts(),
                compared.row(Metric.ERRORS).filter(r -> r.outcome() == Outcome.WORSE).isPresent(),
                compared.goalMs(),
                Optional.of(compared.concurrency()).filter(n -> n > 0),
                Optional.of(compared.ratePerS()).filter(rate -> rate > 0));
    }

    /// The same comparison with the two sets of changes exchanged.
    Measured exchanged() {
        return new Measured(
                switch (outcome) {
                    case BETTER -> Outcome.WORSE;
                    case WORSE -> Outcome.BETTER;
                    case EQUIVALENT, INCONCLUSIVE -> outcome;
                },
                by,
                gain.map(g -> 1 / g),
                ci95.map(Measured::inverse),
                throughput.map(t -> 1 / t),
                throughputCi95.map(Measured::inverse),
                b,
                a,
                starts,
                false,
                Optional.empty(),
                inFlight,
                ratePerS);
    }

    private static Interval inverse(Interval ratio) {
        return new Interval(1 / ratio.hi(), 1 / ratio.lo());
    }

    private static Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }
}
