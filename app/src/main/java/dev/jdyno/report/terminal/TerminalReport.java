package dev.jdyno.report.terminal;

import static dev.jdyno.report.words.TextLines.cut;
import static dev.jdyno.report.words.TextLines.more;
import static dev.jdyno.report.words.TextLines.wrap;
import static dev.jdyno.report.words.TextLines.wrapWith;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.ObserverOverhead;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.DiskText;
import dev.jdyno.report.words.ExceptionText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.GcLogText;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.KneeLines;
import dev.jdyno.report.words.LayerText;
import dev.jdyno.report.words.LoadText;
import dev.jdyno.report.words.OverheadText;
import dev.jdyno.report.words.QueueText;
import dev.jdyno.report.words.RecommendationLines;
import dev.jdyno.report.words.RequestStall;
import dev.jdyno.report.words.RunnerUpText;
import dev.jdyno.report.words.SourceText;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.WhatIfText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The result as a terminal shows it: one line a round while it runs, then the verdict in at most
/// {@link #MOST_LINES} lines of {@link TextLines#WIDTH} columns. ASCII of its own. Room that is
/// left goes to sentences that would be cut, then to blank lines; what it leaves out for want of
/// room it counts.
public final class TerminalReport {
    /// A screenful of today's terminals.
    public static final int MOST_LINES = 32;

    /// How many lines each part may take; together with one heading each they fill a screenful.
    private static final int MOST_WARNINGS = 2;

    private static final int MOST_EVIDENCE = 3;
    private static final int MOST_PARTS = 4;
    private static final int PARTS_BEFORE = 4;
    private static final int MOST_WHAT_IFS = 2;
    private static final int MOST_RECOMMENDATIONS = 2;
    private static final int MOST_RUNNERS_UP = 1;

    /// The bracket under goals takes three lines from these.
    private static final int MOST_PARTS_BESIDE_GOAL = 3;

    private static final int MOST_WHAT_IFS_BESIDE_GOAL = 1;
    private static final int MOST_RECOMMENDATIONS_BESIDE_GOAL = 1;

    private static final int MOST_PROOF_LINES = 3;

    /// Lines that one sentence of each kind may take.
    private record Room(
            int says, int note, int evidence, int recommendation, int knee, int runnerUp) {}

    /// The first that fits is taken; the last always does.
    private static final List<Room> ROOMS =
            List.of(
                    new Room(6, 3, 3, 3, 4, 3),
                    new Room(5, 2, 2, 2, 3, 2),
                    new Room(4, 2, 1, 2, 3, 2),
                    new Room(3, 1, 1, 1, 2, 1));

    private static final int BAR = 30;

    private final boolean colour;

    /// @param colour whether to use colours, for a {@link TerminalWriter} (the caller knows
    ///   terminal, flag and NO_COLOR)
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
                        Figures.carries(r.requests(), 0.99)
                                ? Figures.number(r.rtMs().p99())
                                : "-"));
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
            line.append("  ")
                    .append(red(r.client().heldUp() ? "client held up" : "client saturated"));
        }
        r.failures().stream()
                .findFirst()
                .ifPresent(f ->
                        line.append("\n    ")
                                .append(f.kind())
                                .append(' ')
                                .append(f.count())
                                .append(": ")
                                .append(FailureText.says(f)));
        return line.toString();
    }

    /// The verdict; every line ends with a line end.
    ///
    /// @param folder where the files of the run are; empty when none were written
    public String verdict(RunResult r, Optional<Path> folder) {
        List<List<String>> parts = List.of();
        for (Room room : ROOMS) {
            parts = parts(r, folder, room);
            if (parts.stream().mapToInt(List::size).sum() <= MOST_LINES) {
                break;
            }
        }
        for (String says : LoadText.of(r)) {
            parts = withRoom(parts, List.of(load(says)));
        }
        parts = withRoom(withRoom(parts, inside(r)), costOfLooking(r));
        parts = withRoom(parts, gcLog(r).stream().toList());
        parts = withRoom(parts, LayerText.lines(r.layers()).stream().map(l -> cut(l)).toList());
        return spaced(parts).stream().map(l -> l + "\n").collect(Collectors.joining());
    }

    private String load(String says) {
        return bold("Load") + "  " + cut(says, TextLines.WIDTH - "Load  ".length());
    }

    private Optional<String> gcLog(RunResult r) {
        return r.gcLog()
                .map(GcLogText::of)
                .map(says -> bold("GC") + "  " + cut(says, TextLines.WIDTH - "GC  ".length()));
    }

    /// What was seen inside at the highest load beside the threads: who waits for pools, disks, and
    /// exceptions.
    private static List<String> inside(RunResult r) {
        List<String> lines = new ArrayList<>();
        Highlights.busiestWindow(r)
                .ifPresent(c -> {
                    QueueText.line(c).ifPresent(lines::add);
                    lines.addAll(DiskText.lines(c.signals().disks()));
                });
        ExceptionText.line(r.insight()).ifPresent(lines::add);
        return lines.stream().map(l -> cut(l)).toList();
    }

    /// What taking diagnostic windows cost at the highest load: the page has all windows.
    private static List<String> costOfLooking(RunResult r) {
        List<ObserverOverhead> costs = ObserverOverhead.of(r.census());
        if (costs.isEmpty()) {
            return List.of();
        }
        String line = OverheadText.of(costs.getLast());
        String more = more(costs.size(), 1, "more").orElse("");
        boolean fits = line.length() + more.length() <= TextLines.WIDTH;
        return List.of(cut(fits ? line + more : line));
    }

    /// With one more part, before the last, where there is room for it.
    private static List<List<String>> withRoom(List<List<String>> parts, List<String> part) {
        int taken = parts.stream().mapToInt(List::size).sum();
        if (part.isEmpty() || taken + part.size() > MOST_LINES) {
            return parts;
        }
        List<List<String>> more = new ArrayList<>(parts);
        more.add(parts.size() - 1, part);
        return more;
    }

    private List<List<String>> parts(RunResult r, Optional<Path> folder, Room room) {
        List<String> top = new ArrayList<>();
        warnings(r, room, top);
        says(r, room, top);
        r.proof().ifPresent(p -> top.addAll(proof(p)));
        List<String> end = new ArrayList<>();
        runnersUp(r.verdict(), room, end);
        folder.ifPresent(f -> end.add(cut("Files  " + f + " (report.html, result.json)")));
        var kneeLines = new KneeLines(this::bold);
        List<String> goal = r.goal().map(kneeLines::goal).orElseGet(List::of);
        List<String> knee = kneeLines.knee(r, room.knee());
        return List.of(top, recommendations(r, room), goal, anatomy(r), knee, whatIf(r), end);
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

    private void warnings(RunResult r, Room room, List<String> lines) {
        String partial = r.partial() ? "PARTIAL: cut short, this is what was measured so far" : "";
        var sorted =
                r.validity().warnings().stream()
                        .sorted(Comparator.comparing(Validity.Warning::spoils).reversed())
                        .toList();
        if (!r.validity().ok()) {
            String and = r.partial() ? "; " + partial : "";
            lines.add(red("NOT VALID: do not use these figures" + and));
        } else if (r.partial()) {
            lines.add(yellow(partial));
        }
        String hidden = more(sorted.size(), MOST_WARNINGS, "more warnings").orElse("");
        for (int i = 0; i < Math.min(MOST_WARNINGS, sorted.size()); i++) {
            var w = sorted.get(i);
            String end = i == MOST_WARNINGS - 1 ? hidden : "";
            var text =
                    wrapWith((w.spoils() ? "reason: " : "note: ") + w.says(), "", room.note(), end);
            text.forEach(l -> lines.add(w.spoils() ? red(l) : yellow(l)));
        }
    }

    /// The name and what speaks for it; a stall that requests had takes the line of one piece of
    /// evidence. A spoilt run's name is no finding.
    private void says(RunResult r, Room room, List<String> lines) {
        Verdict v = r.verdict();
        Optional<RequestStall> freeze = RequestStall.of(r);
        boolean valid = r.validity().ok();
        var source = SourceText.of(r.insight());
        String name =
                v.bottleneck().key()
                        + (v.where().isBlank() ? "" : " at " + source.beside(v.where()));
        String sure = String.format(Locale.ROOT, "  (confidence %.2f)", v.confidence());
        String head = valid ? "Bottleneck: " : "Bottleneck, if the figures were valid: ";
        lines.add(bold(cut(head + name, TextLines.WIDTH - sure.length())) + sure);
        lines.addAll(wrap(source.beside(v.says()), "  ", room.says()));
        freeze.ifPresent(f -> lines.add(cut("  " + f.line())));
        int most = freeze.isPresent() ? MOST_EVIDENCE - 1 : MOST_EVIDENCE;
        String hidden = more(v.evidence().size(), most, "more in the report").orElse("");
        int shown = Math.min(most, v.evidence().size());
        for (int i = 0; i < shown; i++) {
            String end = i == most - 1 ? hidden : "";
            String evidence = source.beside(v.evidence().get(i).says());
            lines.addAll(item("  - ", evidence, room.evidence(), end));
        }
    }

    /// A text behind a mark, its further lines indented as deep.
    private static List<String> item(String mark, String text, int most, String end) {
        List<String> lines = wrapWith(text, " ".repeat(mark.length()), most, end);
        lines.set(0, mark + lines.getFirst().substring(mark.length()));
        return lines;
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
            return List.of("Response-time breakdown: not measured (no thread dumps)");
        }
        var parts =
                Highlights.parts(round.get()).stream()
                        .sorted(Comparator.comparingDouble(Highlights.Part::ms).reversed())
                        .toList();
        double total = Highlights.total(parts);
        String heading =
                String.format(
                        Locale.ROOT,
                        "Response-time breakdown at N=%2$d, %1$s ms%3$s%4$s%5$s",
                        Figures.number(round.get().rtMs().mean()),
                        round.get().concurrency(),
                        Highlights.addsUp(total, round.get())
                                ? ""
                                : ", parts sum to " + Figures.number(total) + " ms",
                        stray(r, round.get()),
                        predictedElsewhere(r));
        int most = r.goal().isPresent() ? MOST_PARTS_BESIDE_GOAL : MOST_PARTS;
        String hidden = more(parts.size(), most, "smaller").orElse("");
        lines.add(bold(heading) + hidden);
        for (var part : parts.stream().limit(most).toList()) {
            double share = total == 0 ? 0 : part.ms() / total;
            String bar = "#".repeat((int) Math.round(share * BAR));
            String where =
                    Highlights.where(anatomy.get(), part, r.verdict().bottleneck())
                            .map(SourceText.of(r.insight())::beside)
                            .orElse("");
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
        before(r, round.get()).ifPresent(lines::add);
        return lines;
    }

    /// That predictions are for another load, for throughput has fallen up to this one.
    private static String predictedElsewhere(RunResult r) {
        return Highlights.lookedIntoElsewhere(r)
                .flatMap(_ -> r.recording().reported())
                .map(now -> String.format(Locale.ROOT, " (predictions: N=%d)", now.concurrency()))
                .orElse("");
    }

    /// Where requests were at the lowest load that was looked into: what grew since is the queue.
    private static Optional<String> before(RunResult r, Round shown) {
        return Highlights.anatomyRounds(r).stream()
                .filter(x -> x.concurrency() < shown.concurrency())
                .min(Comparator.comparingInt(Round::concurrency))
                .map(x -> {
                    var parts = Highlights.parts(x);
                    double all = Highlights.total(parts);
                    return parts.stream()
                            .sorted(Comparator.comparingDouble(Highlights.Part::ms).reversed())
                            .limit(PARTS_BEFORE)
                            .filter(p -> Highlights.reads(p.ms() / all))
                            .map(p -> p.name() + " " + Figures.percent(p.ms() / all))
                            .collect(
                                    Collectors.joining(
                                            ", ",
                                            String.format(
                                                    Locale.ROOT,
                                                    "  at N=%d of %s ms: ",
                                                    x.concurrency(),
                                                    Figures.number(x.rtMs().mean())),
                                            ""));
                })
                .map(said -> cut(said));
    }

    /// That what was seen of requests was seen at another throughput than the round's.
    private static String stray(RunResult r, Round round) {
        return Highlights.windowQps(r, round)
                .filter(qps -> Highlights.strays(qps, round))
                .map(qps ->
                        String.format(
                                Locale.ROOT,
                                ", measured at %s/s (the round: %s/s)",
                                Figures.number(qps),
                                Figures.number(round.qps())))
                .orElse("");
    }

    private List<String> recommendations(RunResult r, Room room) {
        int most = r.goal().isPresent() ? MOST_RECOMMENDATIONS_BESIDE_GOAL : MOST_RECOMMENDATIONS;
        List<String> lines =
                new ArrayList<>(
                        RecommendationLines.of(
                                r.prescriptions(),
                                SourceText.of(r.insight()),
                                r.recording().reported(),
                                most,
                                room.recommendation()));
        if (!lines.isEmpty()) {
            lines.set(0, bold(lines.getFirst()));
            Commands.of(r.prescriptions().getFirst(), r)
                    .verify()
                    .ifPresent(v -> lines.addAll(wrap("    verify the first: " + v, "      ", 2)));
        }
        return lines;
    }

    private List<String> whatIf(RunResult r) {
        if (r.whatIf().isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        String load = r.recording().reported().map(now -> " at " + Highlights.load(now)).orElse("");
        String heading =
                String.format(
                        Locale.ROOT, "%-44s %8s %8s %8s", "What if" + load, "QPS", "RT ms", "knee");
        int most = r.goal().isPresent() ? MOST_WHAT_IFS_BESIDE_GOAL : MOST_WHAT_IFS;
        lines.add(bold(heading) + more(r.whatIf().size(), most, "more in the report").orElse(""));
        for (var w : r.whatIf().stream().limit(most).toList()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-44s %8s %8s %8s",
                            cut("  " + w.change() + WhatIfText.elsewhere(w, r), 44),
                            Figures.number(WhatIfText.qps(w)),
                            Figures.number(WhatIfText.rtMs(w)),
                            Figures.number(w.kneeConcurrency())));
        }
        return lines;
    }

    private void runnersUp(Verdict v, Room room, List<String> lines) {
        String hidden = more(v.runnersUp().size(), MOST_RUNNERS_UP, "more runners-up").orElse("");
        for (var u : v.runnersUp().stream().limit(MOST_RUNNERS_UP).toList()) {
            var text = wrapWith(RunnerUpText.of(u), "    ", room.runnerUp(), hidden);
            text.set(0, text.getFirst().strip());
            lines.addAll(text);
        }
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

    private String bold(String text) {
        return colour ? Ink.BOLD.on(text) : text;
    }

    private String red(String text) {
        return colour ? Ink.RED.on(text) : text;
    }

    private String yellow(String text) {
        return colour ? Ink.YELLOW.on(text) : text;
    }
}
