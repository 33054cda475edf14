package dev.jdyno.report;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.WarmForm;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.WarmText;
import dev.jdyno.warm.StartFigures;
import dev.jdyno.warm.Warmed;
import dev.jdyno.warm.Warmed.Tried;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// A study of warm-ups for terminal and scripts.
public final class WarmReport {
    private WarmReport() {}

    /// One screen.
    public static String terminal(Warmed w) {
        List<String> lines = new ArrayList<>();
        if (w.partial()) {
            lines.add("PARTIAL: cut short, this is what was measured so far");
        }
        lines.addAll(TextLines.wrap(WarmText.verdict(w), "  ", 4));
        WarmText.plateau(w).ifPresent(p -> lines.addAll(TextLines.wrap(p, "  ", 3)));
        lines.add("");
        lines.add(row("", "first s", "90 % s", "99 % s", "lost s", "slow", "lost, ratio", ""));
        lines.add(row("baseline", w, w.asIs(), "", ""));
        for (Tried t : w.tried()) {
            switch (t) {
                case Tried.Measured m ->
                        lines.add(
                                row(
                                        m.way().key(),
                                        w,
                                        m.starts(),
                                        WarmText.ratio(m.lost()),
                                        WarmText.says(m)));
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
        w.notes().forEach(n -> lines.addAll(TextLines.wrap("note: " + n, "  ", 2)));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static String row(
            String name, Warmed w, Warmed.Starts starts, String ratio, String says) {
        return row(
                name,
                WarmText.seconds(starts, f -> Optional.of(f.firstAnswerS())),
                WarmText.seconds(starts, StartFigures::to90S),
                WarmText.seconds(starts, StartFigures::to99S),
                WarmText.seconds(starts, f -> Optional.of(f.lostS())),
                WarmText.slow(w, starts),
                ratio,
                says);
    }

    private static String row(
            String name,
            String first,
            String to90,
            String to99,
            String lost,
            String slow,
            String ratio,
            String says) {
        return TextLines.cut(
                String.format(
                                Locale.ROOT,
                                "%-9s %8s %8s %8s %8s %7s  %-22s %s",
                                name,
                                first,
                                to90,
                                to99,
                                lost,
                                slow,
                                ratio,
                                says)
                        .stripTrailing());
    }

    /// `jdyno/warm/1`.
    public static String json(Warmed w) {
        return JsonDocument.line(WarmForm.of(w));
    }
}
