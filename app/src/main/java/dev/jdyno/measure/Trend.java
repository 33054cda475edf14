package dev.jdyno.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A straight trend through points in time: the Theil–Sen slope and the Mann–Kendall test of it
/// (Mann 1945, Kendall 1975; normal approximation, ties ignored). Both are robust against single
/// points that lie far off.
///
/// @param points that it goes through
/// @param perS the value's change per second, in its own unit
/// @param z the test's statistic, about standard normal where there is no trend; positive for a
///   rise
public record Trend(int points, double perS, double z) {
    /// Fewer show no trend.
    private static final int FEWEST = 4;

    /// @param atS seconds since any fixed moment
    /// @param value in any unit
    public record Point(double atS, double value) {}

    /// @param points in the order of time; empty when there are fewer than four, or all of one
    ///   moment
    public static Optional<Trend> of(List<Point> points) {
        int n = points.size();
        if (n < FEWEST) {
            return Optional.empty();
        }
        double[] slopes = new double[n * (n - 1) / 2];
        int used = 0;
        double concordance = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                double dt = points.get(j).atS() - points.get(i).atS();
                double dy = points.get(j).value() - points.get(i).value();
                concordance += Math.signum(dy);
                if (dt > 0) {
                    slopes[used++] = dy / dt;
                }
            }
        }
        if (used == 0) {
            return Optional.empty();
        }
        slopes = Arrays.copyOf(slopes, used);
        double sigma = Math.sqrt(n * (n - 1.0) * (2.0 * n + 5) / 18);
        double z = concordance == 0 ? 0 : (concordance - Math.signum(concordance)) / sigma;
        return Optional.of(new Trend(n, Quantiles.median(slopes), z));
    }
}
