package dev.jdyno.capacity;

import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.verdict.PredictedChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Optional;

/// What a model says of a service at its knee.
///
/// @param qps X_max
/// @param rtMs mean response time at the knee, queueing included
/// @param rtP99Ms its p99, as if the spread around the mean stayed as measured; empty without a
///   measurement
/// @param extrapolation a warning when the figures are far outside of what was measured
/// @param minRtMs response time with no other request in the service
public record Prediction(
        double qps,
        double rtMs,
        Optional<Double> rtP99Ms,
        double kneeConcurrency,
        String bottleneck,
        Optional<String> extrapolation,
        String formula,
        double minRtMs) {
    /// Figures beyond this multiple of the measured range are marked.
    static final double MEASURED_RANGE = 1.5;

    WhatIf asWhatIf(PredictedChange change, List<CurvePoint> curve) {
        String mark = extrapolation.map(e -> " (" + e + ")").orElse("");
        return new WhatIf(
                change,
                qps,
                rtMs,
                kneeConcurrency,
                (bottleneck.equals(Calibration.UNKNOWN) ? bottleneck : "limit " + bottleneck)
                        + ": "
                        + formula
                        + mark,
                curve);
    }
}
