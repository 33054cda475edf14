package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Bootstrap;
import dev.jdyno.measure.statistics.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;

/// A law fitted to resamples of its windows, which give its intervals (moving-block bootstrap,
/// Künsch 1989). Blocks of consecutive windows are drawn, because such windows resemble each other.
///
/// The percentile interval of few blocks is too narrow. Its tails are therefore those of Student's
/// distribution with the number of blocks less 2 as degrees of freedom (the expanded percentile
/// interval of Hesterberg 2015).
final class Resamples {
    private static final double TAIL = 0.025;

    /// Of the draws, so that the same windows always give the same interval.
    static final long SEED = 20_261_129;

    private final List<UtilisationLaw> laws;
    private final double tail;

    private Resamples(List<UtilisationLaw> laws, double tail) {
        this.laws = laws;
        this.tail = tail;
    }

    /// @param law fitted to all windows
    /// @param perS requests per second of at least 9 windows
    /// @param used units in use in each window
    static Resamples of(UtilisationLaw law, double[] perS, double[] used) {
        int n = perS.length;
        var random = new SplittableRandom(SEED);
        List<UtilisationLaw> laws = new ArrayList<>();
        for (int r = 0; r < Bootstrap.RESAMPLES; r++) {
            law.again(perS, used, blocks(n, random)).ifPresent(laws::add);
        }
        return new Resamples(laws, tail(n));
    }

    private static int block(int n) {
        return (int) Math.max(1, Math.round(Math.cbrt(n)));
    }

    /// The share of the resamples that each tail of a 95 % interval leaves out.
    ///
    /// @param n number of windows, at least 9
    static double tail(int n) {
        double blocks = (double) n / block(n);
        double freedom = blocks - 2;
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
    Interval ci95(ToDoubleFunction<UtilisationLaw> figure) {
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
