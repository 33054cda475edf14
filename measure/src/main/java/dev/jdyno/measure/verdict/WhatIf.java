package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.CurvePoint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// What a change would give, by a formula; nothing was tried.
///
/// @param curve over the measured range of concurrency; empty when no model gives one
public record WhatIf(
        String change,
        double qps,
        double rtMs,
        double kneeConcurrency,
        String formula,
        List<CurvePoint> curve) {
    public WhatIf {
        curve = List.copyOf(curve);
    }

    /// Response time in ms with as many requests in flight as at the measured knee: what was
    /// measured there times what the change makes of it in the model, both at that load. Empty
    /// without curves.
    ///
    /// `rtMs` is that at the changed service's own knee, which lies elsewhere.
    public Optional<Double> rtMsAtLoadOf(Knee knee) {
        OptionalDouble before = CurvePoint.rtMsAt(knee.model(), knee.concurrency());
        OptionalDouble after = CurvePoint.rtMsAt(curve, knee.concurrency());
        return before.isPresent() && after.isPresent() && before.getAsDouble() > 0
                ? Optional.of(knee.rtMs() * after.getAsDouble() / before.getAsDouble())
                : Optional.empty();
    }

    /// Without a curve.
    public WhatIf(String change, double qps, double rtMs, double kneeConcurrency, String formula) {
        this(change, qps, rtMs, kneeConcurrency, formula, List.of());
    }
}
