package dev.jdyno.report;

import dev.jdyno.guard.Bisected;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.BisectText;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Renders the result of a search for a commit, as text for the terminal and as JSON.
public final class BisectReport {
    private static final int MAX_COMMITS = 12;
    private static final int MAX_LINES = 30;
    private static final int MAX_FILES = 10;

    private BisectReport() {}

    public static String terminal(Bisected b) {
        List<String> lines = new ArrayList<>(TextLines.wrap(BisectText.verdict(b), "  ", 3));
        b.found()
                .filter(_ -> b.verdict() == Bisected.Verdict.FOUND)
                .ifPresent(f -> {
                    lines.add("");
                    f.commits().stream().limit(MAX_COMMITS).forEach(c -> lines.add(commit(c)));
                    more(f.commits().size(), MAX_COMMITS, "commits", lines);
                });
        methods(b, lines);
        b.diff().lines().forEach(file -> changed(file, lines));
        if (b.diff().lines().isEmpty() && !b.diff().files().isEmpty()) {
            lines.add("");
            lines.add("Files that changed");
            b.diff().files().stream()
                    .limit(MAX_FILES)
                    .forEach(f -> lines.add("  " + TextLines.cut(f)));
            more(b.diff().files().size(), MAX_FILES, "files", lines);
        }
        if (b.suspects().size() > 1) {
            lines.add("");
            lines.add("Most probable commits");
            b.suspects()
                    .forEach(s ->
                            lines.add(
                                    TextLines.cut(
                                            String.format(
                                                    Locale.ROOT,
                                                    "  %7s  %s",
                                                    BisectText.percent(s.probability()),
                                                    BisectText.line(s.commit())))));
        }
        if (!b.measured().isEmpty()) {
            lines.add("");
            lines.add("Measured, ratio to " + b.good().shortHash());
            b.measured()
                    .forEach(v ->
                            lines.add(
                                    TextLines.cut(
                                            String.format(
                                                    Locale.ROOT,
                                                    "  %.3f  %2d %-6s  %s",
                                                    v.ratio(),
                                                    v.starts(),
                                                    v.starts() == 1 ? "start" : "starts",
                                                    BisectText.line(v.commit())))));
        }
        lines.add("");
        BisectText.notes(b).forEach(n -> lines.addAll(TextLines.wrap(n, "  ", 3)));
        return lines.stream()
                .map(l -> Printable.line(Secrets.text(l)) + "\n")
                .collect(Collectors.joining());
    }

    private static String commit(Revision c) {
        return TextLines.cut("  " + BisectText.line(c));
    }

    private static void methods(Bisected b, List<String> lines) {
        if (!b.grew().isEmpty()) {
            lines.add("");
            lines.add("What grew, CPU ms of one request");
            b.grew()
                    .forEach(m ->
                            lines.add(CompareText.grown(m.beforeMs(), m.afterMs(), m.method())));
        }
        if (!b.allocates().isEmpty()) {
            lines.add("");
            lines.add("What allocates more, bytes of one request");
            b.allocates()
                    .forEach(m ->
                            lines.add(
                                    CompareText.grown(
                                            m.beforeBytes(), m.afterBytes(), m.method())));
        }
    }

    private static void changed(Versions.FileLines file, List<String> lines) {
        lines.add("");
        lines.add("What changed in " + file.file());
        file.lines().stream().limit(MAX_LINES).forEach(l -> lines.add("  " + l));
        more(file.lines().size(), MAX_LINES, "lines", lines);
    }

    private static void more(int all, int shown, String of, List<String> lines) {
        TextLines.more(all, shown, "more " + of).ifPresent(m -> lines.add("  " + m.strip()));
    }

    /// Returns the JSON document `jdyno/bisect/1`.
    public static String json(Bisected b) {
        return JsonDocument.line(b);
    }
}
