package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Bootstrap;
import dev.jdyno.measure.statistics.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;

/// A law fitted to resamples of its windows, which give its intervals (moving-block bootstrap,
/// Künsch 1989). Blocks of consecutive windows are drawn, because such windows resemble each other.
///
/// The percentile interval of few blocks is too narrow. Its tails are therefore those of Student's
/// distribution with the number of blocks less that of the fitted figures as degrees of freedom
/// (the expanded percentile interval of Hesterberg 2015).
final class Resamples<L> {
    private static final double TAIL = 0.025;

    /// Of the draws, so that the same windows always give the same interval.
    static final long SEED = 20_261_129;

    private final List<L> laws;
    private final double tail;

    private Resamples(List<L> laws, double tail) {
        this.laws = laws;
        this.tail = tail;
    }

    /// @param windows number of windows, so many that there are more blocks than parameters
    /// @param parameters number of figures that are fitted
    /// @param again fits the law to the windows with these indices; empty if they give no law
    static <L> Resamples<L> of(int windows, int parameters, Function<int[], Optional<L>> again) {
        var random = new SplittableRandom(SEED);
        List<L> laws = new ArrayList<>();
        for (int r = 0; r < Bootstrap.RESAMPLES; r++) {
            again.apply(blocks(windows, random)).ifPresent(laws::add);
        }
        return new Resamples<>(laws, tail(windows, parameters));
    }

    private static int block(int n) {
        return (int) Math.max(1, Math.round(Math.cbrt(n)));
    }

    /// The share of the resamples that each tail of a 95 % interval leaves out.
    ///
    /// @param n number of windows, so many that there are more blocks than parameters
    /// @param parameters number of figures that are fitted
    static double tail(int n, int parameters) {
        double blocks = (double) n / block(n);
        double freedom = blocks - parameters;
        double t =
                -new TDistribution(freedom).inverseCumulativeProbability(TAIL)
                        * Math.sqrt(blocks / freedom);
        return new NormalDistribution().cumulativeProbability(-t);
    }

    /// Draws `n` of `n` windows, in blocks of consecutive ones.
    static int[] blocks(int n, SplittableRandom random) {
        int block = block(n);
        int[] drawn = new int[n];
        for (int i = 0; i < n; i += block) {
            int from = random.nextInt(n - block + 1);
            for (int k = 0; k < block && i + k < n; k++) {
                drawn[i + k] = from + k;
            }
        }
        return drawn;
    }

    /// Returns the 95 % interval of a figure of the law, which may be infinite. A resample in which
    /// the throughput does not vary has no result, so it counts as both the lowest and the highest
    /// value.
    Interval ci95(ToDoubleFunction<L> figure) {
        double[] values = laws.stream().mapToDouble(figure).toArray();
        Arrays.sort(values);
        int unknown = Bootstrap.RESAMPLES - values.length;
        // the limits are order statistics, because interpolation between infinite values has no
        // result
        int below = (int) Math.floor(tail * (Bootstrap.RESAMPLES - 1)) - unknown;
        return new Interval(
                below < 0 ? Double.NEGATIVE_INFINITY : values[below],
                below < 0 ? Double.POSITIVE_INFINITY : values[values.length - 1 - below]);
    }
}
