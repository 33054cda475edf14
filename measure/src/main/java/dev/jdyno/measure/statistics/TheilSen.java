package dev.jdyno.measure.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// The slope of a line through points with outliers: the median of the slopes between all pairs
/// (Theil 1950, Sen 1968).
public final class TheilSen {
    private TheilSen() {}

    /// @param spread minimum ratio of the x values of a pair. The slope between closer points is
    ///   noise.
    /// @return empty if no two points are that far apart
    public static OptionalDouble slope(double[] x, double[] y, double spread) {
        List<Double> slopes = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < x.length; j++) {
                if (x[j] > x[i] * spread) {
                    slopes.add((y[j] - y[i]) / (x[j] - x[i]));
                }
            }
        }
        return slopes.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        Quantiles.median(slopes.stream().mapToDouble(s -> s).toArray()));
    }
}
