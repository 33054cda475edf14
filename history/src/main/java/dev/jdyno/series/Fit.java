package dev.jdyno.series;

import java.util.Arrays;
import java.util.OptionalDouble;

/// Measures how well a model explains a series.
final class Fit {
    private Fit() {}

    /// A repeating pattern, and the series without it.
    ///
    /// @param leastEffect smallest change that can be detected in the rest, as a share; 0 if every
    ///   change can
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(Repeating what, double[] rest, double leastEffect) {}

    /// Bayesian information criterion of a model. The model with the lower value explains the
    /// values better for its number of parameters.
    ///
    /// @param off sum of the squared deviations of the values from the model
    /// @param parameters number of parameters of the model
    static double bic(double[] values, double off, double parameters) {
        int n = values.length;
        return n * Math.log(off / n + least(values)) + parameters * Math.log(n);
    }

    /// Minimum variance, even if the values are equal or were written with few digits.
    private static double least(double[] values) {
        OptionalDouble largest = Arrays.stream(values).map(Math::abs).max();
        double fine = 0.001 * largest.orElse(0);
        return Math.max(fine * fine, Double.MIN_NORMAL);
    }

    /// Sum of the squared deviations from the levels between changes.
    static double offLevels(double[] values, Levels levels) {
        double off = 0;
        int from = 0;
        for (int i = 0; i <= levels.changes().size(); i++) {
            int to = i < levels.changes().size() ? levels.changes().get(i).index() : values.length;
            double mean = Arrays.stream(values, from, to).average().orElse(0);
            off += Arrays.stream(values, from, to).map(v -> (v - mean) * (v - mean)).sum();
            from = to;
        }
        return off;
    }

    /// @param changes number of changes of level
    static double parameters(int changes) {
        return 2.0 * changes + 1;
    }
}
