package dev.jdyno.series;

import java.util.Arrays;
import java.util.OptionalDouble;

/// How well a model explains a series.
final class Fit {
    private Fit() {}

    /// What comes and goes, and the series without it.
    ///
    /// @param leastEffect smallest change of the rest that can be seen, as a share; 0 for any
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(Repeating what, double[] rest, double leastEffect) {}

    /// Bayesian information criterion of a model: of two models the one with less explains the
    /// values with fewer parameters.
    ///
    /// @param off squared deviations of the values from the model, summed
    /// @param parameters of the model
    static double bic(double[] values, double off, double parameters) {
        int n = values.length;
        return n * Math.log(off / n + least(values)) + parameters * Math.log(n);
    }

    /// Variance that two values have at least, however exactly they were written.
    private static double least(double[] values) {
        OptionalDouble largest = Arrays.stream(values).map(Math::abs).max();
        double fine = 0.001 * largest.orElse(0);
        return Math.max(fine * fine, Double.MIN_NORMAL);
    }

    /// Squared deviations from the levels between changes, summed.
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

    /// @param changes of level
    static double parameters(int changes) {
        return 2.0 * changes + 1;
    }
}
