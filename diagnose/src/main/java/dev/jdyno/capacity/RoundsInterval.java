package dev.jdyno.capacity;

import dev.jdyno.measure.Slice;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.hipparchus.distribution.continuous.TDistribution;

/// The 95 % interval of a figure from a few rounds that differ a little.
///
/// Two sources of error are added: the differences between rounds (delete-one jackknife, Tukey
/// 1958, for rounds of unequal weight), and the uncertainty of each round (its seconds, its thread
/// dumps, its pauses). The quantile is Student's, with degrees of freedom by Satterthwaite (1946):
/// two rounds that disagree show little about a third. The uncertainty of each round also
/// contributes to the differences between rounds. So the interval is up to 1.4 times as wide as
/// necessary if rounds differ for no other reason. If they do, a percentile bootstrap of two or
/// three rounds would be only half as wide as necessary.
final class RoundsInterval {
    private static final double TAIL = 0.025;

    /// Standard error of a median ÷ that of a mean, for many normal values. It is not used for two
    /// values, because their median is their mean.
    private static final double MEDIAN_ERROR = Math.sqrt(Math.PI / 2);

    /// Minimum degrees of freedom. It applies to two rounds of which one has almost no weight.
    private static final double MIN_FREEDOM = 0.5;

    private RoundsInterval() {}

    /// The figure of one round.
    ///
    /// @param weight its weight in the estimate, in any unit
    /// @param variance variance of `figure` within the round; 0 if unknown
    /// @param freedom degrees of freedom of `variance`
    record RoundValue(double figure, double weight, double variance, double freedom) {}

    /// Returns the interval of a weighted mean of the rounds. Empty for a single round whose own
    /// error is unknown.
    ///
    /// @param estimate middle of the interval, whose lower end is at least 0
    static Optional<Interval> ofMean(double estimate, List<RoundValue> roundValues) {
        return around(estimate, roundValues, 1);
    }

    /// Returns the interval of the rounds' median; weights are not used.
    static Optional<Interval> ofMedian(double estimate, List<RoundValue> roundValues) {
        List<RoundValue> similarValues =
                roundValues.stream()
                        .map(l -> new RoundValue(l.figure, 1, l.variance, l.freedom))
                        .toList();
        return around(estimate, similarValues, roundValues.size() > 2 ? MEDIAN_ERROR : 1);
    }

    private static Optional<Interval> around(
            double estimate, List<RoundValue> roundValues, double factor) {
        double weights = roundValues.stream().mapToDouble(RoundValue::weight).sum();
        double mean = roundValues.stream().mapToDouble(l -> l.weight * l.figure).sum() / weights;
        int k = roundValues.size();
        double between = 0;
        double within = 0;
        double withinFreedom = 0;
        for (RoundValue l : roundValues) {
            double share = l.weight / weights;
            if (k > 1) {
                double moved = share * (mean - l.figure) / (1 - share);
                between += (k - 1.0) / k * moved * moved;
            }
            double own = share * share * l.variance;
            within += own;
            withinFreedom += own > 0 ? own * own / l.freedom : 0;
        }
        double all = between + within;
        if (!(all > 0)) {
            return k > 1 ? Optional.of(Interval.exactly(estimate)) : Optional.empty();
        }
        double freedom =
                all * all / (square(between) / betweenFreedom(roundValues) + withinFreedom);
        double half = factor * Math.sqrt(all) * student(freedom);
        return Optional.of(new Interval(Math.max(0, estimate - half), estimate + half));
    }

    /// Returns the degrees of freedom between rounds: their effective number (Kish), in which
    /// rounds of little weight count little, minus one.
    private static double betweenFreedom(List<RoundValue> roundValues) {
        double weights = roundValues.stream().mapToDouble(RoundValue::weight).sum();
        double squares = roundValues.stream().mapToDouble(l -> square(l.weight / weights)).sum();
        return Math.max(MIN_FREEDOM, 1 / squares - 1);
    }

    /// Returns the interval of a difference. The squares of the half widths of its parts add up.
    ///
    /// @param parts the intervals of the parts; empty if one is unknown
    static Optional<Interval> ofDifference(double estimate, List<Optional<Interval>> parts) {
        double squares = 0;
        for (Optional<Interval> part : parts) {
            if (part.isEmpty()) {
                return Optional.empty();
            }
            squares += square(part.get().width() / 2);
        }
        double half = Math.sqrt(squares);
        return Optional.of(new Interval(Math.max(0, estimate - half), estimate + half));
    }

    /// Returns a figure of a round whose error comes from its seconds.
    ///
    /// @param figure figure of one second, in the unit of `of`
    static RoundValue bySeconds(
            double of, double weight, List<Slice> slices, ToDoubleFunction<Slice> figure) {
        double[] seconds = slices.stream().mapToDouble(figure).toArray();
        int m = seconds.length;
        if (m < 2) {
            return new RoundValue(of, weight, 0, 1);
        }
        double mean = 0;
        for (double s : seconds) {
            mean += s / m;
        }
        double squares = 0;
        for (double s : seconds) {
            squares += square(s - mean);
        }
        return new RoundValue(of, weight, squares / (m - 1) / m, m - 1.0);
    }

    static double median(List<RoundValue> roundValues) {
        return Quantiles.median(roundValues.stream().mapToDouble(RoundValue::figure).toArray());
    }

    /// Returns Student's two-sided 95 % quantile.
    private static double student(double freedom) {
        return -new TDistribution(freedom).inverseCumulativeProbability(TAIL);
    }

    private static double square(double v) {
        return v * v;
    }
}
