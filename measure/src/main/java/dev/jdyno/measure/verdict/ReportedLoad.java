package dev.jdyno.measure.verdict;

import java.util.Optional;

/// The load of the report: its figures are for this load.
///
/// @param concurrency requests in flight
/// @param ratePerS intended rate of an open model; empty in a closed one
public record ReportedLoad(int concurrency, Optional<Double> ratePerS) {}
