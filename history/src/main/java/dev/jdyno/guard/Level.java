package dev.jdyno.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.hipparchus.distribution.continuous.TDistribution;

/// The level that a figure had lately, on the log scale, and how much it varies from day to day.
///
/// @param mean of the days since the last change of level
/// @param days of them, without those that stand out
/// @param deviation from day to day, within the levels of all days
/// @param freedom of the deviation
record Level(double mean, int days, double deviation, int freedom) {
    /// @param logs the figure of earlier days, in the order of time
    /// @param begins indices at which a level begins: changes that were reported
    /// @param outliers indices of days that stand out
    /// @param repeats least deviation
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
        return days >= 1 && freedom >= Guarded.LEAST_DAYS - 1;
    }

    /// One-sided p that so many values with this mean are of this level.
    double p(double valuesMean, int values) {
        double error = deviation * Math.sqrt(1.0 / values + 1.0 / days);
        return new TDistribution(freedom)
                .cumulativeProbability(-Math.abs(valuesMean - mean) / error);
    }

    /// Half of the 95 % interval of a difference to so many values.
    double half(int values) {
        return new TDistribution(freedom).inverseCumulativeProbability(0.975)
                * deviation
                * Math.sqrt(1.0 / values + 1.0 / days);
    }
}
