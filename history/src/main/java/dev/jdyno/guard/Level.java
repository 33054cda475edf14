package dev.jdyno.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.hipparchus.distribution.continuous.TDistribution;

/// The recent level of a figure, on the log scale, and its variation from day to day.
///
/// @param mean mean of the days since the last change of level
/// @param days number of those days, without outliers
/// @param deviation from day to day, pooled over all levels
/// @param freedom degrees of freedom of the deviation
record Level(double mean, int days, double deviation, int freedom) {
    /// @param logs the figure of earlier days, in the order of time
    /// @param begins indices at which a level begins, such as reported changes
    /// @param outliers indices of outlying days
    /// @param repeats minimum deviation
    static Level of(
            double[] logs, NavigableSet<Integer> begins, List<Integer> outliers, double repeats) {
        NavigableSet<Integer> from = new TreeSet<>(begins);
        from.add(0);
        double squares = 0;
        int freedom = 0;
        List<Double> last = List.of();
        for (int begin : from) {
            Integer next = from.higher(begin);
            List<Double> part = new ArrayList<>();
            for (int i = begin; i < (next == null ? logs.length : next); i++) {
                if (!outliers.contains(i)) {
                    part.add(logs[i]);
                }
            }
            double mean = mean(part);
            squares += part.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
            freedom += Math.max(0, part.size() - 1);
            last = part;
        }
        return new Level(
                mean(last),
                last.size(),
                Math.max(repeats, freedom == 0 ? 0 : Math.sqrt(squares / freedom)),
                freedom);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    boolean isKnown() {
        return days >= 1 && freedom >= Guarded.MIN_DAYS - 1;
    }

    /// One-sided p-value that this many values with this mean belong to the level.
    double p(double valuesMean, int values) {
        double error = deviation * Math.sqrt(1.0 / values + 1.0 / days);
        return new TDistribution(freedom)
                .cumulativeProbability(-Math.abs(valuesMean - mean) / error);
    }

    /// Half-width of the 95 % interval of a difference from this many values.
    double half(int values) {
        return new TDistribution(freedom).inverseCumulativeProbability(0.975)
                * deviation
                * Math.sqrt(1.0 / values + 1.0 / days);
    }
}
