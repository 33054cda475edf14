package dev.jdyno.report;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.NoteText;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.TuneText;
import dev.jdyno.tune.BudgetPlan;
import dev.jdyno.tune.Candidate;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.Preview;
import dev.jdyno.tune.SearchEnd;
import dev.jdyno.tune.Tuned;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Renders a tuning, as text for the terminal and as JSON.
public final class TuneReport {
    private static final int MAX_NEXT = 3;

    /// Maximum lines for a text whose length the service controls.
    private static final int MAX_LINES = 6;

    /// Columns of a candidate's name in the table.
    private static final int NAME_WIDTH = 38;

    private static final String NOT_EXAMINED = "not looked at";

    private TuneReport() {}

    public static String terminal(Tuned t) {
        List<String> lines = new ArrayList<>();
        if (t.partial()) {
            lines.add("PARTIAL: cut short, this is what was measured so far");
        }
        lines.addAll(TextLines.wrap(TuneText.verdict(t), "  ", 3));
        if (t.baseline().qps() > 0) {
            lines.addAll(
                    TextLines.fold(
                            String.format(
                                    Locale.ROOT,
                                    "Before, at N=%d: %s/s, %s ms, limited by %s",
                                    t.baseline().concurrency(),
                                    Figures.number(t.baseline().qps()),
                                    Figures.number(t.baseline().rtMs()),
                                    limit(t.baseline())),
                            "",
                            "  ",
                            MAX_LINES,
                            TextLines.WIDTH));
        }
        table(t, lines);
        if (!t.changes().isEmpty()) {
            result(t, lines);
        } else if (!t.rounds().isEmpty() || !t.partial()) {
            lines.add("");
            lines.add("Start it as before");
            lines.add("  " + Secrets.commandLine(t.command()));
        }
        next(t, lines);
        lines.add("");
        lines.addAll(TextLines.wrap(TuneText.how(t), "  ", 2));
        TuneText.notes(t).forEach(n -> lines.addAll(folded("note: " + n, "  ")));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static List<String> folded(String text, String indent) {
        return TextLines.fold(text, indent, indent, MAX_LINES, TextLines.WIDTH);
    }

    private static void table(Tuned t, List<String> lines) {
        if (t.rounds().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(row("tried", "predicted", "measured", "95 %", "starts", "is"));
        Optional<Diagnosed> above = Optional.empty();
        for (Tuned.Round round : t.rounds()) {
            if (!above.equals(Optional.of(round.diagnosed()))) {
                lines.add("bottleneck " + round.diagnosed().bottleneck().key());
            }
            above = Optional.of(round.diagnosed());
            round.tried().forEach(tried -> tried(tried, lines));
        }
        unseen(t).forEach(c -> candidate(c, Optional.empty(), NOT_EXAMINED, lines));
        TuneText.load(t).ifPresent(load -> lines.addAll(folded(load, "")));
        TuneText.by(t).ifPresent(by -> lines.addAll(folded(by, "")));
    }

    private static List<Candidate> unseen(Tuned t) {
        return t.searchEnd().map(SearchEnd::unseen).orElse(List.of());
    }

    /// Prints a name that is too long for its column on lines of its own.
    private static void tried(Tuned.Tried tried, List<String> lines) {
        candidate(tried.candidate(), tried.best(), TuneText.fate(tried), lines);
        if (!tried.why().isEmpty()) {
            lines.addAll(folded(tried.why(), "    "));
        }
    }

    private static void candidate(
            Candidate candidate, Optional<Measured> best, String is, List<String> lines) {
        List<String> name =
                TextLines.fold(TuneText.name(candidate), "  ", "    ", MAX_LINES, TextLines.WIDTH);
        boolean fits = name.size() == 1 && name.getFirst().length() <= NAME_WIDTH;
        if (!fits) {
            lines.addAll(name);
        }
        lines.add(
                row(
                        fits ? name.getFirst() : "",
                        TuneText.predicted(candidate),
                        best.map(TuneText::gain).orElse("-"),
                        best.flatMap(Measured::ci95).map(TuneText::interval).orElse("-"),
                        best.map(m -> String.valueOf(m.starts())).orElse("-"),
                        is));
    }

    private static String limit(Diagnosed d) {
        return d.bottleneck().key() + (d.where().isEmpty() ? "" : " at " + d.where());
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
                                                + TuneText.effect(a.measured()),
                                        "    ",
                                        2)));
        lines.add("");
        lines.add("Start it with");
        // The command stays on one line, so that it can be copied whole.
        lines.add("  " + Secrets.commandLine(t.command()));
        t.files().forEach(f -> lines.add("  " + f.copy() + " is made of " + f.original()));
    }

    private static void next(Tuned t, List<String> lines) {
        if (t.next().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(TuneText.beyondSettings(t) + ":");
        t.next().stream()
                .limit(MAX_NEXT)
                .forEach(a -> lines.addAll(folded(TuneText.advice(a), "    ")));
    }

    private static String row(
            String tried,
            String predicted,
            String measured,
            String interval,
            String starts,
            String is) {
        return String.format(
                        Locale.ROOT,
                        "%-" + NAME_WIDTH + "s %9s %9s  %-16s %6s  %s",
                        tried,
                        predicted,
                        measured,
                        interval,
                        starts,
                        is)
                .stripTrailing();
    }

    /// A table of how the budget is spent, followed by the candidates that it does not cover.
    public static String plan(BudgetPlan plan) {
        List<String> lines = new ArrayList<>();
        lines.add(plan("The budget of " + Durations.format(plan.budget()) + " buys", "in all"));
        for (BudgetPlan.Item item : plan.items()) {
            TuneText.item(item)
                    .ifPresent(says -> lines.add(plan("  " + says, CompareText.time(item.all()))));
        }
        notInIt(plan.noTime(), "no time", lines);
        notInIt(plan.later(), "their turn comes after the first ones", lines);
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static String plan(String what, String time) {
        return String.format(Locale.ROOT, "%-60s %10s", what, time);
    }

    private static void notInIt(List<Candidate> left, String why, List<String> lines) {
        if (!left.isEmpty()) {
            String names = left.stream().map(TuneText::name).collect(Collectors.joining(", "));
            lines.addAll(
                    TextLines.fold(
                            "not in it (" + why + "): " + names,
                            "  ",
                            "    ",
                            MAX_LINES,
                            TextLines.WIDTH));
        }
    }

    /// The text of `tune --dry-run`.
    public static String preview(Preview preview) {
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
        String below = " ".repeat(12);
        for (Candidate c : candidates) {
            lines.addAll(
                    TextLines.fold(
                            c.says(),
                            String.format(Locale.ROOT, "  %8s  ", TuneText.predicted(c)),
                            below,
                            MAX_LINES,
                            TextLines.WIDTH));
            lines.addAll(folded(TuneText.changes(c.changes()), below));
        }
        if (!candidates.isEmpty()) {
            lines.add("");
            lines.addAll(folded(TuneText.order(candidates.size(), preview.first()), ""));
            lines.add("");
            plan(preview.plan()).lines().forEach(lines::add);
        }
        NoteText.of(preview.notes()).forEach(n -> lines.addAll(folded("note: " + n, "  ")));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    /// Returns the JSON document `jdyno/tune/1`.
    public static String json(Tuned t) {
        return JsonDocument.line(t);
    }

    /// The line that is printed after a candidate has been tried.
    public static String line(Tuned.Tried t) {
        return line(t, TuneText.fate(t) + (t.why().isEmpty() ? "" : ": " + t.why()));
    }

    /// The line that is printed after a short measurement that justifies a comparison.
    public static String promising(Tuned.Tried t) {
        return line(t, "promising, so it is compared when all were looked at");
    }

    private static String line(Tuned.Tried t, String is) {
        return "  "
                + TuneText.name(t.candidate())
                + ": "
                + t.best().map(TuneText::gain).orElse("no figure")
                + t.best()
                        .flatMap(Measured::ci95)
                        .map(ci -> " (" + TuneText.interval(ci) + ")")
                        .orElse("")
                + ", "
                + is;
    }
}
