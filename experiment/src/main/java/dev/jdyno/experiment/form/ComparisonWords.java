package dev.jdyno.experiment.form;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Optional;

/// Words for a judged figure of an experiment.
final class ComparisonWords {
    private ComparisonWords() {}

    static String verdict(Judged judged) {
        return judged.holds() ? "holds" : "DOES NOT HOLD";
    }

    /// Returns the measured value with its unit.
    static String measured(Row row) {
        boolean bare = List.of("", "ratio", Comparison.YES_OR_NO).contains(row.unit());
        return value(row, row.measured()) + (bare ? "" : " " + row.unit());
    }

    /// Formats a value of a row, without its unit.
    static String value(Row row, double value) {
        if (row.unit().equals(Comparison.YES_OR_NO)) {
            return value == 0 ? "no" : "yes";
        }
        return Figures.number(value);
    }

    static String value(Row row, Optional<Double> value) {
        return value.map(v -> value(row, v)).orElse("–");
    }

    /// Returns the limit of a judgement: ` (within 15 %)`, ` (at least 1.47)`, ` (0.9 to 1.1)`.
    /// Empty if only the direction was judged.
    static String bound(Judged judged) {
        if (judged.range().isEmpty() && judged.tolerance() == 0) {
            return "";
        }
        return " ("
                + judged.range()
                        .map(ComparisonWords::range)
                        .orElseGet(() -> "within " + Figures.percent(judged.tolerance()))
                + ")";
    }

    private static String range(Interval range) {
        if (range.hi() == Double.MAX_VALUE) {
            return "at least " + Figures.number(range.lo());
        }
        return range.lo() == 0
                ? "at most " + Figures.number(range.hi())
                : Figures.number(range.lo()) + " to " + Figures.number(range.hi());
    }
}
