package dev.jdyno.measure;

import java.util.List;

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

    /// Without a curve.
    public WhatIf(String change, double qps, double rtMs, double kneeConcurrency, String formula) {
        this(change, qps, rtMs, kneeConcurrency, formula, List.of());
    }
}
