package dev.jdyno.measure.verdict;

import java.util.Optional;

/// One figure of the load that a report is about, after all figures of that load were made to agree
/// (data reconciliation).
///
/// @param id which figure it is, with its unit (docs/report.md)
/// @param measured as it was measured; empty if only the other figures give it
/// @param value that agrees with the other figures
/// @param standardError of `value`
/// @param leftOut true if the measurement has a gross error, so that `value` comes from the others
public record PointFigure(
        FigureId id,
        Optional<Double> measured,
        double value,
        double standardError,
        boolean leftOut) {}
