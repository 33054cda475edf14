package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.CurvePoint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// The predicted result of a change, by a formula. The change was not tried.
///
/// @param qps best throughput at any load
/// @param rtMs response time at the changed service's own knee
/// @param curve over the measured range of concurrency; empty when no model gives one
/// @param expected figures at the load of the report; empty in older results
public record WhatIf(
        PredictedChange change,
        double qps,
        double rtMs,
        double kneeConcurrency,
        String formula,
        List<CurvePoint> curve,
        Optional<Expected> expected) {
    public WhatIf {
        curve = List.copyOf(curve);
    }

    /// The model's prediction, not yet for the load of a report.
    public WhatIf(
            PredictedChange change,
            double qps,
            double rtMs,
            double kneeConcurrency,
            String formula,
            List<CurvePoint> curve) {
        this(change, qps, rtMs, kneeConcurrency, formula, curve, Optional.empty());
    }

    /// A prediction without a curve.
    public WhatIf(
            PredictedChange change,
            double qps,
            double rtMs,
            double kneeConcurrency,
            String formula) {
        this(change, qps, rtMs, kneeConcurrency, formula, List.of());
    }

    /// Ratio of the best throughput after the change to that before it. The value before is the
    /// throughput at saturation, or the measured one at the load of the report if that is higher.
    /// The ratio is at least 1 for a change that does not lower the throughput at saturation.
    public double qpsRatio(Knee before, double nowQps) {
        double ratio = qps / Math.max(before.qps(), nowQps);
        return qps < before.qps() ? ratio : Math.max(1, ratio);
    }

    /// Response time of a request alone, after ÷ before. Without curves it is assumed to shrink as
    /// throughput grows.
    private double aloneRatio(Knee before) {
        OptionalDouble now = CurvePoint.rtMsAt(before.model(), 1);
        OptionalDouble then = CurvePoint.rtMsAt(curve, 1);
        return now.isPresent() && then.isPresent() && now.getAsDouble() > 0
                ? then.getAsDouble() / now.getAsDouble()
                : Math.min(1, before.qps() / qps);
    }

    /// Response time with `n` requests in flight, after ÷ before, both by the model. `n` is limited
    /// to the range of both curves. Without curves both response times are those at saturation, by
    /// Little's law (F3).
    public double rtRatio(Knee before, double n) {
        double both = Math.min(n, Math.min(CurvePoint.end(before.model()), CurvePoint.end(curve)));
        OptionalDouble now = CurvePoint.rtMsAt(before.model(), both);
        OptionalDouble then = CurvePoint.rtMsAt(curve, both);
        return now.isPresent() && then.isPresent() && now.getAsDouble() > 0
                ? then.getAsDouble() / now.getAsDouble()
                : before.qps() / qps;
    }

    /// Response time of a request alone after the change: the measured response time × the change's
    /// ratio in the model.
    public double aloneMs(Knee before, MeasuredLoad now) {
        return now.aloneMs() * aloneRatio(before);
    }

    /// The same prediction with figures at the load of the report: the measured figures × the
    /// change's ratios in the model.
    public WhatIf at(MeasuredLoad now, Knee before) {
        return new WhatIf(
                change,
                qps,
                rtMs,
                kneeConcurrency,
                formula,
                curve,
                Optional.of(
                        Expected.of(
                                now,
                                qpsRatio(before, now.qps()),
                                rtRatio(before, now.concurrency()),
                                aloneMs(before, now))));
    }
}
