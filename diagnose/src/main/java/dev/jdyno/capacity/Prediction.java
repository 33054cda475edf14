package dev.jdyno.capacity;

import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.verdict.PredictedChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Optional;

/// The prediction of a model for a service at its knee.
///
/// @param qps X_max
/// @param rtMs mean response time at the knee, queueing included
/// @param rtP99Ms 99th percentile of the response time at the knee, if its ratio to the mean stays
///   as measured; empty without a measurement
/// @param extrapolation a warning if the figures are far outside the measured range
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
    /// Multiple of the measured range above which figures are marked.
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
