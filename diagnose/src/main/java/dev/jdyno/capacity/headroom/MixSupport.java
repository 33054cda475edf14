package dev.jdyno.capacity.headroom;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.SingularValueDecomposition;

/// Whether windows support a demand for each class of requests better than one demand for all.
final class MixSupport {
    /// Minimum number of windows for each figure that is fitted.
    private static final int WINDOWS_EACH = 10;

    /// Minimum ratio of the variance of the mix to that of random arrivals with a constant mix.
    private static final double VARIES_FROM = 2;

    /// Maximum condition index. From 30 on, columns depend on each other so much that their
    /// coefficients have no meaning (Belsley, Kuh and Welsch 1980).
    private static final double MAX_CONDITION = 30;

    /// Relative standard deviation up to which a throughput does not vary.
    private static final double CONSTANT = 1e-9;

    /// Number of parts of the cross-validation. Each is a time of its own, because successive
    /// windows resemble each other.
    private static final int PARTS = 10;

    /// Maximum mean error of predicted windows, as a share of that with one demand for all. If all
    /// demands are equal, the additional figures increase the error.
    private static final double BETTER = 0.95;

    private final EndpointClasses classes;
    private final double[][] perS;
    private final double[] used;

    private MixSupport(EndpointClasses classes, double[] used) {
        this.classes = classes;
        this.perS = classes.perS();
        this.used = used;
    }

    /// @param used units in use in each window
    static boolean of(EndpointClasses classes, double[] used) {
        var support = new MixSupport(classes, used);
        return used.length >= WINDOWS_EACH * classes.parameters()
                && support.mixVariance() >= VARIES_FROM
                && support.conditionIndex() <= MAX_CONDITION
                && support.predictsBetter();
    }

    /// Variance of the mix as a multiple of that of random arrivals with a constant mix: Pearson's
    /// χ² of the homogeneity of all windows, divided by its degrees of freedom.
    private double mixVariance() {
        double[] mix = classes.mix(0, perS.length);
        double chi2 = 0;
        int windows = 0;
        for (int i = 0; i < perS.length; i++) {
            double requests = Arrays.stream(perS[i]).sum() * classes.seconds()[i];
            windows += requests > 0 ? 1 : 0;
            for (int c = 0; c < mix.length && requests > 0; c++) {
                double expected = requests * mix[c];
                double off = perS[i][c] * classes.seconds()[i] - expected;
                chi2 += off * off / expected;
            }
        }
        return windows > 1 ? chi2 / ((windows - 1) * (mix.length - 1.0)) : 0;
    }

    /// Square root of the ratio of the largest to the smallest eigenvalue of the correlations
    /// between the classes; infinite if the throughput of a class does not vary.
    private double conditionIndex() {
        int n = classes.count();
        double[] mean = new double[n];
        for (double[] x : perS) {
            for (int c = 0; c < n; c++) {
                mean[c] += x[c] / perS.length;
            }
        }
        double[][] products = new double[n][n];
        for (double[] x : perS) {
            for (int c = 0; c < n; c++) {
                for (int d = 0; d < n; d++) {
                    products[c][d] += (x[c] - mean[c]) * (x[d] - mean[d]);
                }
            }
        }
        double[] deviations = new double[n];
        for (int c = 0; c < n; c++) {
            deviations[c] = Math.sqrt(products[c][c]);
            if (deviations[c] <= CONSTANT * mean[c] * Math.sqrt(perS.length)) {
                return Double.POSITIVE_INFINITY;
            }
        }
        double[][] correlations = new double[n][n];
        for (int c = 0; c < n; c++) {
            for (int d = 0; d < n; d++) {
                correlations[c][d] = products[c][d] / deviations[c] / deviations[d];
            }
        }
        double[] eigenvalues =
                new SingularValueDecomposition(MatrixUtils.createRealMatrix(correlations))
                        .getSingularValues();
        return Math.sqrt(eigenvalues[0] / eigenvalues[n - 1]);
    }

    /// True if the demands of the classes predict each part from the others better than one demand
    /// for all requests does (cross-validation).
    private boolean predictsBetter() {
        double[] total = Arrays.stream(perS).mapToDouble(x -> Arrays.stream(x).sum()).toArray();
        double ofClasses = 0;
        double ofOne = 0;
        for (int part = 0; part < PARTS; part++) {
            int from = part * used.length / PARTS;
            int to = (part + 1) * used.length / PARTS;
            int[] others =
                    IntStream.range(0, used.length).filter(i -> i < from || i >= to).toArray();
            double[] usedThen = Arrays.stream(others).mapToDouble(i -> used[i]).toArray();
            Optional<MixLaw> law =
                    MixLaw.fit(
                            Arrays.stream(others).mapToObj(i -> perS[i]).toArray(double[][]::new),
                            usedThen);
            Optional<UtilisationLaw> one =
                    UtilisationLaw.fit(
                            Arrays.stream(others).mapToDouble(i -> total[i]).toArray(), usedThen);
            if (law.isEmpty() || one.isEmpty()) {
                return false;
            }
            for (int i = from; i < to; i++) {
                ofClasses += Math.abs(used[i] - law.get().usedAt(perS[i]));
                ofOne += Math.abs(used[i] - one.get().usedAt(total[i]));
            }
        }
        return ofClasses < BETTER * ofOne;
    }
}
