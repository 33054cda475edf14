package dev.jdyno.capacity.headroom;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/// The utilisation law for several classes of requests: U = Σ Xᵢ · Dᵢ + U0, with Dᵢ ≥ 0. It is
/// fitted to windows by Huber's regression ({@link Huber}) and non-negative least squares.
///
/// @param demandS Dᵢ of each class, in seconds
/// @param base U0, units in use without requests
/// @param sigma robust standard deviation of the windows from the law, in units of the resource
@SuppressWarnings("ArrayRecordComponent") // records are never compared
record MixLaw(double[] demandS, double base, double sigma) {
    /// @param perS requests per second of each window and class
    /// @param used units in use in each window
    /// @return empty if the throughput of a class follows from that of the others
    static Optional<MixLaw> fit(double[][] perS, double[] used) {
        int[] all = IntStream.range(0, used.length).toArray();
        double[] weights = new double[all.length];
        Arrays.fill(weights, 1);
        Optional<MixLaw> law = Optional.empty();
        for (int step = 0; step < Huber.STEPS; step++) {
            Optional<MixLaw> next = weighted(perS, used, all, weights, 0);
            if (next.isEmpty()) {
                return next;
            }
            double sigma = Huber.sigma(next.get().off(perS, used));
            var now = new MixLaw(next.get().demandS, next.get().base, sigma);
            if (sigma == 0 || law.filter(l -> now.isLike(l, perS)).isPresent()) {
                return Optional.of(now);
            }
            law = Optional.of(now);
            now.weigh(perS, used, all, weights);
        }
        return law;
    }

    /// Fits the law to a resample. The fit starts from this law and uses its standard deviation.
    ///
    /// @param drawn indices of the drawn windows; a window may be drawn several times
    /// @return empty if the throughput of a class follows from that of the others in these
    Optional<MixLaw> again(double[][] perS, double[] used, int[] drawn) {
        double[] weights = new double[drawn.length];
        MixLaw law = this;
        for (int step = 0; step < Huber.STEPS; step++) {
            law.weigh(perS, used, drawn, weights);
            Optional<MixLaw> next = weighted(perS, used, drawn, weights, sigma);
            if (next.isEmpty() || next.get().isLike(law, perS)) {
                return next;
            }
            law = next.get();
        }
        return Optional.of(law);
    }

    private void weigh(double[][] perS, double[] used, int[] drawn, double[] weights) {
        for (int i = 0; i < drawn.length; i++) {
            double off = Math.abs(used[drawn[i]] - usedAt(perS[drawn[i]]));
            weights[i] = Huber.weight(off, sigma);
        }
    }

    private double[] off(double[][] perS, double[] used) {
        return IntStream.range(0, used.length)
                .mapToDouble(i -> Math.abs(used[i] - usedAt(perS[i])))
                .toArray();
    }

    /// True if the two laws differ little at the throughput of every window.
    private boolean isLike(MixLaw other, double[][] perS) {
        double most = Math.abs(base);
        double differ = 0;
        for (double[] x : perS) {
            most = Math.max(most, Math.abs(usedAt(x)));
            differ = Math.max(differ, Math.abs(usedAt(x) - other.usedAt(x)));
        }
        return differ <= Huber.CONVERGED * most;
    }

    private static Optional<MixLaw> weighted(
            double[][] perS, double[] used, int[] drawn, double[] weights, double sigma) {
        int classes = perS[0].length;
        double sum = 0;
        double[] meanX = new double[classes];
        double meanU = 0;
        for (int i = 0; i < drawn.length; i++) {
            sum += weights[i];
            meanU += weights[i] * used[drawn[i]];
            for (int c = 0; c < classes; c++) {
                meanX[c] += weights[i] * perS[drawn[i]][c];
            }
        }
        meanU /= sum;
        for (int c = 0; c < classes; c++) {
            meanX[c] /= sum;
        }
        // centred, so that the base may be negative
        double[][] gram = new double[classes][classes];
        double[] moments = new double[classes];
        for (int i = 0; i < drawn.length; i++) {
            double[] x = perS[drawn[i]];
            for (int c = 0; c < classes; c++) {
                double weighted = weights[i] * (x[c] - meanX[c]);
                moments[c] += weighted * (used[drawn[i]] - meanU);
                for (int d = 0; d < classes; d++) {
                    gram[c][d] += weighted * (x[d] - meanX[d]);
                }
            }
        }
        double mean = meanU;
        return NonNegativeLeastSquares.of(gram, moments)
                .map(d -> new MixLaw(d, mean - sum(meanX, d), sigma));
    }

    private static double sum(double[] x, double[] demandS) {
        double sum = 0;
        for (int c = 0; c < x.length; c++) {
            sum += x[c] * demandS[c];
        }
        return sum;
    }

    /// @param perS requests per second of each class
    double usedAt(double[] perS) {
        return base + sum(perS, demandS);
    }

    /// The mean demand of a request, in seconds.
    ///
    /// @param mix shares of the classes, which add up to 1
    double demandS(double[] mix) {
        return sum(mix, demandS);
    }

    /// Returns the throughput at which `units` are in use; infinite if requests of this mix use
    /// none.
    ///
    /// @param mix shares of the classes, which add up to 1
    double perSAt(double units, double[] mix) {
        double demand = demandS(mix);
        return demand <= 0 ? Double.POSITIVE_INFINITY : Math.max(0, units - base) / demand;
    }
}
