package dev.jdyno.report;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Point;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.json.HistoryForm;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.SeriesForm;
import dev.jdyno.report.words.Figures;
import dev.jdyno.series.Levels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/// Renders stored results for the terminal, scripts and spreadsheets.
public final class HistoryReport {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT)
                    .withZone(ZoneId.systemDefault());

    /// Maximum number of parts shown.
    private static final int MAX_PARTS = 12;

    private static final List<String> CSV_HEADING =
            List.of(
                    "id", "at", "verb", "plan", "label", "commit", "branch", "host", "jdk",
                    "verdict", "valid", "figure", "unit", "value", "lo", "hi");

    private static final int PLAN_COLUMNS = 24;
    private static final int VERDICT_COLUMNS = 20;

    private HistoryReport() {}

    /// A line for each result.
    ///
    /// @param all number of all results
    public static String list(List<Entry> entries, long all) {
        if (entries.isEmpty()) {
            return "no stored results\n";
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%-28s  %-16s  %-8s  %-24s  %-20s  %10s  %9s  %s",
                        "id",
                        "when",
                        "verb",
                        "plan",
                        "verdict",
                        "requests/s",
                        "CPU ms",
                        "commit, label"));
        entries.forEach(e -> lines.add(line(e)));
        if (all > entries.size()) {
            lines.add(entries.size() + " of " + all + "; --all shows all");
        }
        return text(lines);
    }

    /// A note on results whose time is in the future; empty if there are none.
    public static String fromTheFuture(List<Entry> entries) {
        return entries.isEmpty()
                ? ""
                : text(
                        List.of(
                                "note: dated in the future, so measured with a wrong clock, and"
                                        + " listed after the results stored before: "
                                        + entries.stream()
                                                .limit(MAX_PARTS)
                                                .map(Entry::id)
                                                .collect(Collectors.joining(", "))));
    }

    private static String line(Entry e) {
        boolean ratios = e.figure("qps").filter(f -> f.unit().equals("ratio")).isPresent();
        String names =
                Stream.of(e.code().map(Commit::shortHash), e.label(), valid(e))
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining("  "));
        return String.format(
                        Locale.ROOT,
                        "%-28s  %-16s  %-8s  %-24s  %-20s  %10s  %9s  %s",
                        e.id(),
                        TIME.format(e.at()),
                        e.kind().key(),
                        cut(e.plan(), PLAN_COLUMNS),
                        cut(e.verdict(), VERDICT_COLUMNS),
                        cell(e, "qps", ratios),
                        cell(e, "cpuMsPerRequest", ratios),
                        names)
                .stripTrailing();
    }

    private static Optional<String> valid(Entry e) {
        return e.valid() ? Optional.empty() : Optional.of("(not valid)");
    }

    private static String cell(Entry e, String figure, boolean ratio) {
        return e.figure(figure)
                .map(f -> (ratio ? "× " : "") + Figures.number(f.value()))
                .orElse("");
    }

    private static String cut(String text, int columns) {
        return text.length() <= columns ? text : text.substring(0, columns - 1) + "…";
    }

    /// Everything that is stored of one result.
    public static String show(Entry e) {
        List<String> lines = new ArrayList<>();
        lines.add(e.id() + "  " + e.kind().key() + " of " + e.plan() + ": " + e.verdict());
        lines.add(
                TIME.format(e.at())
                        + ", "
                        + Figures.number(e.seconds())
                        + " s"
                        + (e.valid() ? "" : ", not valid"));
        e.label().ifPresent(l -> lines.add("label    " + l));
        e.code()
                .ifPresent(c ->
                        lines.add(
                                "commit   "
                                        + c.hash()
                                        + c.branch().map(b -> " on " + b).orElse("")));
        Entry.Environment on = e.environment();
        lines.add(
                "machine  "
                        + on.host()
                        + ", "
                        + on.cores()
                        + " cores, "
                        + on.cpu()
                        + ", "
                        + on.kernel());
        on.jdk().ifPresent(j -> lines.add("JDK      " + j + flags(on)));
        lines.add("command  " + e.commandLine());
        lines.add("");
        e.figures().forEach(f -> lines.add("  " + figure(f)));
        parts(e, Entry.PartKind.CAUSE, "ms of one request by cause", lines);
        parts(e, Entry.PartKind.METHOD, "CPU ms of one request by method", lines);
        e.folder()
                .ifPresent(
                        f -> lines.add("\nFiles  " + f + " (" + e.artifacts().size() + " files)"));
        return text(lines);
    }

    private static String flags(Entry.Environment on) {
        return on.flags().isEmpty() ? "" : " " + String.join(" ", on.flags());
    }

    private static String figure(Entry.Figure f) {
        return String.format(
                Locale.ROOT,
                "%-22s %12s %s%s",
                f.name(),
                Figures.number(f.value()),
                f.unit(),
                f.ci95().map(i -> " (95 %: " + Figures.range(i) + ")").orElse(""));
    }

    private static void parts(Entry e, Entry.PartKind kind, String title, List<String> lines) {
        List<Entry.Part> of = e.parts().stream().filter(p -> p.kind() == kind).toList();
        if (of.isEmpty()) {
            return;
        }
        lines.add("\n" + title);
        of.stream()
                .limit(MAX_PARTS)
                .forEach(p ->
                        lines.add(
                                String.format(
                                        Locale.ROOT,
                                        "  %10s  %s",
                                        Figures.number(p.ms()),
                                        p.name())));
        if (of.size() > MAX_PARTS) {
            lines.add("  and " + (of.size() - MAX_PARTS) + " smaller ones (--json shows all)");
        }
    }

    /// One figure of a plan over time, with the changes of its level.
    public static String trend(String plan, String figure, List<Point> points, Levels levels) {
        if (points.isEmpty()) {
            return "no stored result of " + plan + " has " + figure + "\n";
        }
        List<String> lines = new ArrayList<>();
        lines.add(figure + " of " + plan);
        for (int i = 0; i < points.size(); i++) {
            Point p = points.get(i);
            int at = i;
            levels.changes().stream()
                    .filter(c -> c.index() == at)
                    .forEach(c ->
                            lines.add(
                                    String.format(
                                            Locale.ROOT,
                                            "  -- the level changes: %s -> %s, × %.3f",
                                            Figures.number(c.before()),
                                            Figures.number(c.after()),
                                            c.ratio())));
            lines.add(
                    String.format(
                                    Locale.ROOT,
                                    "  %s  %-28s  %12s  %-24s %s",
                                    TIME.format(p.at()),
                                    p.id(),
                                    Figures.number(p.value()),
                                    p.ci95().map(Figures::range).orElse(""),
                                    (levels.outliers().contains(i) ? "stands out  " : "")
                                            + p.commit().map(HistoryReport::shortened).orElse(""))
                            .stripTrailing());
        }
        return text(lines);
    }

    private static String shortened(String hash) {
        return new Commit(hash, Optional.empty()).shortHash();
    }

    /// The results that would be deleted, or that were deleted.
    public static String pruned(List<Entry> entries, boolean deleted, String where) {
        List<String> lines = new ArrayList<>();
        entries.forEach(e -> lines.add("  " + line(e)));
        lines.add(
                entries.size()
                        + (deleted ? " results deleted from " : " results would be deleted from ")
                        + where
                        + (deleted || entries.isEmpty() ? "" : "; --yes deletes them"));
        if (entries.stream().anyMatch(e -> e.folder().isPresent())) {
            lines.add("their files stay where they are");
        }
        return text(lines);
    }

    /// Returns one JSON document `jdyno/history/1` per line.
    public static String jsonLines(List<Entry> entries) {
        return entries.stream().map(e -> json(e) + "\n").collect(Collectors.joining());
    }

    /// Returns the JSON document `jdyno/history/1`.
    public static String json(Entry e) {
        return JsonDocument.line(HistoryForm.of(e));
    }

    /// Returns the JSON document `jdyno/history-list/1`.
    public static String json(List<Entry> entries, long all) {
        return JsonDocument.line(HistoryForm.Results.of(entries, all));
    }

    /// Returns the JSON document `jdyno/trend/1`.
    public static String json(String plan, String figure, List<Point> points, Levels levels) {
        return JsonDocument.line(SeriesForm.Trend.of(plan, figure, points, levels));
    }

    /// CSV by RFC 4180, one row a figure.
    public static String csv(List<Entry> entries) {
        var csv = new StringBuilder();
        try (var table = new CSVPrinter(csv, CSVFormat.RFC4180)) {
            table.printRecord(CSV_HEADING);
            for (Entry e : entries) {
                for (Entry.Figure f : e.figures()) {
                    table.printRecord(row(e, f).map(HistoryReport::safe));
                }
            }
        } catch (IOException impossible) {
            // An appendable in memory throws no IOException.
            throw new UncheckedIOException(impossible);
        }
        return csv.toString();
    }

    private static Stream<String> row(Entry e, Entry.Figure f) {
        return Stream.of(
                e.id(),
                e.at().toString(),
                e.kind().key(),
                e.plan(),
                e.label().orElse(""),
                e.code().map(Commit::hash).orElse(""),
                e.code().flatMap(Commit::branch).orElse(""),
                e.environment().host(),
                e.environment().jdk().orElse(""),
                e.verdict(),
                Boolean.toString(e.valid()),
                f.name(),
                f.unit(),
                Double.toString(f.value()),
                bound(f.ci95().map(Interval::lo)),
                bound(f.ci95().map(Interval::hi)));
    }

    private static String bound(Optional<Double> value) {
        return value.map(v -> Double.toString(v)).orElse("");
    }

    /// Protects a cell that a spreadsheet would take for a formula: one that begins with `=`, `+`,
    /// `-` or `@`.
    private static String safe(String cell) {
        return cell.matches("(?s)[=+@\\t\\r].*|-[^0-9].*") ? "'" + cell : cell;
    }

    /// A time in the form that tables show.
    public static String time(Instant at) {
        return TIME.format(at);
    }

    private static String text(List<String> lines) {
        return lines.stream().map(l -> l + "\n").collect(Collectors.joining());
    }
}
