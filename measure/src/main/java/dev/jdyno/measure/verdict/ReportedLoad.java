package dev.jdyno.measure.verdict;

import java.util.Optional;

/// The load that the figures of a report are for.
///
/// @param concurrency requests in flight
/// @param ratePerS intended rate of an open model; empty in a closed one
public record ReportedLoad(int concurrency, Optional<Double> ratePerS) {}
