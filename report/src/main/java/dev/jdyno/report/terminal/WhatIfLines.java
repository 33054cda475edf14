package dev.jdyno.report.terminal;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.WhatIfText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// The predicted gains of changes, as a table.
final class WhatIfLines {
    /// Minimum columns for a change; a longer one takes the columns that the figures leave.
    private static final int CHANGE = 44;

    private static final int FIGURES = 27;

    private WhatIfLines() {}

    /// @param max maximum number of changes shown; the others are counted
    /// @param bold makes a heading of a text
    /// @param columns of each line
    static List<String> of(RunResult r, int max, int columns, UnaryOperator<String> bold) {
        int all = Highlights.whatIfs(r).size();
        if (all == 0 || max == 0) {
            return List.of();
        }
        String load = r.operatingPoint().map(p -> " at " + Highlights.load(p.round())).orElse("");
        String hidden = TextLines.more(all, max, "in the report").orElse("");
        List<WhatIf> shown = Highlights.whatIfs(r).stream().limit(max).toList();
        int longest = shown.stream().mapToInt(w -> change(w, r).length()).max().orElse(0);
        int width = Math.min(Math.max(CHANGE, longest), columns - FIGURES);
        List<String> lines = new ArrayList<>();
        lines.add(bold.apply(row(width, "What if" + load + hidden, "QPS", "RT ms", "knee")));
        for (WhatIf w : shown) {
            lines.add(
                    row(
                            width,
                            TextLines.cut(change(w, r), width),
                            Figures.number(WhatIfText.qps(w)),
                            Figures.number(WhatIfText.rtMs(w)),
                            Figures.inFlightShort(w.kneeConcurrency())));
        }
        return lines;
    }

    private static String change(WhatIf w, RunResult r) {
        return "  " + Highlights.change(w, r.verdict()) + WhatIfText.elsewhere(w, r);
    }

    private static String row(int width, String change, String qps, String rt, String knee) {
        return String.format(Locale.ROOT, "%-" + width + "s %8s %8s %8s", change, qps, rt, knee);
    }
}
