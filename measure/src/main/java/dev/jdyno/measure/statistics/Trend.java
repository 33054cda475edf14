package dev.jdyno.measure.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A straight trend through points in time: the Theil–Sen slope and its Mann–Kendall test (Mann
/// 1945, Kendall 1975; normal approximation, ties ignored). Both are robust against single
/// outliers.
///
/// @param points number of points
/// @param perS the value's change per second, in its own unit
/// @param z the test's statistic, approximately standard normal if there is no trend; positive for
///   a rise
public record Trend(int points, double perS, double z) {
    /// Minimum number of points to show a trend.
    private static final int FEWEST = 4;

    /// @param atS seconds since any fixed moment
    /// @param value in any unit
    public record Point(double atS, double value) {}

    /// @param points in the order of time
    /// @return empty when there are fewer than four points, or all have the same time
    public static Optional<Trend> of(List<Point> points) {
        return within(List.of(points));
    }

    /// The trend within stretches of time. Steps from one stretch to the next have no effect on it.
    /// It uses only pairs of points of the same stretch (the seasonal test of Hirsch, Slack and
    /// Smith, Water Resources Research 18, 1982).
    ///
    /// @param stretches the points of each stretch, in the order of time; stretches with fewer than
    ///   four points are left out
    /// @return empty when no stretch remains, or all points have the same time
    public static Optional<Trend> within(List<List<Point>> stretches) {
        int n = 0;
        double concordance = 0;
        double variance = 0;
        List<Double> slopes = new ArrayList<>();
        for (List<Point> points : stretches) {
            int size = points.size();
            if (size < FEWEST) {
                continue;
            }
            n += size;
            variance += size * (size - 1.0) * (2.0 * size + 5) / 18;
            concordance += pairs(points, slopes);
        }
        if (slopes.isEmpty()) {
            return Optional.empty();
        }
        double z =
                concordance == 0
                        ? 0
                        : (concordance - Math.signum(concordance)) / Math.sqrt(variance);
        double[] all = slopes.stream().mapToDouble(Double::doubleValue).toArray();
        return Optional.of(new Trend(n, Quantiles.median(all), z));
    }

    /// Adds the slope of each pair of points to `slopes`. Returns the number of rising pairs minus
    /// the number of falling pairs.
    private static double pairs(List<Point> points, List<Double> slopes) {
        double concordance = 0;
        for (int i = 0; i < points.size(); i++) {
            for (int j = i + 1; j < points.size(); j++) {
                double dt = points.get(j).atS() - points.get(i).atS();
                double dy = points.get(j).value() - points.get(i).value();
                concordance += Math.signum(dy);
                if (dt > 0) {
                    slopes.add(dy / dt);
                }
            }
        }
        return concordance;
    }
}
