package dev.jdyno.measure.verdict;

import java.util.Optional;

/// One figure of the load of the report, after all figures of that load were made consistent (data
/// reconciliation).
///
/// @param id identifier of the figure, with its unit (docs/report.md)
/// @param measured the measured value; empty if the figure was not measured and comes from the
///   other figures
/// @param value the value that is consistent with the other figures
/// @param standardError standard error of `value`
/// @param leftOut true if the measurement has a gross error, so that `value` comes from the others
public record PointFigure(
        FigureId id,
        Optional<Double> measured,
        double value,
        double standardError,
        boolean leftOut) {}
