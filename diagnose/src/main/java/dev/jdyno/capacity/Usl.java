package dev.jdyno.capacity;

import dev.jdyno.measure.statistics.Bootstrap;
import dev.jdyno.measure.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.util.Pair;

/// The universal scalability law (Gunther 1993): X(N) = γ N / (1 + σ (N − 1) + κ N (N − 1)). γ is
/// the throughput at N = 1, σ the serial share, κ the cost of coordination. The law is a curve
/// through measured points over cores or concurrency, and not a model of the service. It shows
/// whether and how soon throughput falls, but not the effect of a change.
///
/// The three parameters are fitted by least squares of ln X (relative errors) with the method of
/// Levenberg and Marquardt. None of them is negative.
///
/// @param measuredTo the largest N of the fit
/// @param relativeError root mean square of ln(measured / fitted)
public record Usl(
        double gamma, double sigma, double kappa, double measuredTo, double relativeError) {
    /// Minimum number of points: one more than parameters.
    public static final int MIN_POINTS = 4;

    /// Maximum multiple of the measured range for which the curve is evaluated. Beyond it, the
    /// result depends on κ alone, the least certain of the three.
    public static final double RANGE = 1.5;

    private static final int MAX_STEPS = 1000;

    /// Relative error above which the curve does not fit the points.
    private static final double MISFIT = 0.1;

    /// Minimum share of the throughput at the highest load that coordination (κ) must cost to
    /// count.
    private static final double MIN_CROSSTALK = 0.01;

    /// Maximum throughput at the highest load, as a share of the highest throughput, for throughput
    /// to have fallen.
    private static final double FELL = 0.95;

    /// The fitted law. Empty for fewer than {@link #MIN_POINTS} points, or if the optimiser finds
    /// no curve of this form.
    public static Optional<Usl> fit(List<Bounds.LoadPoint> points) {
        if (points.size() < MIN_POINTS) {
            return Optional.empty();
        }
        double[] n = points.stream().mapToDouble(Bounds.LoadPoint::n).toArray();
        double[] logX = points.stream().mapToDouble(p -> Math.log(p.qps())).toArray();
        return fit(n, logX);
    }

    /// The throughput at `n`.
    ///
    /// @throws IllegalArgumentException beyond {@link #RANGE} times the measured range
    public double at(double n) {
        if (!(n > 0) || n > RANGE * measuredTo) {
            throw new IllegalArgumentException(
                    "N = " + n + " is outside of 0…" + RANGE + " × the measured " + measuredTo);
        }
        return curve(n);
    }

    /// Returns the N of the highest throughput; empty if it never falls.
    public OptionalDouble peak() {
        return kappa <= 0 || sigma >= 1
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.sqrt((1 - sigma) / kappa));
    }

    /// True if the measurement contradicts this law: the curve does not fit the points, or the
    /// serial share is above 1.
    public boolean isRefuted() {
        return relativeError > MISFIT || sigma > 1;
    }

    /// True if κ is large enough to be real and no artefact of the optimiser.
    public boolean hasCrosstalk() {
        double serial = 1 + sigma * (measuredTo - 1);
        return kappa * measuredTo * (measuredTo - 1) >= MIN_CROSSTALK * serial;
    }

    /// Returns the N of the highest throughput, if these points show that throughput falls.
    public OptionalDouble peakIn(List<Bounds.LoadPoint> points) {
        double max = points.stream().mapToDouble(Bounds.LoadPoint::qps).max().orElse(0);
        double last =
                points.stream()
                        .max(Comparator.comparingDouble(Bounds.LoadPoint::n))
                        .map(Bounds.LoadPoint::qps)
                        .orElse(0.0);
        OptionalDouble peak = peak();
        return last < FELL * max && peak.isPresent() && peak.getAsDouble() <= RANGE * measuredTo
                ? peak
                : OptionalDouble.empty();
    }

    /// Returns the 95 % interval of one parameter, by bootstrap of the residuals.
    public Interval ci95(
            List<Bounds.LoadPoint> points, ToDoubleFunction<Usl> parameter, long seed) {
        double[] n = points.stream().mapToDouble(Bounds.LoadPoint::n).toArray();
        double[] residual =
                points.stream().mapToDouble(p -> Math.log(p.qps() / curve(p.n()))).toArray();
        return Bootstrap.ci95(
                n.length,
                drawn -> {
                    double[] logX = new double[n.length];
                    for (int i = 0; i < n.length; i++) {
                        logX[i] = Math.log(curve(n[i])) + residual[drawn[i]];
                    }
                    return parameter.applyAsDouble(fit(n, logX).orElse(this));
                },
                seed);
    }

    private double curve(double n) {
        return gamma * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
    }

    /// Fits the parameters a, b, c with γ = e^a, σ = b², κ = c², so that none of γ, σ, κ can be
    /// negative.
    private static Optional<Usl> fit(double[] n, double[] logX) {
        double maxX = 0;
        double maxN = 0;
        double gamma = 0;
        for (int i = 0; i < n.length; i++) {
            gamma = Math.max(gamma, Math.exp(logX[i]) / n[i]);
            maxX = Math.max(maxX, Math.exp(logX[i]));
            maxN = Math.max(maxN, n[i]);
        }
        double sigma = Math.min(1, gamma / maxX);
        double[] start = {Math.log(gamma), Math.sqrt(sigma), Math.sqrt(sigma / maxN / 10)};
        var problem =
                new LeastSquaresBuilder()
                        .start(start)
                        .model(p -> valueAndSlope(p, n))
                        .target(logX)
                        .maxEvaluations(MAX_STEPS)
                        .maxIterations(MAX_STEPS)
                        .build();
        try {
            var optimum = new LevenbergMarquardtOptimizer().optimize(problem);
            RealVector p = optimum.getPoint();
            double serial = p.getEntry(1) * p.getEntry(1);
            double crosstalk = p.getEntry(2) * p.getEntry(2);
            return Optional.of(
                    new Usl(Math.exp(p.getEntry(0)), serial, crosstalk, maxN, optimum.getRMS()));
        } catch (MathIllegalStateException gaveUp) {
            // the optimiser made more than MAX_STEPS steps, or no step improves the fit
            return Optional.empty();
        }
    }

    private static Pair<RealVector, RealMatrix> valueAndSlope(RealVector p, double[] n) {
        double a = p.getEntry(0);
        double b = p.getEntry(1);
        double c = p.getEntry(2);
        double[] value = new double[n.length];
        double[][] slope = new double[n.length][];
        for (int i = 0; i < n.length; i++) {
            double pairs = n[i] * (n[i] - 1);
            double slowed = 1 + b * b * (n[i] - 1) + c * c * pairs;
            value[i] = a + Math.log(n[i] / slowed);
            slope[i] = new double[] {1, -2 * b * (n[i] - 1) / slowed, -2 * c * pairs / slowed};
        }
        return new Pair<>(new ArrayRealVector(value), new Array2DRowRealMatrix(slope));
    }
}
