package dev.jdyno.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// E-divisive (Matteson & James, JASA 2014). It finds the split with the largest energy distance
/// between the values before and after it. It continues in each part while a permutation test is
/// significant.
///
/// As in the paper, both ends of a comparison are free: the part after the split may end before the
/// segment does (equation 5). The published libraries extend it to the end, and miss a level that
/// comes and goes.
final class EDivisive {
    /// Minimum number of values in a level.
    static final int MIN = 3;

    /// Number of values below which the test uses {@link #OF_FEW}. Few values have few
    /// permutations, so a strict test would never propose a change.
    private static final int FEW = 30;

    private static final double OF_FEW = 0.3;

    private static final int PERMUTATIONS = 399;
    private static final long SEED = 20_261_127;

    private final double[] values;
    private final double significance;

    private EDivisive(double[] values, double significance) {
        this.values = values;
        this.significance = significance;
    }

    /// Returns the indices of the first value of each new level, in rising order.
    ///
    /// @param significance largest p of the permutation test
    static List<Integer> of(double[] values, double significance) {
        var divided = new EDivisive(values.clone(), significance);
        List<Integer> found = new ArrayList<>();
        divided.divide(0, values.length, found);
        found.sort(Integer::compare);
        return found;
    }

    private void divide(int from, int to, List<Integer> found) {
        if (to - from < 2 * MIN) {
            return;
        }
        double[] part = Arrays.copyOfRange(values, from, to);
        Split best = best(part);
        if (best.at() == 0 || !isSignificant(part, best.q())) {
            return;
        }
        int at = from + best.at();
        found.add(at);
        divide(from, at, found);
        divide(at, to, found);
    }

    /// @param at index of the split; 0 without one
    private record Split(int at, double q) {}

    private boolean isSignificant(double[] part, double q) {
        // segments of one length are always shuffled in the same way
        var random = new SplittableRandom(SEED + part.length);
        double[] shuffled = part.clone();
        int max =
                (int) Math.floor((part.length < FEW ? OF_FEW : significance) * (PERMUTATIONS + 1))
                        - 1;
        int larger = 0;
        for (int i = 0; i < PERMUTATIONS && larger <= max; i++) {
            for (int k = shuffled.length - 1; k > 0; k--) {
                int other = random.nextInt(k + 1);
                double kept = shuffled[k];
                shuffled[k] = shuffled[other];
                shuffled[other] = kept;
            }
            if (best(shuffled).q() >= q) {
                larger++;
            }
        }
        return larger <= max;
    }

    /// Finds the best split, over all splits and all ends of the part after it, from sums of
    /// distances.
    private static Split best(double[] x) {
        int n = x.length;
        // toFirst[j][i]: sum of the distances of value j to the first i values
        double[][] toFirst = new double[n][n + 1];
        double[] within = new double[n + 1];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                toFirst[j][i + 1] = toFirst[j][i] + Math.abs(x[i] - x[j]);
            }
            within[j + 1] = within[j] + toFirst[j][j];
        }
        int at = 0;
        double max = 0;
        for (int split = MIN; split <= n - MIN; split++) {
            double between = 0;
            for (int end = split + 1; end <= n; end++) {
                between += toFirst[end - 1][split];
                int after = end - split;
                if (after < MIN) {
                    continue;
                }
                double q =
                        energy(
                                split,
                                after,
                                between,
                                within[split],
                                within[end] - within[split] - between);
                if (q > max) {
                    max = q;
                    at = split;
                }
            }
        }
        return new Split(at, max);
    }

    /// m n / (m + n) times the energy distance of m values and n values.
    private static double energy(double m, double n, double between, double first, double second) {
        double distance =
                2 * between / (m * n) - 2 * first / (m * (m - 1)) - 2 * second / (n * (n - 1));
        return m * n / (m + n) * distance;
    }
}
