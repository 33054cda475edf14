package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Quantiles;

/// Weights of Huber's regression (1964). A window far from the fit, such as one with a full
/// collection, has no more influence than one slightly off.
final class Huber {
    /// Number of standard errors from which on a residual has less weight. With it, the fit is 95 %
    /// as efficient as least squares for normal residuals.
    private static final double FULL_WEIGHT = 1.345;

    /// Ratio of the standard deviation of a normal distribution to its median absolute deviation.
    private static final double MAD_TO_SIGMA = 1.4826;

    /// Maximum number of fits, each with the weights of the fit before.
    static final int STEPS = 15;

    /// Change of the fit, as a share of the use, below which the iteration ends.
    static final double CONVERGED = 1e-6;

    private Huber() {}

    /// Robust standard deviation.
    ///
    /// @param off absolute residuals
    static double sigma(double[] off) {
        return MAD_TO_SIGMA * Quantiles.median(off);
    }

    /// @param off absolute residual
    static double weight(double off, double sigma) {
        return off <= FULL_WEIGHT * sigma || sigma == 0 ? 1 : FULL_WEIGHT * sigma / off;
    }
}
