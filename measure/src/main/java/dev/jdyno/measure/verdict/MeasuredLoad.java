package dev.jdyno.measure.verdict;

import dev.jdyno.measure.statistics.Interval;

/// What was measured at the load that a report is about.
///
/// @param concurrency requests in flight
/// @param qpsCi95 of `qps`
/// @param rtMs mean response time
/// @param aloneMs that of a request which is alone in the service
public record MeasuredLoad(
        int concurrency, double qps, Interval qpsCi95, double rtMs, double aloneMs) {}
