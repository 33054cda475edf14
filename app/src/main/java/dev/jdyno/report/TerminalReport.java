package dev.jdyno.report;

import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.GoalKnee;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.StageTimes;
import dev.jdyno.measure.Validity;
import dev.jdyno.measure.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The result as a terminal shows it: one line a round while it runs, then the verdict in at most
/// {@link #MOST_LINES} lines of {@link #WIDTH} columns. ASCII of its own; what it leaves out for
/// want of room it counts.
public final class TerminalReport {
    /// A screenful: the classic terminal's 24 lines.
    public static final int MOST_LINES = 24;

    /// Columns.
    public static final int WIDTH = 100;

    /// How many lines each part may take; together with one heading each they fill a screenful.
    private static final int MOST_WARNINGS = 2;

    private static final int MOST_EVIDENCE = 3;
    private static final int MOST_PARTS = 4;
    private static final int MOST_WHAT_IFS = 2;
    private static final int MOST_CURES = 2;
    private static final int MOST_RUNNERS_UP = 1;

    /// The bracket under goals takes three lines from these.
    private static final int MOST_PARTS_BESIDE_GOAL = 3;

    private static final int MOST_WHAT_IFS_BESIDE_GOAL = 1;
    private static final int MOST_CURES_BESIDE_GOAL = 1;

    private static final int MOST_PROOF_LINES = 3;
    private static final int MOST_KNEE_LINES = 2;

    /// Leaves room for the bracket on the same line.
    private static final int MOST_GOAL_COLUMNS = 33;

    private static final int MOST_SAYS_COLUMNS = WIDTH - MOST_GOAL_COLUMNS - 2;

    private static final int BAR = 30;

    private final boolean colour;

    /// @param colour whether to use ANSI colours (the caller knows terminal, flag and NO_COLOR)
    public TerminalReport(boolean colour) {
        this.colour = colour;
    }

    /// One round: `N=16 QPS 171 RT p50 92 p99 131 ms CPU 1.71/2 cores GC 0.3/s`.
    public String round(Round r) {
        var line = new StringBuilder();
        line.append(String.format(Locale.ROOT, "N=%-4d", r.concurrency()));
        r.ratePerS()
                .ifPresent(
                        rate -> line.append(" rate ").append(Figures.number(rate)).append("/s "));
        line.append(String.format(Locale.ROOT, " QPS %-6s", Figures.number(r.qps())));
        line.append(
                String.format(
                        Locale.ROOT,
                        "  RT p50 %-5s p99 %-5s ms",
                        Figures.number(r.rtMs().p50()),
                        Figures.number(r.rtMs().p99())));
        line.append("  CPU ")
                .append(
                        r.cpu()
                                .map(c ->
                                        Figures.number(c.processCores())
                                                + "/"
                                                + Figures.number(c.availableCores())
                                                + " cores")
                                .orElse("not seen"));
        line.append("  GC ").append(r.gc().map(g -> gc(g, r.seconds())).orElse("not seen"));
        if (r.errors() > 0) {
            line.append("  ").append(red("errors " + r.errors() + errorKinds(r)));
        }
        if (r.client().saturated()) {
            line.append("  ").append(red("client saturated"));
        }
        return line.toString();
    }

    /// The verdict; every line ends with a line end.
    ///
    /// @param folder where the files of the run are; empty when none were written
    public String verdict(RunResult r, Optional<Path> folder) {
        List<String> top = new ArrayList<>();
        warnings(r, top);
        says(r.verdict(), top);
        r.proof().ifPresent(p -> top.addAll(proof(p)));
        List<String> end = new ArrayList<>();
        runnersUp(r.verdict(), MOST_RUNNERS_UP, end);
        folder.ifPresent(f -> end.add(cut("Files  " + f + " (report.html, result.json)")));
        List<String> goal = r.goal().map(this::goal).orElseGet(List::of);
        return spaced(List.of(top, goal, anatomy(r), cures(r), knee(r), whatIf(r), end)).stream()
                .map(l -> l + "\n")
                .collect(Collectors.joining());
    }

    /// The times of stages, a table for each load; below the verdict, for whoever asked for them.
    public static String stages(List<StageTimes> all) {
        var text = new StringBuilder();
        for (StageTimes times : all) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "\nStages, %s%.0f s, every call, by %s\n%-50s %8s %9s %9s %9s %9s\n",
                            times.concurrency() == 0 ? "" : times.concurrency() + " in flight, ",
                            times.seconds(),
                            times.source(),
                            "  method",
                            "calls",
                            "mean ms",
                            "min ms",
                            "max ms",
                            "std dev"));
            for (var s : times.stages()) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                "%-50s %8d %9s %9s %9s %9s\n",
                                cut("  " + s.tag(), 50),
                                s.count(),
                                maybe(s.meanMs()),
                                maybe(s.minMs()),
                                maybe(s.maxMs()),
                                maybe(s.stdDevMs())));
            }
            if (!times.note().isEmpty()) {
                text.append("  ").append(times.note()).append('\n');
            }
        }
        return text.toString();
    }

    /// What a request costs more than in an earlier run.
    public static String grown(List<Insight.Grown> since) {
        if (since.isEmpty()) {
            return "\nNo method costs a request more than before, beyond the error of its samples.\n";
        }
        var text = new StringBuilder("\nWhat a request costs now and cost before, ms\n");
        for (var g : since) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  %-5s %9s %9s  %s\n",
                            g.kind().key(),
                            Figures.number(g.afterMs()),
                            Figures.number(g.beforeMs()),
                            cut(g.method(), 70)));
        }
        return text.toString();
    }

    private static String maybe(Optional<Double> figure) {
        return figure.map(Figures::number).orElse("-");
    }

    /// The parts one under the other, with blank lines between them as long as there is room.
    private static List<String> spaced(List<List<String>> parts) {
        int room = MOST_LINES - parts.stream().mapToInt(List::size).sum();
        List<String> lines = new ArrayList<>();
        for (var part : parts) {
            if (room > 0 && !lines.isEmpty() && !part.isEmpty()) {
                lines.add("");
                room--;
            }
            lines.addAll(part);
        }
        return lines;
    }

    private void warnings(RunResult r, List<String> lines) {
        String partial = r.partial() ? "PARTIAL: cut short, this is what was measured so far" : "";
        var sorted =
                r.validity().warnings().stream()
                        .sorted(Comparator.comparing(Validity.Warning::spoils).reversed())
                        .toList();
        String hidden = more(sorted.size(), MOST_WARNINGS, "more warnings").orElse("");
        if (!r.validity().ok()) {
            String and = r.partial() ? "; " + partial : "";
            lines.add(red("NOT VALID: do not use these figures" + and));
        } else if (r.partial()) {
            lines.add(yellow(partial));
        }
        for (var w : sorted.stream().limit(MOST_WARNINGS).toList()) {
            String line = cut((w.spoils() ? "spoilt: " : "note: ") + w.says());
            lines.add(w.spoils() ? red(line) : yellow(line));
        }
        if (!hidden.isEmpty()) {
            String last = cutWith(Figures.plain(sorted.get(MOST_WARNINGS - 1).says()), hidden);
            lines.set(lines.size() - 1, yellow(last));
        }
    }

    private void says(Verdict v, List<String> lines) {
        String name = v.bottleneck().key() + (v.where().isBlank() ? "" : " at " + v.where());
        lines.add(
                bold(cut("Bottleneck: " + name, 75))
                        + String.format(Locale.ROOT, "  (confidence %.2f)", v.confidence()));
        lines.addAll(wrap(v.says(), "  ", 2));
        for (var e : v.evidence().stream().limit(MOST_EVIDENCE).toList()) {
            lines.add(cut("  - " + e.says()));
        }
        more(v.evidence().size(), MOST_EVIDENCE, "more lines of evidence")
                .ifPresent(m -> lines.set(lines.size() - 1, cutWith(lines.getLast(), m)));
    }

    /// The answer, with as many lines of figures as two experiments need.
    private List<String> proof(Proof p) {
        String answer = "Tested: " + p.answer().key().replace('-', ' ');
        List<String> lines = wrap(answer + ". " + p.says(), "  ", MOST_PROOF_LINES);
        lines.set(0, bold(lines.getFirst()));
        return lines;
    }

    private List<String> anatomy(RunResult r) {
        List<String> lines = new ArrayList<>();
        var round = Highlights.anatomyRound(r);
        var anatomy = round.flatMap(Round::anatomy);
        if (round.isEmpty() || anatomy.isEmpty()) {
            return List.of("Where a request's time goes: not seen (no thread dumps)");
        }
        var parts =
                Highlights.parts(anatomy.get()).stream()
                        .sorted(Comparator.comparingDouble(Highlights.Part::ms).reversed())
                        .toList();
        double total = parts.stream().mapToDouble(Highlights.Part::ms).sum();
        String heading =
                String.format(
                        Locale.ROOT,
                        "Where the %s ms of a request go at N=%d%s",
                        Figures.number(total),
                        round.get().concurrency(),
                        stray(r, round.get()));
        int most = r.goal().isPresent() ? MOST_PARTS_BESIDE_GOAL : MOST_PARTS;
        String hidden = more(parts.size(), most, "smaller").orElse("");
        lines.add(bold(heading) + hidden);
        for (var part : parts.stream().limit(most).toList()) {
            double share = total == 0 ? 0 : part.ms() / total;
            String bar = "#".repeat((int) Math.round(share * BAR));
            String where = Highlights.where(anatomy.get(), part).orElse("");
            lines.add(
                    cut(
                            String.format(
                                    Locale.ROOT,
                                    "  %-15s %6s ms %5s  %-" + BAR + "s %s",
                                    part.name(),
                                    Figures.number(part.ms()),
                                    Figures.percent(share),
                                    bar,
                                    where)));
        }
        return lines;
    }

    /// That what was seen of requests was seen at another throughput than the round's.
    private static String stray(RunResult r, Round round) {
        return Highlights.windowQps(r, round)
                .filter(qps -> Highlights.strays(qps, round))
                .map(qps ->
                        String.format(
                                Locale.ROOT,
                                ", seen at %s/s (the round: %s/s)",
                                Figures.number(qps),
                                Figures.number(round.qps())))
                .orElse("");
    }

    /// The bracket under goals, above the knee of throughput.
    private List<String> goal(GoalKnee g) {
        if (g.holdsNowhere()) {
            return List.of(bold("Goal") + "  " + cut(g.says()));
        }
        if (g.isUntested()) {
            String goals = "Goal " + String.join(", ", g.goals());
            return List.of(
                    bold(cut(goals, MOST_GOAL_COLUMNS)) + "  " + cut(g.says(), MOST_SAYS_COLUMNS));
        }
        List<String> lines = new ArrayList<>();
        lines.add(
                bold(cut("Goal " + String.join(", ", g.goals()), MOST_GOAL_COLUMNS))
                        + String.format(
                                Locale.ROOT,
                                "  good at %s, bad at %s, most likely %s/s",
                                rate(g.good()),
                                rate(g.bad()),
                                Figures.number(g.estimate())));
        lines.add(
                cut(
                        String.format(
                                Locale.ROOT,
                                "  %s knee by %s after %s s of load; JVM stops make %s of the misses; limit: %s",
                                g.hard() ? "hard" : "soft",
                                g.bindingGoal(),
                                Figures.number(g.loadSeconds()),
                                Figures.percent(g.pausesShare()),
                                g.limit())));
        if (!g.narrow().isBlank()) {
            lines.add(cut("  narrower by " + g.narrow()));
        }
        return lines;
    }

    private static String rate(Optional<Double> perSecond) {
        return perSecond.map(v -> Figures.number(v) + "/s").orElse("no rate tested");
    }

    private List<String> knee(RunResult r) {
        if (r.knee().isEmpty()) {
            String why = r.capacityNotes().isEmpty() ? "" : ": " + r.capacityNotes().getFirst();
            List<String> lines =
                    wrap("none found in these rounds" + why, "      ", MOST_KNEE_LINES);
            lines.set(0, bold("Knee") + lines.getFirst().substring(4));
            return lines;
        }
        Knee k = r.knee().get();
        List<String> lines = new ArrayList<>();
        lines.add(
                bold("Knee")
                        + String.format(
                                Locale.ROOT,
                                "  N=%s (95 %%: %s)  QPS %s  RT %s ms  after %s s of load",
                                Figures.number(k.concurrency()),
                                Figures.range(k.ci95()),
                                Figures.number(k.qps()),
                                Figures.number(k.rtMs()),
                                Figures.number(k.loadSeconds())));
        if (Highlights.crowded(r)) {
            lines.add("  predicted: not to be trusted, others hold much of this machine");
            return lines;
        }
        k.predicted().ifPresent(p -> lines.add(predicted(p, k)));
        return lines;
    }

    /// What is foretold of CPU is no prediction of a limit that is something else.
    private static String predicted(Knee.Predicted p, Knee k) {
        return p.ofTheLimit()
                ? String.format(
                        Locale.ROOT,
                        "  predicted: N=%s (%s) by F1, QPS %s (%s) by F2",
                        Figures.number(p.concurrency()),
                        Figures.percentChange(p.concurrency() / k.concurrency()),
                        Figures.number(p.qps()),
                        Figures.percentChange(p.qps() / k.qps()))
                : String.format(
                        Locale.ROOT,
                        "  not predicted, for CPU is not the limit: it would allow N=%s (F1) and QPS %s (F2)",
                        Figures.number(p.concurrency()),
                        Figures.number(p.qps()));
    }

    private List<String> cures(RunResult r) {
        int most = r.goal().isPresent() ? MOST_CURES_BESIDE_GOAL : MOST_CURES;
        List<String> lines = new ArrayList<>(CureLines.of(r.prescriptions(), most));
        if (!lines.isEmpty()) {
            lines.set(0, bold(lines.getFirst()));
        }
        return lines;
    }

    private List<String> whatIf(RunResult r) {
        if (r.whatIf().isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        String heading =
                String.format(Locale.ROOT, "%-44s %8s %8s %8s", "What if", "QPS", "RT ms", "knee");
        int most = r.goal().isPresent() ? MOST_WHAT_IFS_BESIDE_GOAL : MOST_WHAT_IFS;
        lines.add(bold(heading) + more(r.whatIf().size(), most, "more in the report").orElse(""));
        for (var w : r.whatIf().stream().limit(most).toList()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-44s %8s %8s %8s",
                            cut("  " + w.change(), 44),
                            Figures.number(w.qps()),
                            Figures.number(w.rtMs()),
                            Figures.number(w.kneeConcurrency())));
        }
        return lines;
    }

    private void runnersUp(Verdict v, int most, List<String> lines) {
        int shown = Math.min(most, v.runnersUp().size());
        for (var u : v.runnersUp().subList(0, shown)) {
            String line =
                    String.format(
                            Locale.ROOT,
                            "Not %s (%.2f): %s",
                            u.bottleneck().key(),
                            u.confidence(),
                            u.whyNot());
            lines.add(cut(line));
        }
        more(v.runnersUp().size(), most, "more runners-up")
                .ifPresent(m -> lines.set(lines.size() - 1, cutWith(lines.getLast(), m)));
    }

    private static String gc(GcActivity g, double seconds) {
        double perS = seconds <= 0 ? 0 : (g.young().count() + g.full().count()) / seconds;
        String full = g.full().count() == 0 ? "" : " (" + g.full().count() + " full)";
        return Figures.number(perS) + "/s" + full;
    }

    private static String errorKinds(Round r) {
        return r.errorKinds().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(e -> " (most: " + Figures.plain(e.getKey()) + ")")
                .orElse("");
    }

    /// What was left out for want of room: ` (+3 more warnings)`.
    private static Optional<String> more(int all, int shown, String of) {
        return all <= shown
                ? Optional.empty()
                : Optional.of(" (+" + (all - shown) + " " + of + ")");
    }

    private static String cutWith(String line, String end) {
        return cut(line, WIDTH - end.length()) + end;
    }

    private static String cut(String line) {
        return cut(line, WIDTH);
    }

    private static String cut(String line, int columns) {
        String indent = line.substring(0, line.length() - line.stripLeading().length());
        String clean = indent + Figures.plain(line);
        return clean.length() <= columns ? clean : clean.substring(0, columns - 3) + "...";
    }

    /// Breaks at blanks; what does not fit into `most` lines ends in dots.
    private static List<String> wrap(String text, String indent, int most) {
        List<String> lines = new ArrayList<>();
        var line = new StringBuilder(indent);
        for (String word : Figures.plain(text).split(" +")) {
            boolean last = lines.size() == most - 1;
            if (!last
                    && line.length() > indent.length()
                    && line.length() + 1 + word.length() > WIDTH) {
                lines.add(cut(line.toString()));
                line = new StringBuilder(indent);
            }
            line.append(line.length() > indent.length() ? " " : "").append(word);
        }
        lines.add(cut(line.toString()));
        return lines;
    }

    private String bold(String text) {
        return colour ? "\u001b[1m" + text + "\u001b[0m" : text;
    }

    private String red(String text) {
        return colour ? "\u001b[1;31m" + text + "\u001b[0m" : text;
    }

    private String yellow(String text) {
        return colour ? "\u001b[33m" + text + "\u001b[0m" : text;
    }
}
