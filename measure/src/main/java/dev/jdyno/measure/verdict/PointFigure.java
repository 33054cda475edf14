package dev.jdyno.measure.verdict;

import java.util.Optional;

/// One figure of the load that a report is about, after all figures of that load were made to agree
/// (data reconciliation).
///
/// @param id `throughput`, `response-time`, `part:CAUSE`, `pool:NAME` and others (docs/report.md)
/// @param unit of all its values
/// @param measured as it was measured; empty if only the other figures give it
/// @param value that agrees with the other figures
/// @param standardError of `value`
/// @param leftOut true if the measurement has a gross error, so that `value` comes from the others
public record PointFigure(
        String id,
        String unit,
        Optional<Double> measured,
        double value,
        double standardError,
        boolean leftOut) {}
