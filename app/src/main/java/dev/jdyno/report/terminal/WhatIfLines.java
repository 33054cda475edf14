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

/// What changes would give, as a table.
final class WhatIfLines {
    /// Columns of a change.
    private static final int CHANGE = 44;

    private WhatIfLines() {}

    /// @param most changes that are shown; the others are counted
    /// @param bold makes a heading of a text
    static List<String> of(RunResult r, int most, UnaryOperator<String> bold) {
        int all = r.whatIf().size();
        if (all == 0 || most == 0) {
            return List.of();
        }
        String load = r.recording().reported().map(now -> " at " + Highlights.load(now)).orElse("");
        String hidden = TextLines.more(all, most, "in the report").orElse("");
        List<String> lines = new ArrayList<>();
        lines.add(bold.apply(row("What if" + load + hidden, "QPS", "RT ms", "knee")));
        for (WhatIf w : r.whatIf().stream().limit(most).toList()) {
            String change = Highlights.change(w, r.verdict()) + WhatIfText.elsewhere(w, r);
            lines.add(
                    row(
                            TextLines.cut("  " + change, CHANGE),
                            Figures.number(WhatIfText.qps(w)),
                            Figures.number(WhatIfText.rtMs(w)),
                            Figures.number(w.kneeConcurrency())));
        }
        return lines;
    }

    private static String row(String change, String qps, String rt, String knee) {
        return String.format(Locale.ROOT, "%-" + CHANGE + "s %8s %8s %8s", change, qps, rt, knee);
    }
}
