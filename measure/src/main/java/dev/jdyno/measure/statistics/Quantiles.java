package dev.jdyno.measure.statistics;

import java.util.Arrays;

/// Quantiles by linear interpolation between order statistics (type 7 of Hyndman & Fan 1996).
public final class Quantiles {
    private Quantiles() {}

    /// @param q 0…1
    public static double of(double[] values, double q) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("quantile " + q + " is not in 0…1");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return ofSorted(sorted, q);
    }

    /// As {@link #of}, for values already in ascending order. It saves sorting when several
    /// quantiles are needed.
    ///
    /// @param q 0…1
    public static double ofSorted(double[] sorted, double q) {
        double position = q * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    public static double median(double[] values) {
        return of(values, 0.5);
    }
}
