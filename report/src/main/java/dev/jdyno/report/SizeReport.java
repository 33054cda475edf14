package dev.jdyno.report;

import dev.jdyno.instance.SizeSearch.End;
import dev.jdyno.instance.SizeTest;
import dev.jdyno.instance.SizeWish;
import dev.jdyno.instance.Sized;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.NoteText;
import dev.jdyno.report.words.SizeText;
import dev.jdyno.report.words.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Renders the smallest instance of a service, as text for the terminal and as JSON.
public final class SizeReport {
    /// Columns before a reason in a line of its own: those of the two limits.
    private static final int REASON_INDENT = 16;

    private SizeReport() {}

    /// The result on one screen.
    public static String terminal(Sized s) {
        List<String> lines = new ArrayList<>();
        if (s.partial()) {
            lines.add(
                    "PARTIAL: "
                            + (s.end() == End.FAILED ? "a test failed (see the note)" : "cut short")
                            + ", this is what was tested so far");
        }
        lines.addAll(TextLines.wrap(SizeText.verdict(s), "  ", 4));
        SizeText.replicas(s).ifPresent(r -> lines.addAll(TextLines.wrap(r, "  ", 2)));
        SizeText.computedReplicas(s).ifPresent(r -> lines.addAll(TextLines.wrap(r, "  ", 3)));
        SizeText.smaller(s).forEach(l -> lines.addAll(TextLines.wrap(l, "  ", 2)));
        SizeText.demand(s).ifPresent(d -> lines.addAll(TextLines.wrap(d, "  ", 3)));
        lines.add("");
        lines.add(figures(SizeText.HEADS));
        s.tests().forEach(t -> lines.addAll(lines(s.wish(), t)));
        lines.add("");
        List<String> kubernetes = SizeText.kubernetes(s);
        if (!kubernetes.isEmpty()) {
            lines.add("Kubernetes, for the container:");
            kubernetes.forEach(l -> lines.add("    " + l));
            String flags = SizeText.jvmFlags(s);
            lines.add(
                    flags.isEmpty()
                            ? "JVM flags: those of the launch command"
                            : "JVM flags: " + flags);
            SizeText.heapOfCommand(s).ifPresent(h -> lines.addAll(TextLines.wrap(h, "  ", 2)));
            lines.add("");
        }
        pools(s, lines);
        SizeText.next(s).forEach(n -> lines.addAll(TextLines.wrap(n, "  ", 3)));
        SizeText.remarks(s).forEach(r -> lines.addAll(TextLines.wrap(r, "  ", 3)));
        NoteText.of(s.notes()).forEach(n -> lines.addAll(TextLines.wrap("note: " + n, "  ", 2)));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static void pools(Sized s, List<String> lines) {
        List<String> settings = SizeText.poolSettings(s);
        if (settings.isEmpty()) {
            return;
        }
        lines.add("Pool properties:");
        settings.forEach(l -> lines.addAll(TextLines.wrap(l, "    ", 4)));
        SizeText.pools(s).forEach(l -> lines.addAll(TextLines.wrap(l, "  ", 3)));
        SizeText.poolTests(s).forEach(l -> lines.addAll(TextLines.wrap(l, "  ", 3)));
        lines.add("");
    }

    /// One test: its figures in a line, and below it the reason if it does not fit beside them.
    public static List<String> lines(SizeWish wish, SizeTest t) {
        SizeText.Row row = SizeText.row(wish, t);
        String figures = figures(row);
        String why = Printable.line(row.why());
        if (why.isEmpty()) {
            return List.of(figures);
        }
        return figures.length() + 1 + why.length() <= TextLines.WIDTH
                ? List.of(figures + " " + why)
                : List.of(figures, TextLines.cut(" ".repeat(REASON_INDENT) + why));
    }

    private static String figures(SizeText.Row r) {
        return Printable.line(
                String.format(
                                Locale.ROOT,
                                "%6s %8s %-6s %7s %7s %6s %8s %9s %s",
                                r.cpu(),
                                r.memory(),
                                r.outcome(),
                                r.p99(),
                                r.missed(),
                                r.cores(),
                                r.throttled(),
                                r.peak(),
                                r.cost())
                        .stripTrailing());
    }

    /// Returns the JSON document `jdyno/size/1`.
    public static String json(Sized s) {
        return JsonDocument.line(s);
    }
}
