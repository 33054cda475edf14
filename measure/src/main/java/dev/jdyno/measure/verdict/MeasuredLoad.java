package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;

/// Measurements at the load of the report.
///
/// @param concurrency requests in flight
/// @param qpsCi95 interval of `qps`
/// @param rtMs mean response time
/// @param aloneMs response time of a request alone in the service
public record MeasuredLoad(
        int concurrency, double qps, Interval qpsCi95, double rtMs, double aloneMs) {}
