package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Interval;
import java.util.List;
import java.util.Optional;

/// The lowest concurrency that saturates the bottleneck (N*), with its interval.
///
/// @param qps throughput beyond the knee (X_max)
/// @param rtMs response time at the knee
/// @param predicted prediction of the knee (F1) and of throughput at saturation (F2) from demands
///   measured below the knee
/// @param loadSeconds duration of the load that was needed to find it
/// @param model curve of the calibrated closed model for the unchanged service; empty without a
///   model
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

    /// Maximum ratio of the upper to the lower end of a knee's interval. An interval from half to
    /// twice a concurrency is still an answer.
    private static final double MAX_SPAN = 4;

    /// Throughput at the knee's concurrency, by Little's law from the response time there. {@link
    /// #qps} is the throughput at saturation, where the asymptotes cross. The curve passes below
    /// that point.
    public double qpsAtKnee() {
        return rtMs <= 0 ? qps : Math.min(qps, concurrency / rtMs * 1000);
    }

    /// True if the interval is narrow enough for the figure to be meaningful.
    public boolean isDeterminable() {
        return ci95.hi() <= MAX_SPAN * ci95.lo();
    }

    /// A knee without a model's curve.
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

    /// The knee N* (F1) and throughput at saturation X_max (F2), computed with CPU as the resource,
    /// for comparison with the measured values.
    ///
    /// @param ofTheLimit whether CPU is the limit. If not, the figures are what CPU alone would
    ///   allow, and no measurement below the knee predicted the limit.
    /// @param qpsRange range of `qps` if CPU per request fell from round to round. Its lower end
    ///   comes from the rounds below the knee, its upper end `qps` from the settled rounds. Empty
    ///   if there is only one figure.
    public record Predicted(
            double concurrency,
            double qps,
            boolean ofTheLimit,
            String formula,
            Optional<Interval> qpsRange) {
        /// A prediction without a range.
        public Predicted(double concurrency, double qps, boolean ofTheLimit, String formula) {
            this(concurrency, qps, ofTheLimit, formula, Optional.empty());
        }
    }
}
