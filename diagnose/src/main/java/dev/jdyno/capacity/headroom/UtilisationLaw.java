package dev.jdyno.capacity.headroom;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The utilisation law U = X · D + U0 (Denning and Buzen 1978), fitted to windows by Huber's
/// regression ({@link Huber}).
///
/// @param demandS D, time for which a request uses one unit, in seconds
/// @param base U0, units in use without requests
/// @param sigma robust standard deviation of the windows from the line, as a number of units of the
///   resource
record UtilisationLaw(double demandS, double base, double sigma) {
    /// Number of figures that are fitted.
    static final int PARAMETERS = 2;

    /// Relative variance of the throughput up to which all differences are rounding errors.
    private static final double SAME = 1e-20;

    /// @param perS requests per second of each window
    /// @param used units in use in each window
    /// @return empty if all windows have the same throughput
    static Optional<UtilisationLaw> fit(double[] perS, double[] used) {
        int[] all = IntStream.range(0, perS.length).toArray();
        double[] weights = new double[all.length];
        Arrays.fill(weights, 1);
        UtilisationLaw law = null;
        for (int step = 0; step < Huber.STEPS; step++) {
            UtilisationLaw next = weighted(perS, used, all, weights, 0);
            if (next == null) {
                return Optional.empty();
            }
            double sigma = Huber.sigma(next.off(perS, used));
            next = new UtilisationLaw(next.demandS, next.base, sigma);
            if (sigma == 0 || (law != null && next.isLike(law, perS))) {
                return Optional.of(next);
            }
            law = next;
            law.weigh(perS, used, all, weights);
        }
        return Optional.ofNullable(law);
    }

    /// Fits the law to a resample. The fit starts from this line and uses its standard deviation.
    ///
    /// @param drawn indices of the drawn windows; a window may be drawn several times
    /// @return empty if all of these have the same throughput
    Optional<UtilisationLaw> again(double[] perS, double[] used, int[] drawn) {
        double[] weights = new double[drawn.length];
        UtilisationLaw law = this;
        for (int step = 0; step < Huber.STEPS; step++) {
            law.weigh(perS, used, drawn, weights);
            UtilisationLaw next = weighted(perS, used, drawn, weights, sigma);
            if (next == null) {
                return Optional.empty();
            }
            if (next.isLike(law, perS)) {
                return Optional.of(next);
            }
            law = next;
        }
        return Optional.of(law);
    }

    private double[] off(double[] perS, double[] used) {
        return IntStream.range(0, perS.length)
                .mapToDouble(i -> Math.abs(used[i] - usedAt(perS[i])))
                .toArray();
    }

    private void weigh(double[] perS, double[] used, int[] drawn, double[] weights) {
        for (int i = 0; i < drawn.length; i++) {
            double off = Math.abs(used[drawn[i]] - usedAt(perS[drawn[i]]));
            weights[i] = Huber.weight(off, sigma);
        }
    }

    /// True if the two lines differ little at the throughput of every window.
    private boolean isLike(UtilisationLaw other, double[] perS) {
        double max = Arrays.stream(perS).max().orElse(0);
        double near = Huber.CONVERGED * (Math.abs(usedAt(0)) + Math.abs(usedAt(max)));
        return Math.abs(base - other.base) <= near
                && Math.abs(usedAt(max) - other.usedAt(max)) <= near;
    }

    private static @Nullable UtilisationLaw weighted(
            double[] perS, double[] used, int[] drawn, double[] weights, double sigma) {
        double sum = 0;
        double meanX = 0;
        double meanU = 0;
        for (int i = 0; i < drawn.length; i++) {
            sum += weights[i];
            meanX += weights[i] * perS[drawn[i]];
            meanU += weights[i] * used[drawn[i]];
        }
        meanX /= sum;
        meanU /= sum;
        double xx = 0;
        double xu = 0;
        for (int i = 0; i < drawn.length; i++) {
            double x = perS[drawn[i]] - meanX;
            xx += weights[i] * x * x;
            xu += weights[i] * x * (used[drawn[i]] - meanU);
        }
        return xx <= SAME * sum * meanX * meanX
                ? null
                : new UtilisationLaw(xu / xx, meanU - xu / xx * meanX, sigma);
    }

    double usedAt(double perS) {
        return base + demandS * perS;
    }

    /// Returns the throughput at which `units` are in use; infinite if requests use none.
    double perSAt(double units) {
        return demandS <= 0 ? Double.POSITIVE_INFINITY : Math.max(0, units - base) / demandS;
    }
}
