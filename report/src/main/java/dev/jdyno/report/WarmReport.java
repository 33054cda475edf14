package dev.jdyno.report;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.NoteText;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.WarmText;
import dev.jdyno.warm.Warmed;
import dev.jdyno.warm.Warmed.Tried;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Renders a warm-up study, as text for the terminal and as JSON.
public final class WarmReport {
    private WarmReport() {}

    /// The study on one screen.
    public static String terminal(Warmed w) {
        List<String> lines = new ArrayList<>();
        if (w.partial()) {
            lines.add("PARTIAL: cut short, this is what was measured so far");
        }
        lines.addAll(TextLines.wrap(WarmText.verdict(w), "  ", 4));
        WarmText.plateau(w).ifPresent(p -> lines.addAll(TextLines.wrap(p, "  ", 3)));
        lines.add("");
        lines.add(
                line(
                        new WarmText.Row(
                                "",
                                "first s",
                                "90 % s",
                                "99 % s",
                                "lost s",
                                "slow",
                                "lost, ratio",
                                "")));
        lines.add(line(WarmText.baseline(w)));
        for (Tried t : w.tried()) {
            switch (t) {
                case Tried.Measured m -> lines.add(line(WarmText.row(w, m)));
                case Tried.Not not ->
                        lines.addAll(
                                TextLines.wrap(
                                        String.format(
                                                Locale.ROOT,
                                                "%-9s %s",
                                                not.way().key(),
                                                WarmText.says(not)),
                                        "  ",
                                        2));
            }
        }
        lines.add("");
        WarmText.titles(w).forEach(t -> lines.addAll(TextLines.wrap(t, "  ", 2)));
        lines.addAll(TextLines.wrap(WarmText.how(w), "  ", 3));
        NoteText.of(w.notes()).forEach(n -> lines.addAll(TextLines.wrap("note: " + n, "  ", 2)));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static String line(WarmText.Row r) {
        return TextLines.cut(
                String.format(
                                Locale.ROOT,
                                "%-9s %8s %8s %8s %8s %7s  %-22s %s",
                                r.name(),
                                r.first(),
                                r.to90(),
                                r.to99(),
                                r.lost(),
                                r.slow(),
                                r.ratio(),
                                r.says())
                        .stripTrailing());
    }

    /// Returns the JSON document `jdyno/warm/1`.
    public static String json(Warmed w) {
        return JsonDocument.line(w);
    }
}
