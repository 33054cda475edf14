package dev.jdyno.experiment.form;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Optional;

/// How a judged figure of an experiment is put into words.
final class ComparisonWords {
    private ComparisonWords() {}

    static String verdict(Judged judged) {
        return judged.holds() ? "holds" : "DOES NOT HOLD";
    }

    /// What was measured, with its unit.
    static String measured(Row row) {
        boolean bare = List.of("", "ratio", Comparison.YES_OR_NO).contains(row.unit());
        return value(row, row.measured()) + (bare ? "" : " " + row.unit());
    }

    /// Another figure of the same kind.
    static String value(Row row, double value) {
        if (row.unit().equals(Comparison.YES_OR_NO)) {
            return value == 0 ? "no" : "yes";
        }
        return Figures.number(value);
    }

    static String value(Row row, Optional<Double> value) {
        return value.map(v -> value(row, v)).orElse("–");
    }

    /// What it was judged by: ` (within 15 %)`, ` (at least 1.47)`, ` (0.9 to 1.1)`; empty where
    /// only its direction was.
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
