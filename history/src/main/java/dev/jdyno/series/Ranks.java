package dev.jdyno.series;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.NormalDistribution;

/// Statistics that use only the order of the values, so that outliers cannot dominate.
final class Ranks {
    private Ranks() {}

    /// Returns the ranks, from 1 for the smallest value; equal values get the mean of their ranks.
    static double[] of(double[] values) {
        int[] order =
                IntStream.range(0, values.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> values[i]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        double[] ranks = new double[values.length];
        int at = 0;
        while (at < order.length) {
            int to = at;
            while (to < order.length && values[order[to]] == values[order[at]]) {
                to++;
            }
            for (int k = at; k < to; k++) {
                ranks[order[k]] = (at + 1 + to) / 2.0;
            }
            at = to;
        }
        return ranks;
    }

    /// Two-sided p of Mann & Whitney's test, by the normal approximation with corrections for ties
    /// and continuity; 1 if all values are equal.
    static double mannWhitney(double[] a, double[] b) {
        double[] all = new double[a.length + b.length];
        System.arraycopy(a, 0, all, 0, a.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        double[] ranks = of(all);
        double m = a.length;
        double n = b.length;
        double u = Arrays.stream(ranks, 0, a.length).sum() - m * (m + 1) / 2;
        double total = m + n;
        double variance = m * n / 12 * (total + 1 - ties(ranks) / (total * (total - 1)));
        if (!(variance > 0)) {
            return 1;
        }
        double z = Math.max(0, Math.abs(u - m * n / 2) - 0.5) / Math.sqrt(variance);
        return 2 * new NormalDistribution().cumulativeProbability(-z);
    }

    /// Sum of t³ - t over the groups of equal values.
    private static double ties(double[] ranks) {
        double[] sorted = ranks.clone();
        Arrays.sort(sorted);
        double sum = 0;
        int at = 0;
        while (at < sorted.length) {
            int to = at;
            while (to < sorted.length && sorted[to] == sorted[at]) {
                to++;
            }
            double t = (double) to - at;
            sum += t * t * t - t;
            at = to;
        }
        return sum;
    }
}
