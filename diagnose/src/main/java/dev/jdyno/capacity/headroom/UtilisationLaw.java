package dev.jdyno.capacity.headroom;

import dev.jdyno.measure.statistics.Quantiles;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The utilisation law U = X · D + U0 (Denning and Buzen 1978), fitted to windows by Huber's
/// regression (1964). A window far off the line, such as one with a full collection, has no more
/// influence than one a little off.
///
/// @param demandS D, CPU of a request in seconds
/// @param baseCores U0, CPU without requests, in cores
record UtilisationLaw(double demandS, double baseCores) {
    /// Number of standard errors from which a residual counts less: 95 % as efficient as least
    /// squares for normal residuals.
    private static final double HUBER = 1.345;

    /// Ratio of the standard deviation of a normal distribution to its median absolute deviation.
    private static final double MAD_TO_SIGMA = 1.4826;

    private static final int STEPS = 15;

    /// @param perS requests per second of each window
    /// @param cores CPU of each window
    /// @param drawn indices of the windows that count; one may count several times
    /// @return empty if all of these have the same throughput
    static Optional<UtilisationLaw> fit(double[] perS, double[] cores, int[] drawn) {
        double[] weights = new double[drawn.length];
        Arrays.fill(weights, 1);
        double[] off = new double[drawn.length];
        UtilisationLaw law = null;
        for (int step = 0; step < STEPS; step++) {
            law = weighted(perS, cores, drawn, weights);
            if (law == null) {
                return Optional.empty();
            }
            for (int i = 0; i < drawn.length; i++) {
                off[i] = Math.abs(cores[drawn[i]] - law.coresAt(perS[drawn[i]]));
            }
            double sigma = MAD_TO_SIGMA * Quantiles.median(off);
            if (sigma == 0) {
                break;
            }
            for (int i = 0; i < drawn.length; i++) {
                weights[i] = Math.min(1, HUBER * sigma / off[i]);
            }
        }
        return Optional.ofNullable(law);
    }

    private static @Nullable UtilisationLaw weighted(
            double[] perS, double[] cores, int[] drawn, double[] weights) {
        double sum = 0;
        double meanX = 0;
        double meanU = 0;
        for (int i = 0; i < drawn.length; i++) {
            sum += weights[i];
            meanX += weights[i] * perS[drawn[i]];
            meanU += weights[i] * cores[drawn[i]];
        }
        meanX /= sum;
        meanU /= sum;
        double xx = 0;
        double xu = 0;
        for (int i = 0; i < drawn.length; i++) {
            double x = perS[drawn[i]] - meanX;
            xx += weights[i] * x * x;
            xu += weights[i] * x * (cores[drawn[i]] - meanU);
        }
        return xx == 0 ? null : new UtilisationLaw(xu / xx, meanU - xu / xx * meanX);
    }

    double coresAt(double perS) {
        return baseCores + demandS * perS;
    }

    /// Returns the throughput at which `cores` are used; infinite if requests need no CPU.
    double perSAt(double cores) {
        return demandS <= 0 ? Double.POSITIVE_INFINITY : Math.max(0, cores - baseCores) / demandS;
    }
}
