package dev.jdyno.report;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.TuneForm;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.TuneText;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.Tuned;
import dev.jdyno.tune.Tuning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A tuning for terminal and scripts.
public final class TuneReport {
    private static final int MOST_NEXT = 3;

    private TuneReport() {}

    public static String terminal(Tuned t) {
        List<String> lines = new ArrayList<>();
        if (t.partial()) {
            lines.add("PARTIAL: cut short, this is what was measured so far");
        }
        lines.addAll(TextLines.wrap(TuneText.verdict(t), "  ", 3));
        if (t.baseline().qps() > 0) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "Before: %s/s, %s ms, limited by %s",
                            Figures.number(t.baseline().qps()),
                            Figures.number(t.baseline().rtMs()),
                            limit(t.baseline())));
        }
        if (!t.rounds().isEmpty()) {
            lines.add("");
            lines.add(row("bottleneck", "tried", "predicted", "measured", "95 %", "is"));
        }
        for (Tuned.Round round : t.rounds()) {
            String name = round.diagnosed().bottleneck();
            for (Tuned.Tried tried : round.tried()) {
                lines.add(
                        row(
                                name,
                                TuneText.name(tried.candidate()),
                                TuneText.predicted(tried.candidate()),
                                tried.best().map(TuneText::gain).orElse("-"),
                                tried.best()
                                        .flatMap(Measured::ci95)
                                        .map(TuneText::interval)
                                        .orElse("-"),
                                TuneText.fate(tried)));
                if (!tried.why().isEmpty()) {
                    lines.addAll(TextLines.wrap("    " + tried.why(), "    ", 2));
                }
                name = "";
            }
        }
        if (!t.changes().isEmpty()) {
            result(t, lines);
        }
        next(t, lines);
        lines.add("");
        lines.addAll(TextLines.wrap(TuneText.how(t), "  ", 2));
        t.notes().forEach(n -> lines.addAll(TextLines.wrap("note: " + n, "  ", 2)));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static String limit(Diagnosed d) {
        return d.bottleneck() + (d.where().isEmpty() ? "" : " at " + d.where());
    }

    private static void result(Tuned t, List<String> lines) {
        lines.add("");
        lines.add("Changes");
        for (Change change : t.changes()) {
            lines.addAll(
                    TextLines.wrap(
                            "  "
                                    + TuneText.change(change)
                                    + TuneText.without(t, change).map(w -> "; " + w).orElse(""),
                            "    ",
                            3));
        }
        t.ablation().stream()
                .filter(a -> !a.kept())
                .forEach(a ->
                        lines.addAll(
                                TextLines.wrap(
                                        "  left out: "
                                                + TuneText.change(a.change())
                                                + a.instead()
                                                        .map(i ->
                                                                "; with "
                                                                        + TuneText.change(i)
                                                                        + " instead ")
                                                        .orElse("; without it ")
                                                + TuneText.gain(a.measured()),
                                        "    ",
                                        2)));
        lines.add("");
        lines.add("Start it with");
        // one line, to be copied whole
        lines.add("  " + Secrets.commandLine(t.command()));
        t.files().forEach(f -> lines.add("  " + f.copy() + " is made of " + f.original()));
    }

    private static void next(Tuned t, List<String> lines) {
        if (t.next().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("What is left is no setting:");
        t.next().stream()
                .limit(MOST_NEXT)
                .forEach(a ->
                        lines.addAll(
                                TextLines.wrap(
                                        "  "
                                                + a.says()
                                                + a.predictedQpsRatio()
                                                        .filter(r -> r > 1)
                                                        .map(r ->
                                                                String.format(
                                                                        Locale.ROOT,
                                                                        " (throughput × %.2f predicted)",
                                                                        r))
                                                        .orElse(""),
                                        "    ",
                                        2)));
    }

    private static String row(
            String bottleneck,
            String tried,
            String predicted,
            String measured,
            String interval,
            String is) {
        return String.format(
                        Locale.ROOT,
                        "%-16s %-30s %9s %9s  %-16s %s",
                        TextLines.cut(bottleneck, 16),
                        TextLines.cut(tried, 30),
                        predicted,
                        measured,
                        interval,
                        is)
                .stripTrailing();
    }

    /// `tune --dry-run`.
    public static String preview(Tuning.Preview preview) {
        Diagnosed baseline = preview.baseline();
        List<Candidate> candidates = preview.candidates();
        List<String> lines = new ArrayList<>();
        lines.addAll(TextLines.wrap(baseline.says(), "  ", 3));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%s/s, %s ms with %d in flight",
                        Figures.number(baseline.qps()),
                        Figures.number(baseline.rtMs()),
                        baseline.concurrency()));
        lines.add("");
        lines.add(
                candidates.isEmpty()
                        ? "There is no setting to try: declare knobs in the plan."
                        : "Would be tried, of the throughput predicted:");
        for (Candidate c : candidates) {
            lines.addAll(
                    TextLines.wrap(
                            String.format(
                                    Locale.ROOT, "  %8s  %s", TuneText.predicted(c), c.says()),
                            "            ",
                            2));
            lines.addAll(
                    TextLines.wrap(
                            "            " + TuneText.changes(c.changes()), "            ", 3));
        }
        preview.notes().forEach(n -> lines.addAll(TextLines.wrap("note: " + n, "  ", 2)));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    /// `jdyno/tune/1`.
    public static String json(Tuned t) {
        return JsonDocument.line(TuneForm.of(t));
    }

    /// A line while it goes on.
    public static String line(Tuned.Tried t) {
        return "  "
                + TuneText.name(t.candidate())
                + ": "
                + t.best().map(TuneText::gain).orElse("no figure")
                + t.best()
                        .flatMap(Measured::ci95)
                        .map(ci -> " (" + TuneText.interval(ci) + ")")
                        .orElse("")
                + ", "
                + TuneText.fate(t)
                + (t.why().isEmpty() ? "" : ": " + t.why());
    }
}
