package dev.jdyno.otlp;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// One value of a metric.
///
/// @param attributes by their keys
/// @param start of the time to which the value belongs; for a count, the time at which it was 0
/// @param value finite
record OtlpPoint(
        OtlpMetric metric,
        Map<String, String> attributes,
        Instant start,
        Instant end,
        double value) {
    OtlpPoint {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(metric.key() + " has no finite value");
        }
        attributes = new TreeMap<>(attributes);
    }
}
