package dev.jdyno.capacity.headroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// The problems with integers are those of Turku PET Centre's report TPCMOD0020, appendix A, with
/// the solutions of Lawson and Hanson's own program. Those with more digits are the tests of
/// NonNegLeastSquares.jl, with solutions of SciPy.
class NonNegativeLeastSquaresTest {
    private static double[] solved(double[][] a, double... b) {
        int n = a[0].length;
        double[][] gram = new double[n][n];
        double[] moments = new double[n];
        for (int row = 0; row < a.length; row++) {
            for (int i = 0; i < n; i++) {
                moments[i] += a[row][i] * b[row];
                for (int j = 0; j < n; j++) {
                    gram[i][j] += a[row][i] * a[row][j];
                }
            }
        }
        return NonNegativeLeastSquares.of(gram, moments).orElseThrow();
    }

    /// The powers of 1 to 4.
    private static double[][] powers(int columns) {
        double[][] a = new double[4][columns];
        for (int row = 0; row < 4; row++) {
            for (int i = 0; i < columns; i++) {
                a[row][i] = Math.pow(row + 1, i + 1);
            }
        }
        return a;
    }

    @Test
    void positiveSolutionIsThatOfLeastSquares() {
        assertThat(solved(powers(2), 0.6, 2.2, 4.8, 8.4))
                .containsExactly(new double[] {0.1, 0.5}, within(1e-6));
        assertThat(solved(powers(3), 0.73, 3.24, 8.31, 16.72))
                .containsExactly(new double[] {0.1, 0.5, 0.13}, within(1e-6));
    }

    @Test
    void unknownsOfZeroStayZero() {
        assertThat(solved(powers(4), 0.73, 3.24, 8.31, 16.72))
                .containsExactly(new double[] {0.1, 0.5, 0.13, 0}, within(1e-6));
        assertThat(solved(powers(3), 0.23, 1.24, 3.81, 8.72))
                .containsExactly(new double[] {0.1, 0, 0.13}, within(1e-6));
    }

    @Test
    void negativeUnknownsBecomeZero() {
        assertThat(solved(powers(3), 0.13, 0.84, 2.91, 7.12))
                .containsExactly(new double[] {0, 0, 0.1106544}, within(1e-6));
    }

    @Test
    void randomProblemsHaveThePublishedSolutions() {
        double[][] a = {
            {0.53879488, 0.65816267},
            {0.12873446, 0.98669198},
            {0.24555042, 0.00598804},
            {0.80491791, 0.32793762}
        };
        assertThat(solved(a, 0.888, 0.562, 0.255, 0.077))
                .containsExactly(new double[] {0.15512102, 0.69328985}, within(1e-5));

        double[][] wide = {
            {-0.24, -0.82, 1.35, 0.36, 0.35},
            {-0.53, -0.20, -0.76, 0.98, -0.54},
            {0.22, 1.25, -1.60, -1.37, -1.94},
            {-0.51, -0.56, -0.08, 0.96, 0.46},
            {0.48, -2.25, 0.38, 0.06, -1.29}
        };
        assertThat(solved(wide, -1.6, 0.19, 0.17, 0.31, -1.27))
                .containsExactly(
                        new double[] {2.2010416, 1.19009924, 0, 1.55001345, 0}, within(1e-5));
    }

    /// The conditions of Kuhn and Tucker: no gradient at unknowns above 0, and none that would
    /// increase an unknown of 0.
    @Test
    void everySolutionIsTheMinimum() {
        Random random = new Random(7);
        for (int problem = 0; problem < 500; problem++) {
            int n = 1 + random.nextInt(8);
            double[][] a = new double[12][n];
            double[] b = new double[12];
            double[] scale = random.doubles(n, 1e-3, 1e3).toArray();
            for (int row = 0; row < 12; row++) {
                b[row] = random.nextGaussian();
                for (int i = 0; i < n; i++) {
                    a[row][i] = scale[i] * random.nextGaussian();
                }
            }
            double[] x = solved(a, b);
            for (int i = 0; i < n; i++) {
                double gradient = 0;
                for (int row = 0; row < 12; row++) {
                    double off = b[row];
                    for (int j = 0; j < n; j++) {
                        off -= a[row][j] * x[j];
                    }
                    gradient += a[row][i] / scale[i] * off;
                }
                assertThat(x[i]).isNotNegative();
                assertThat(gradient).isLessThan(1e-6);
                assertThat(x[i] > 0 && Math.abs(gradient) > 1e-6).isFalse();
            }
        }
    }

    @Test
    void dependentUnknownsHaveAMinimumOrNoSolution() {
        double[][] gram = {{2, 2}, {2, 2}};

        assertThat(
                        NonNegativeLeastSquares.of(gram, new double[] {1, 1})
                                .filter(x -> Math.abs(x[0] + x[1] - 0.5) > 1e-9))
                .isEmpty();
    }

    @Test
    void columnsWithoutValuesStayZero() {
        double[][] gram = {{0, 0}, {0, 4}};

        assertThat(NonNegativeLeastSquares.of(gram, new double[] {0, 2}).orElseThrow())
                .containsExactly(0, 0.5);
    }
}
