package dev.jdyno.diagnose.reconcile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RRQRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SingularValueDecomposition;

/// The weighted least squares solution that satisfies the balances exactly.
///
/// The measured values are y, their variances S, and the balances A x = c. The solution is x = y −
/// S Aᵀ (A S Aᵀ)⁺ (A y − c) (Kuehn and Davidson 1961). Figures that were not measured are first
/// eliminated: rows are combined so that the columns of these figures vanish (Crowe, Garcia Campos
/// and Hrymak 1983). Non-linear balances are linearised at the last solution until the solution no
/// longer changes (Knepper and Gorman 1980).
///
/// @param values of all figures, in the order of the measurements
/// @param covariance covariances of the values; meaningless for a figure that is not determinable
/// @param determinable whether each figure is determined; true for all measured figures
/// @param adjustments y − x; 0 for figures that were not measured
/// @param adjustmentErrors standard errors of the adjustments; 0 if no balance adjusts the figure
/// @param multipliers of the balances, in their order: positive if a bound reduces its left side
/// @param redundancy rank of the balances between measured figures
@SuppressWarnings("ArrayRecordComponent") // records are never compared
record Solution(
        double[] values,
        RealMatrix covariance,
        boolean[] determinable,
        double[] adjustments,
        double[] adjustmentErrors,
        double[] multipliers,
        int redundancy) {
    /// Maximum number of linearisations; a product of two figures needs three to five.
    private static final int STEPS = 60;

    /// Change of a figure, as a share of it, at which the linearisation has settled.
    private static final double SETTLED = 1e-10;

    /// Maximum value, as a share of the largest value, that counts as a rounding error of doubles.
    private static final double ZERO = 1e-9;

    static Solution of(List<Measurement> measurements, List<Balance> balances) {
        double[] x = measurements.stream().mapToDouble(Measurement::value).toArray();
        Solution solution = step(measurements, balances, x);
        for (int i = 0; i < STEPS && !isNear(x, solution.values()); i++) {
            x = solution.values();
            solution = step(measurements, balances, x);
        }
        return solution;
    }

    private static boolean isNear(double[] before, double[] after) {
        for (int i = 0; i < before.length; i++) {
            if (Math.abs(after[i] - before[i]) > SETTLED * (1 + Math.abs(after[i]))) {
                return false;
            }
        }
        return true;
    }

    /// Indices of the known and of the unknown figures, and the rows of the linearised balances.
    private record Rows(List<Integer> known, List<Integer> unknown, RealMatrix a, RealVector c) {
        RealMatrix of(List<Integer> columns) {
            RealMatrix part = MatrixUtils.createRealMatrix(a.getRowDimension(), columns.size());
            for (int j = 0; j < columns.size(); j++) {
                part.setColumnVector(j, a.getColumnVector(columns.get(j)));
            }
            return part;
        }
    }

    private static Solution step(
            List<Measurement> measurements, List<Balance> balances, double[] at) {
        int n = measurements.size();
        List<Integer> known = new ArrayList<>();
        List<Integer> unknown = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            (measurements.get(i).isKnown() ? known : unknown).add(i);
        }
        if (balances.isEmpty() || known.isEmpty()) {
            return unbound(measurements, balances.size());
        }
        Rows rows = linearised(measurements, balances, at, known, unknown);
        RealMatrix projection = projection(rows);
        RealMatrix a = projection.multiply(rows.of(known));
        RealVector y = new ArrayRealVector(known.size());
        RealMatrix s = MatrixUtils.createRealMatrix(known.size(), known.size());
        for (int j = 0; j < known.size(); j++) {
            Measurement m = measurements.get(known.get(j));
            y.setEntry(j, m.value());
            s.setEntry(j, j, m.standardError() * m.standardError());
        }
        RealMatrix normal = a.multiply(s).multiply(a.transpose());
        RealMatrix inverse = pseudoInverse(normal);
        RealVector excess = a.operate(y).subtract(projection.operate(rows.c()));
        RealVector lambda = inverse.operate(excess);
        RealMatrix back = s.multiply(a.transpose());
        RealVector adjusted = back.operate(lambda);
        RealMatrix ofAdjustments = back.multiply(inverse).multiply(back.transpose());
        return new Solved(rows, y.subtract(adjusted), s.subtract(ofAdjustments), measurements)
                .with(
                        adjusted,
                        ofAdjustments,
                        projection.transpose().operate(lambda),
                        rank(normal));
    }

    private static Solution unbound(List<Measurement> measurements, int balances) {
        int n = measurements.size();
        RealMatrix covariance = MatrixUtils.createRealMatrix(n, n);
        boolean[] determinable = new boolean[n];
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            Measurement m = measurements.get(i);
            values[i] = m.value();
            determinable[i] = m.isKnown();
            covariance.setEntry(i, i, m.isKnown() ? m.standardError() * m.standardError() : 0);
        }
        return new Solution(
                values,
                covariance,
                determinable,
                new double[n],
                new double[n],
                new double[balances],
                0);
    }

    private static Rows linearised(
            List<Measurement> measurements,
            List<Balance> balances,
            double[] at,
            List<Integer> known,
            List<Integer> unknown) {
        Map<String, Integer> column = new HashMap<>();
        for (int i = 0; i < measurements.size(); i++) {
            column.put(measurements.get(i).name(), i);
        }
        RealMatrix a = MatrixUtils.createRealMatrix(balances.size(), measurements.size());
        RealVector c = new ArrayRealVector(balances.size());
        for (int k = 0; k < balances.size(); k++) {
            Balance balance = balances.get(k);
            double constant = -balance.excess(name -> at[Objects.requireNonNull(column.get(name))]);
            for (Map.Entry<String, Double> slope :
                    balance.slopes(name -> at[Objects.requireNonNull(column.get(name))])
                            .entrySet()) {
                int i = Objects.requireNonNull(column.get(slope.getKey()));
                a.setEntry(k, i, slope.getValue());
                constant += slope.getValue() * at[i];
            }
            c.setEntry(k, constant);
        }
        return new Rows(known, unknown, a, c);
    }

    /// Rows that combine the balances so that the unknown figures vanish. They are the left null
    /// space of the columns of these figures.
    private static RealMatrix projection(Rows rows) {
        int m = rows.a().getRowDimension();
        if (rows.unknown().isEmpty()) {
            return MatrixUtils.createRealIdentityMatrix(m);
        }
        RealMatrix ofUnknown = rows.of(rows.unknown());
        var decomposed = new RRQRDecomposition(ofUnknown, ZERO);
        int rank = rank(ofUnknown);
        return rank == m
                ? MatrixUtils.createRealMatrix(1, m)
                : decomposed.getQ().getSubMatrix(0, m - 1, rank, m - 1).transpose();
    }

    private static int rank(RealMatrix matrix) {
        double[] singular = new SingularValueDecomposition(matrix).getSingularValues();
        int rank = 0;
        for (double value : singular) {
            rank += value > ZERO * Math.max(singular[0], Double.MIN_NORMAL) ? 1 : 0;
        }
        return rank;
    }

    /// Pseudo-inverse of a symmetric matrix. Its rows may differ by orders of magnitude and may be
    /// linearly dependent.
    private static RealMatrix pseudoInverse(RealMatrix matrix) {
        int n = matrix.getRowDimension();
        double[] scale = new double[n];
        for (int i = 0; i < n; i++) {
            double d = matrix.getEntry(i, i);
            scale[i] = d > 0 ? 1 / Math.sqrt(d) : 0;
        }
        RealMatrix scaling = MatrixUtils.createRealDiagonalMatrix(scale);
        RealMatrix scaled = scaling.multiply(matrix).multiply(scaling);
        return scaling.multiply(inverseOfScaled(scaled)).multiply(scaling);
    }

    private static RealMatrix inverseOfScaled(RealMatrix matrix) {
        var svd = new SingularValueDecomposition(matrix);
        double[] singular = svd.getSingularValues();
        double[] inverted = new double[singular.length];
        for (int i = 0; i < singular.length; i++) {
            inverted[i] = singular[i] > ZERO * singular[0] ? 1 / singular[i] : 0;
        }
        return svd.getV()
                .multiply(MatrixUtils.createRealDiagonalMatrix(inverted))
                .multiply(svd.getUT());
    }

    /// The solution for the known figures, from which the unknown ones are computed.
    private record Solved(
            Rows rows, RealVector known, RealMatrix covariance, List<Measurement> measurements) {
        Solution with(
                RealVector adjusted, RealMatrix ofAdjustments, RealVector multipliers, int rank) {
            int n = measurements.size();
            double[] values = measurements.stream().mapToDouble(Measurement::value).toArray();
            double[] adjustments = new double[n];
            double[] errors = new double[n];
            boolean[] determinable = new boolean[n];
            RealMatrix all = MatrixUtils.createRealMatrix(n, n);
            for (int j = 0; j < known.getDimension(); j++) {
                int i = rows.known().get(j);
                values[i] = known.getEntry(j);
                adjustments[i] = adjusted.getEntry(j);
                double variance = ofAdjustments.getEntry(j, j);
                double own = measurements.get(i).standardError();
                errors[i] = variance > ZERO * own * own ? Math.sqrt(variance) : 0;
                determinable[i] = true;
                all.setEntry(i, i, Math.max(0, covariance.getEntry(j, j)));
            }
            if (!rows.unknown().isEmpty()) {
                unknown(values, determinable, all);
            }
            return new Solution(
                    values, all, determinable, adjustments, errors, multipliers.toArray(), rank);
        }

        /// Computes the unknown figures: x₂ = A₂⁺ (c − A₁ x₁). A figure with a part in the null
        /// space of A₂ is not determinable.
        private void unknown(double[] values, boolean[] determinable, RealMatrix all) {
            RealMatrix ofUnknown = rows.of(rows.unknown());
            RealMatrix inverse = new SingularValueDecomposition(ofUnknown).getSolver().getInverse();
            RealMatrix ofKnown = rows.of(rows.known());
            RealVector found = inverse.operate(rows.c().subtract(ofKnown.operate(known)));
            RealMatrix hat = inverse.multiply(ofUnknown);
            RealMatrix turn = inverse.multiply(ofKnown);
            RealMatrix error = turn.multiply(covariance).multiply(turn.transpose());
            for (int j = 0; j < rows.unknown().size(); j++) {
                int i = rows.unknown().get(j);
                determinable[i] = Math.abs(1 - hat.getEntry(j, j)) < Math.sqrt(ZERO);
                if (determinable[i]) {
                    values[i] = found.getEntry(j);
                    all.setEntry(i, i, Math.max(0, error.getEntry(j, j)));
                }
            }
        }
    }
}
