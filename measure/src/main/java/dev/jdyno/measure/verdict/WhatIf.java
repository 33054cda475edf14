package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.CurvePoint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// What a change would give, by a formula; nothing was tried.
///
/// @param qps best throughput at any load
/// @param rtMs response time at the changed service's own knee
/// @param curve over the measured range of concurrency; empty when no model gives one
/// @param expected at the load that the report is about; empty in older results
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

    /// As the model gives it, for no load of a report yet.
    public WhatIf(
            PredictedChange change,
            double qps,
            double rtMs,
            double kneeConcurrency,
            String formula,
            List<CurvePoint> curve) {
        this(change, qps, rtMs, kneeConcurrency, formula, curve, Optional.empty());
    }

    /// Without a curve.
    public WhatIf(
            PredictedChange change,
            double qps,
            double rtMs,
            double kneeConcurrency,
            String formula) {
        this(change, qps, rtMs, kneeConcurrency, formula, List.of());
    }

    /// Best throughput, after ÷ before: the level of saturation, or what was measured at the
    /// reported load where that is more. What gains nothing takes nothing of that either.
    public double qpsRatio(Knee before, double nowQps) {
        double ratio = qps / Math.max(before.qps(), nowQps);
        return qps < before.qps() ? ratio : Math.max(1, ratio);
    }

    /// Response time of a request that is alone, after ÷ before; without curves it is taken to
    /// shrink as throughput grows.
    private double aloneRatio(Knee before) {
        OptionalDouble now = CurvePoint.rtMsAt(before.model(), 1);
        OptionalDouble then = CurvePoint.rtMsAt(curve, 1);
        return now.isPresent() && then.isPresent() && now.getAsDouble() > 0
                ? then.getAsDouble() / now.getAsDouble()
                : Math.min(1, before.qps() / qps);
    }

    /// Response time with `n` requests in flight, after ÷ before, both by the model, or with as
    /// many as both curves have; without curves that of a load which fills either (F3).
    public double rtRatio(Knee before, double n) {
        double both = Math.min(n, Math.min(CurvePoint.end(before.model()), CurvePoint.end(curve)));
        OptionalDouble now = CurvePoint.rtMsAt(before.model(), both);
        OptionalDouble then = CurvePoint.rtMsAt(curve, both);
        return now.isPresent() && then.isPresent() && now.getAsDouble() > 0
                ? then.getAsDouble() / now.getAsDouble()
                : before.qps() / qps;
    }

    /// Response time of a request that is alone after the change: what was measured, times what the
    /// change makes of it in the model.
    public double aloneMs(Knee before, MeasuredLoad now) {
        return now.aloneMs() * aloneRatio(before);
    }

    /// The same with its figures at the load that the report is about: what was measured there
    /// times what the change makes of it in the model.
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
