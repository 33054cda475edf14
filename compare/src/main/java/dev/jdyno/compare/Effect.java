package dev.jdyno.compare;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hipparchus.distribution.continuous.TDistribution;

/// The ratio B ÷ A of one figure, by the starts so far.
///
/// The ratio is the median of a hierarchical bootstrap: it draws starts, then pairs within each.
/// Its percentiles are too narrow for few starts, because few different draws exist. The interval
/// is therefore at least as wide as Student's over the means of the starts. Other comparisons of
/// the service may give the noise between starts. The interval is then Student's with that noise,
/// and the ratio is the geometric mean over the starts.
///
/// @param interval the interval at the requested confidence
/// @param p two-sided p-value of Student's test that the ratio is 1; empty if there is none
/// @param starts number of starts that have the figure
public record Effect(double ratio, Interval interval, Optional<Double> p, int starts) {
    private static final int DRAWS = 2000;
    private static final long SEED = 20_261_127;

    /// @param restarted whether each start had fresh JVMs; if not, the pairs are the units, and the
    ///   interval does not include the variation between starts
    /// @param alpha 1 - confidence of the interval
    /// @return empty with fewer than two units, because one value has no interval
    public static Optional<Effect> of(
            Metric metric, List<Start> starts, boolean restarted, double alpha) {
        return of(metric, starts, restarted, alpha, StartNoise.NONE, StartNoise.MIN_DEGREES);
    }

    /// @param known noise between starts from other comparisons of the same service
    /// @param minDegrees minimum degrees of freedom at which that noise is used
    /// @return empty with fewer than two units, unless the noise is known
    static Optional<Effect> of(
            Metric metric,
            List<Start> starts,
            boolean restarted,
            double alpha,
            StartNoise known,
            int minDegrees) {
        List<double[]> units =
                starts.stream().map(s -> s.logRatios(metric)).filter(r -> r.length > 0).toList();
        if (restarted && !units.isEmpty() && known.isKnown(minDegrees)) {
            double[] means = means(units);
            StartNoise own = StartNoise.of(means);
            if (known.explains(own)) {
                return Optional.of(ofNoise(means, known.plus(own), alpha));
            }
        }
        return restarted
                ? ofUnits(units, alpha, units.size())
                : ofUnits(
                        units.stream()
                                .flatMapToDouble(Arrays::stream)
                                .mapToObj(r -> new double[] {r})
                                .toList(),
                        alpha,
                        1);
    }

    /// Returns the effect from one log ratio per start, however the figure was measured.
    ///
    /// @return empty with fewer than two ratios
    public static Optional<Effect> ofStarts(List<Double> logRatios, double alpha) {
        return ofUnits(
                logRatios.stream().map(r -> new double[] {r}).toList(), alpha, logRatios.size());
    }

    private static Optional<Effect> ofUnits(List<double[]> units, double alpha, int starts) {
        int n = units.size();
        if (n < 2) {
            return Optional.empty();
        }
        double[] means = means(units);
        double mean = mean(means);
        double error = Math.sqrt(StartNoise.of(means).variance() / n);
        var student = new TDistribution(n - 1.0);
        double half = student.inverseCumulativeProbability(1 - alpha / 2) * error;
        double[] drawn = draws(units);
        double median = Quantiles.of(drawn, 0.5);
        double lo = Math.min(mean - half, Quantiles.of(drawn, alpha / 2));
        double hi = Math.max(mean + half, Quantiles.of(drawn, 1 - alpha / 2));
        double p =
                error == 0
                        ? (mean == 0 ? 1 : 0)
                        : 2 * student.cumulativeProbability(-Math.abs(mean / error));
        return Optional.of(
                new Effect(
                        Math.exp(median),
                        new Interval(Math.exp(lo), Math.exp(hi)),
                        Optional.of(p),
                        starts));
    }

    private static Effect ofNoise(double[] means, StartNoise noise, double alpha) {
        double mean = mean(means);
        double error = Math.sqrt(noise.variance() / means.length);
        var student = new TDistribution(noise.degrees());
        double half = student.inverseCumulativeProbability(1 - alpha / 2) * error;
        return new Effect(
                Math.exp(mean),
                new Interval(Math.exp(mean - half), Math.exp(mean + half)),
                Optional.of(2 * student.cumulativeProbability(-Math.abs(mean / error))),
                means.length);
    }

    private static double[] means(List<double[]> units) {
        return units.stream().mapToDouble(u -> mean(u)).toArray();
    }

    private static double[] draws(List<double[]> units) {
        var random = new SplittableRandom(SEED);
        double[] drawn = new double[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            double sum = 0;
            for (int k = 0; k < units.size(); k++) {
                double[] unit = units.get(random.nextInt(units.size()));
                double within = 0;
                for (int j = 0; j < unit.length; j++) {
                    within += unit[random.nextInt(unit.length)];
                }
                sum += within / unit.length;
            }
            drawn[i] = sum / units.size();
        }
        Arrays.sort(drawn);
        return drawn;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }
}
