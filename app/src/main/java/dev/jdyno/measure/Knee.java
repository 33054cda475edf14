package dev.jdyno.measure;

import java.util.Optional;

/// The least concurrency that just uses up the bottleneck (N*), with its interval.
///
/// @param qps throughput beyond the knee (X_max)
/// @param rtMs response time at the knee
/// @param predicted what F1 and F2 say from demands measured below the knee
/// @param loadSeconds load that was spent to find it
public record Knee(
        double concurrency,
        Interval ci95,
        double qps,
        double rtMs,
        String method,
        double loadSeconds,
        Optional<Predicted> predicted) {

    /// F1's N* and F2's X_max beside the measured ones.
    public record Predicted(double concurrency, double qps, String formula) {}
}
