package dev.jdyno.capacity;

/// Bounds of the mean of a Poisson distribution from a count (Garwood 1936). The χ² quantile is
/// approximated (Wilson & Hilferty 1931), with a relative error < 2 % from one event on. Counts may
/// be fractions.
public final class Poisson {
    private Poisson() {}

    /// @param z normal quantile of the one-sided confidence: 2 is 97.7 %
    public static double upper(double events, double z) {
        return chiSquare(2 * events + 2, z) / 2;
    }

    public static double lower(double events, double z) {
        return events <= 0 ? 0 : chiSquare(2 * events, -z) / 2;
    }

    private static double chiSquare(double degrees, double z) {
        double v = 2 / (9 * degrees);
        double root = 1 - v + z * Math.sqrt(v);
        return degrees * Math.pow(Math.max(0, root), 3);
    }
}
