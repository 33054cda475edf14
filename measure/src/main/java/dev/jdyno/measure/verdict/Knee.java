package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;

/// The least concurrency that just uses up the bottleneck (N*), with its interval.
///
/// @param qps throughput beyond the knee (X_max)
/// @param rtMs response time at the knee
/// @param predicted what F1 and F2 say from demands measured below the knee
/// @param loadSeconds load that was spent to find it
/// @param model what the calibrated closed model says of the service as it is; empty without one
public record Knee(
        double concurrency,
        Interval ci95,
        double qps,
        double rtMs,
        String method,
        double loadSeconds,
        Optional<Predicted> predicted,
        List<CurvePoint> model) {
    public Knee {
        model = List.copyOf(model);
    }

    /// An interval that spans more than this factor names no concurrency: between half and twice as
    /// many is still an answer.
    private static final double MOST_SPAN = 4;

    /// Throughput at the knee's concurrency, by Little's law from the response time there. {@link
    /// #qps} is that at saturation, where the asymptotes cross; the curve passes below.
    public double qpsAtKnee() {
        return rtMs <= 0 ? qps : Math.min(qps, concurrency / rtMs * 1000);
    }

    /// Whether its interval is narrow enough for the figure to mean anything.
    public boolean isDeterminable() {
        return ci95.hi() <= MOST_SPAN * ci95.lo();
    }

    /// Without a model's curve.
    public Knee(
            double concurrency,
            Interval ci95,
            double qps,
            double rtMs,
            String method,
            double loadSeconds,
            Optional<Predicted> predicted) {
        this(concurrency, ci95, qps, rtMs, method, loadSeconds, predicted, List.of());
    }

    public Knee withModel(List<CurvePoint> curve) {
        return new Knee(concurrency, ci95, qps, rtMs, method, loadSeconds, predicted, curve);
    }

    /// F1's N* and F2's X_max with CPU as the resource, beside the measured ones.
    ///
    /// @param ofTheLimit whether CPU is what limits; if not, this is what CPU alone would allow,
    ///   and nothing below the knee predicted the limit
    /// @param qpsRange where CPU per request fell from round to round: from what the rounds below
    ///   the knee allow to `qps`, which is of the settled ones; empty where it is one figure
    public record Predicted(
            double concurrency,
            double qps,
            boolean ofTheLimit,
            String formula,
            Optional<Interval> qpsRange) {
        /// One figure.
        public Predicted(double concurrency, double qps, boolean ofTheLimit, String formula) {
            this(concurrency, qps, ofTheLimit, formula, Optional.empty());
        }
    }
}
