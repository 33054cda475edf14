package dev.jdyno.capacity.headroom;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.QRDecomposition;

/// Least squares with non-negative unknowns: the x ≥ 0 with the smallest |A x − b| (Lawson and
/// Hanson 1974, chapter 23), from the normal equations. Begins with all unknowns at 0. The unknown
/// that reduces the error most is freed, and free unknowns that would become negative return to 0.
final class NonNegativeLeastSquares {
    /// Gradient, as a share of the largest moment, up to which it is a rounding error.
    private static final double ZERO = 1e-12;

    /// Diagonal element up to which scaled equations count as dependent.
    private static final double DEPENDENT = 1e-12;

    /// Maximum number of times that each unknown is freed. Without rounding errors, the method
    /// always ends.
    private static final int STEPS = 10;

    private final double[][] gram;
    private final double[] moments;
    private final boolean[] free;
    private final double[] x;

    private NonNegativeLeastSquares(double[][] gram, double[] moments) {
        this.gram = gram;
        this.moments = moments;
        this.free = new boolean[moments.length];
        this.x = new double[moments.length];
    }

    /// @param gram Aᵀ A, symmetric
    /// @param moments Aᵀ b
    /// @return empty if free unknowns depend on each other
    static Optional<double[]> of(double[][] gram, double[] moments) {
        int n = moments.length;
        double[] scale = new double[n];
        for (int i = 0; i < n; i++) {
            scale[i] = gram[i][i] > 0 ? 1 / Math.sqrt(gram[i][i]) : 0;
        }
        double[][] scaledGram = new double[n][n];
        double[] scaledMoments = new double[n];
        for (int i = 0; i < n; i++) {
            scaledMoments[i] = moments[i] * scale[i];
            for (int j = 0; j < n; j++) {
                scaledGram[i][j] = gram[i][j] * scale[i] * scale[j];
            }
        }
        var problem = new NonNegativeLeastSquares(scaledGram, scaledMoments);
        if (!problem.solve()) {
            return Optional.empty();
        }
        return Optional.of(
                IntStream.range(0, n).mapToDouble(i -> problem.x[i] * scale[i]).toArray());
    }

    private boolean solve() {
        double zero = ZERO * Arrays.stream(moments).map(Math::abs).max().orElse(0);
        for (int step = 0; step < STEPS * x.length; step++) {
            OptionalInt steepest = steepest(zero);
            if (steepest.isEmpty()) {
                return true;
            }
            free[steepest.getAsInt()] = true;
            if (!moveToSolution()) {
                return false;
            }
        }
        return false;
    }

    /// The unknown at 0 whose growth reduces the error most; empty if none reduces it.
    private OptionalInt steepest(double zero) {
        OptionalInt steepest = OptionalInt.empty();
        double most = zero;
        for (int i = 0; i < x.length; i++) {
            double gradient = moments[i];
            for (int j = 0; j < x.length; j++) {
                gradient -= gram[i][j] * x[j];
            }
            if (!free[i] && gradient > most) {
                most = gradient;
                steepest = OptionalInt.of(i);
            }
        }
        return steepest;
    }

    /// Moves to the solution of the free unknowns. If one of them is negative there, it is fixed at
    /// 0, and the solution of the others is the next aim.
    ///
    /// @return false if the free unknowns depend on each other
    private boolean moveToSolution() {
        while (true) {
            int[] unknowns = IntStream.range(0, x.length).filter(i -> free[i]).toArray();
            Optional<double[]> aim = solution(unknowns);
            if (aim.isEmpty()) {
                return false;
            }
            double[] z = aim.get();
            OptionalInt first = OptionalInt.empty();
            double share = 1;
            for (int k = 0; k < unknowns.length; k++) {
                double from = x[unknowns[k]];
                double until = from > 0 ? from / (from - z[k]) : 0;
                if (z[k] <= 0 && (first.isEmpty() || until < share)) {
                    first = OptionalInt.of(unknowns[k]);
                    share = until;
                }
            }
            for (int k = 0; k < unknowns.length; k++) {
                x[unknowns[k]] = Math.max(0, x[unknowns[k]] + share * (z[k] - x[unknowns[k]]));
            }
            if (first.isEmpty()) {
                return true;
            }
            x[first.getAsInt()] = 0;
            free[first.getAsInt()] = false;
        }
    }

    private Optional<double[]> solution(int[] unknowns) {
        int n = unknowns.length;
        if (n == 0) {
            return Optional.of(new double[0]);
        }
        double[][] left = new double[n][n];
        double[] right = new double[n];
        for (int i = 0; i < n; i++) {
            right[i] = moments[unknowns[i]];
            for (int j = 0; j < n; j++) {
                left[i][j] = gram[unknowns[i]][unknowns[j]];
            }
        }
        DecompositionSolver solver =
                new QRDecomposition(MatrixUtils.createRealMatrix(left), DEPENDENT).getSolver();
        return solver.isNonSingular()
                ? Optional.of(solver.solve(new ArrayRealVector(right)).toArray())
                : Optional.empty();
    }
}
