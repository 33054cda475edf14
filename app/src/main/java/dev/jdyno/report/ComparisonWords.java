package dev.jdyno.report;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.words.Figures;

/// How a judged figure of an experiment is put into words.
final class ComparisonWords {
    private ComparisonWords() {}

    static String verdict(Judged judged) {
        return judged.holds() ? "holds" : "DOES NOT HOLD";
    }

    /// What it was judged by: ` (within 15 %)`, ` (at least 1.47)`, ` (0.9 to 1.1)`.
    static String bound(Judged judged) {
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
