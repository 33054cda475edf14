package dev.jdyno.measure.statistics;

import java.util.List;
import java.util.OptionalDouble;

/// One point of a model's curve: throughput and response time with `concurrency` requests in
/// flight.
public record CurvePoint(double concurrency, double qps, double rtMs) {
    /// The highest concurrency of a curve; infinite without points.
    ///
    /// @param curve by rising concurrency
    public static double end(List<CurvePoint> curve) {
        return curve.isEmpty() ? Double.POSITIVE_INFINITY : curve.getLast().concurrency;
    }

    /// The response time of a curve at `n` requests in flight: linear between its points, constant
    /// beyond its ends; empty without points.
    ///
    /// @param curve by rising concurrency
    public static OptionalDouble rtMsAt(List<CurvePoint> curve, double n) {
        if (curve.isEmpty()) {
            return OptionalDouble.empty();
        }
        CurvePoint below = curve.getFirst();
        for (CurvePoint p : curve) {
            if (p.concurrency >= n) {
                if (p.concurrency <= below.concurrency) {
                    return OptionalDouble.of(p.rtMs);
                }
                double share = (n - below.concurrency) / (p.concurrency - below.concurrency);
                return OptionalDouble.of(below.rtMs + share * (p.rtMs - below.rtMs));
            }
            below = p;
        }
        return OptionalDouble.of(below.rtMs);
    }
}
