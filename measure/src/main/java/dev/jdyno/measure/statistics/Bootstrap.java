package dev.jdyno.measure.statistics;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/// Percentile bootstrap: the interval of any statistic of independent slices, by resampling them
/// with replacement (Efron 1979). The random numbers have a fixed seed, so that the same slices
/// give the same interval.
public final class Bootstrap {
    /// Number of resamples. The Monte Carlo error of a 2.5 % quantile is then about ±0.5 percentage
    /// points of probability.
    public static final int RESAMPLES = 1000;

    private Bootstrap() {}

    /// The 95 % interval of `statistic` over `n` slices. The statistic receives the indices of the
    /// slices in a resample.
    public static Interval ci95(int n, ToDoubleFunction<int[]> statistic, long seed) {
        if (n < 1) {
            throw new IllegalArgumentException("no slices to resample");
        }
        var random = new SplittableRandom(seed);
        double[] values = new double[RESAMPLES];
        int[] drawn = new int[n];
        for (int r = 0; r < RESAMPLES; r++) {
            for (int i = 0; i < n; i++) {
                drawn[i] = random.nextInt(n);
            }
            values[r] = statistic.applyAsDouble(drawn);
        }
        return new Interval(Quantiles.of(values, 0.025), Quantiles.of(values, 0.975));
    }

    /// The 95 % interval of a statistic that draws its own resample. It is for grouped data (rounds
    /// with slices), for which drawing from one set would lose the groups.
    public static Interval ci95(ToDoubleFunction<SplittableRandom> resampledStatistic, long seed) {
        var random = new SplittableRandom(seed);
        double[] values = new double[RESAMPLES];
        for (int r = 0; r < RESAMPLES; r++) {
            values[r] = resampledStatistic.applyAsDouble(random);
        }
        return new Interval(Quantiles.of(values, 0.025), Quantiles.of(values, 0.975));
    }

    /// The 95 % interval of the mean.
    public static Interval meanCi95(double[] values, long seed) {
        return ci95(
                values.length,
                drawn -> {
                    double sum = 0;
                    for (int i : drawn) {
                        sum += values[i];
                    }
                    return sum / drawn.length;
                },
                seed);
    }
}
