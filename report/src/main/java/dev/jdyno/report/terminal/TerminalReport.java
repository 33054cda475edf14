package dev.jdyno.report.terminal;

import dev.jdyno.measure.DisturbanceText;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.ObserverOverhead;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.words.DiskText;
import dev.jdyno.report.words.EndpointText;
import dev.jdyno.report.words.ExceptionText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.KneeLines;
import dev.jdyno.report.words.LayerText;
import dev.jdyno.report.words.LoadText;
import dev.jdyno.report.words.OverheadText;
import dev.jdyno.report.words.QueueText;
import dev.jdyno.report.words.RecommendationLines;
import dev.jdyno.report.words.Remarks;
import dev.jdyno.report.words.RequestStall;
import dev.jdyno.report.words.ShortNames;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.report.words.VerdictText;
import dev.jdyno.report.words.memory.GcLogText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Renders a result for a terminal. During the run it prints one line per round, then the verdict
/// in at most {@link #MAX_LINES} lines. Its own text is ASCII.
///
/// The {@link FirstScreen} has the answer. The parts below it support the answer, in this order:
/// warnings about the figures, the reasons, the response-time breakdown, other possible
/// bottlenecks, other recommendations. Lines that remain are used for further parts, then for blank
/// lines. Parts that do not fit are counted.
public final class TerminalReport {
    /// Number of lines of a usual terminal. A terminal with fewer columns than {@link
    /// TextLines#WIDTH} gets proportionally more lines.
    public static final int MAX_LINES = 32;

    /// Minimum columns that the tables need.
    public static final int MIN_COLUMNS = 80;

    /// Maximum columns of a line of text; longer lines are hard to read.
    public static final int MAX_COLUMNS = 120;

    private static final int MAX_NOTES = 2;

    /// Minimum lines for a note that may change the decision.
    private static final int MIN_OF_A_NOTE = 2;

    /// Maximum number of lines of evidence below the first screen.
    private static final int MAX_EVIDENCE = 1;

    private static final int MAX_RECOMMENDATIONS = 1;

    /// Maximum number of lines of one sentence in a further part.
    private static final int MAX_FURTHER = 2;

    private static final String IN_THE_REPORT = "more in the report";

    private final boolean colour;
    private final int columns;

    /// Creates a report for a terminal of {@link TextLines#WIDTH} columns.
    ///
    /// @param colour whether to use colours, for a {@link TerminalWriter} (the caller knows
    ///   terminal, flag and NO_COLOR)
    public TerminalReport(boolean colour) {
        this(colour, TextLines.WIDTH);
    }

    /// @param columns columns of the terminal; the report uses at least {@link #MIN_COLUMNS} and at
    ///   most {@link #MAX_COLUMNS}
    public TerminalReport(boolean colour, int columns) {
        this.colour = colour;
        this.columns = Math.clamp(columns, MIN_COLUMNS, MAX_COLUMNS);
    }

    /// Maximum number of lines: narrow terminals get more lines, so that the number of characters
    /// stays the same.
    private int maxLines() {
        return MAX_LINES * TextLines.WIDTH / Math.min(columns, TextLines.WIDTH);
    }

    /// The line of one round: `N=16 QPS 171 RT p50 92 p99 131 ms CPU 1.71/2 cores GC 0.3/s`.
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
        r.replies().filter(t -> t.isEarly(r.rtMs())).ifPresent(t -> line.append(firstByte(t, r)));
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
        r.disturbance()
                .ifPresent(d ->
                        line.append("  ")
                                .append(
                                        red(
                                                "disturbed: "
                                                        + Printable.plain(
                                                                DisturbanceText.who(d)))));
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

    private static String firstByte(ReplyTimes replies, Round r) {
        return String.format(
                Locale.ROOT,
                "  first byte p50 %s p99 %s ms",
                Figures.number(replies.ttfbMs().p50()),
                Figures.carries(r.requests(), 0.99) ? Figures.number(replies.ttfbMs().p99()) : "-");
    }

    /// The verdict; every line ends with a line end.
    ///
    /// @param folder folder with the files of the run; empty if none were written
    public String verdict(RunResult r, Optional<Path> folder) {
        var names = ShortNames.of(r.recording(), r.judged());
        List<List<String>> parts = List.of();
        for (LineBudget budget : LineBudget.ALL) {
            parts = parts(r, names, folder, budget);
            if (lines(parts) <= maxLines()) {
                break;
            }
        }
        for (String says : LoadText.of(r)) {
            parts = withPartIfItFits(parts, headed("Load", says));
        }
        parts =
                withPartIfItFits(
                        parts,
                        Highlights.service(r)
                                .flatMap(EndpointText::sentence)
                                .map(says -> headed("Endpoints", says))
                                .orElseGet(List::of));
        for (String says : inside(r, names)) {
            parts = withPartIfItFits(parts, entry(says));
        }
        parts = withPartIfItFits(parts, observerOverhead(r));
        parts =
                withPartIfItFits(
                        parts,
                        r.gcLog().map(g -> headed("GC", GcLogText.of(g))).orElseGet(List::of));
        parts = withPartIfItFits(parts, layers(r));
        return spaced(parts).stream().map(l -> l + "\n").collect(Collectors.joining());
    }

    /// Wraps a sentence. A heading of one word may come before it, separated by two blanks.
    private List<String> entry(String text) {
        String plain = Printable.plain(text);
        int gap = plain.indexOf("  ");
        return gap < 0 || plain.indexOf(' ') < gap
                ? wrap(plain, "    ", MAX_FURTHER)
                : item(plain.substring(0, gap + 2), plain.substring(gap + 2));
    }

    private List<String> headed(String heading, String says) {
        return headed(heading, says, MAX_FURTHER);
    }

    private List<String> headed(String heading, String says, int max) {
        return headed(heading, says, max, "");
    }

    /// @param end text at the end that is never shortened
    private List<String> headed(String heading, String says, int max, String end) {
        List<String> lines = item(heading + "  ", says, max, end);
        lines.set(0, bold(heading) + lines.getFirst().substring(heading.length()));
        return lines;
    }

    private List<String> item(String mark, String text) {
        return item(mark, text, MAX_FURTHER, "");
    }

    private List<String> layers(RunResult r) {
        List<String> table = LayerText.lines(r.layers());
        List<String> lines = new ArrayList<>();
        for (String row : table) {
            lines.addAll(
                    row.equals(table.getFirst())
                            ? wrap(row, "    ", MAX_FURTHER)
                            : item(
                                    row.substring(0, LayerText.TEXT_FROM),
                                    row.substring(LayerText.TEXT_FROM)));
        }
        return lines;
    }

    /// Text in the lines of a paragraph, its further lines indented.
    private List<String> wrap(String text, String indent, int max) {
        return wrapWith(text, indent, max, "");
    }

    private List<String> wrapWith(String text, String indent, int max, String end) {
        List<String> lines = TextLines.wrapWith(text, indent, max, end, columns);
        lines.set(0, lines.getFirst().strip());
        return lines;
    }

    private String cut(String line) {
        return TextLines.cut(line, columns);
    }

    /// Observations at the operating point other than the breakdown: queues for pools, disks, and
    /// exceptions.
    private static List<String> inside(RunResult r, ShortNames names) {
        List<String> lines = new ArrayList<>();
        Highlights.window(r)
                .ifPresent(c -> {
                    QueueText.line(c, r.verdict().bottleneck())
                            .map(names::in)
                            .ifPresent(lines::add);
                    lines.addAll(DiskText.lines(c.signals().disks()));
                });
        ExceptionText.line(Highlights.insight(r)).map(names::in).ifPresent(lines::add);
        return lines;
    }

    /// The observer overhead of the diagnostic window at the operating point. The page has that of
    /// all windows.
    private List<String> observerOverhead(RunResult r) {
        List<ObserverOverhead> costs = ObserverOverhead.of(r.census());
        return costs.isEmpty()
                ? List.of()
                : wrapWith(
                        OverheadText.of(
                                costs.stream()
                                        .filter(c ->
                                                r.operatingPoint()
                                                        .filter(p ->
                                                                p.concurrency() == c.concurrency())
                                                        .isPresent())
                                        .findFirst()
                                        .orElse(costs.getLast())),
                        "    ",
                        MAX_FURTHER,
                        TextLines.more(costs.size(), 1, IN_THE_REPORT).orElse(""));
    }

    /// Number of lines of all parts, including the blank line below the first screen.
    private static int lines(List<List<String>> parts) {
        return 1 + parts.stream().mapToInt(List::size).sum();
    }

    /// Inserts a part before the last one, if the screen has lines for it.
    private List<List<String>> withPartIfItFits(List<List<String>> parts, List<String> part) {
        if (part.isEmpty() || lines(parts) + part.size() > maxLines()) {
            return parts;
        }
        List<List<String>> more = new ArrayList<>(parts);
        more.add(parts.size() - 1, part);
        return more;
    }

    private List<List<String>> parts(
            RunResult r, ShortNames names, Optional<Path> folder, LineBudget budget) {
        List<String> end = new ArrayList<>();
        leftOut(r, budget).ifPresent(end::add);
        folder.ifPresent(
                f -> end.addAll(item("Files  ", f + " (report.html, result.json, plan.yaml)")));
        return List.of(
                firstScreen(names).of(r, folder),
                notes(r, budget),
                why(r, names, budget),
                new BreakdownLines(names, columns, budget.parts(), budget.place(), this::bold)
                        .of(r),
                new RunnerUpLines(names, columns, budget.runnerUp()).of(r.verdict()),
                recommendations(r, names, budget),
                new KneeLines(this::bold, columns).knee(r, budget.knee()),
                WhatIfLines.of(r, budget.whatIfs(), columns, this::bold),
                end);
    }

    private FirstScreen firstScreen(ShortNames names) {
        int max = FirstScreen.MAX_LINES * TextLines.WIDTH / Math.min(columns, TextLines.WIDTH);
        return new FirstScreen(names, columns, max, this::bold, this::red, this::yellow);
    }

    /// The costs of a request that grew since an earlier run.
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
                            Printable.plain(g.method())));
        }
        return text.toString();
    }

    /// The parts one below the other, with blank lines between them if the screen has enough lines.
    private List<String> spaced(List<List<String>> parts) {
        int budget = maxLines() - parts.stream().mapToInt(List::size).sum();
        List<String> lines = new ArrayList<>();
        for (var part : parts) {
            if (budget > 0 && !lines.isEmpty() && !part.isEmpty()) {
                lines.add("");
                budget--;
            }
            lines.addAll(part);
        }
        return lines;
    }

    /// The warnings about the figures. Those that make the figures useless are on the first screen.
    /// Warnings that may change the decision come first and are always shown.
    private List<String> notes(RunResult r, LineBudget budget) {
        Remarks remarks = Remarks.of(r.validity());
        List<Validity.Warning> shown = new ArrayList<>(remarks.deciding());
        remarks.others().stream().limit(Math.max(0, MAX_NOTES - shown.size())).forEach(shown::add);
        int all = remarks.deciding().size() + remarks.others().size();
        String hidden = TextLines.more(all, shown.size(), "more notes in the report").orElse("");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            String end = i == shown.size() - 1 ? hidden : "";
            boolean decides = i < remarks.deciding().size();
            int max = decides ? Math.max(MIN_OF_A_NOTE, budget.note()) : budget.note();
            TextLines.wrapWith("note: " + shown.get(i).says(), "", max, end, columns)
                    .forEach(l -> lines.add(yellow(l)));
        }
        return lines;
    }

    /// The verdict's sentence, a stall of requests, further evidence that does not fit on the first
    /// screen, and the result of a test.
    private List<String> why(RunResult r, ShortNames names, LineBudget budget) {
        Verdict v = r.verdict();
        List<String> lines = new ArrayList<>(headed("Why", names.in(v.says()), budget.says()));
        RequestStall.of(r).ifPresent(f -> lines.add(cut("  " + f.line())));
        List<Verdict.EvidenceLine> further = VerdictText.further(v);
        int max = budget.evidence() == 0 ? 0 : MAX_EVIDENCE;
        String hidden = TextLines.more(further.size(), max, IN_THE_REPORT).orElse("");
        for (int i = 0; i < Math.min(max, further.size()); i++) {
            String end = i == max - 1 ? hidden : "";
            lines.addAll(item("  - ", names.in(further.get(i).says()), budget.evidence(), end));
        }
        r.proof().ifPresent(p -> lines.addAll(proof(p, budget)));
        return lines;
    }

    private List<String> item(String mark, String text, int max, String end) {
        return TextLines.item(mark, text, max, end, columns);
    }

    private List<String> proof(Proof p, LineBudget budget) {
        String answer = "Tested: " + p.answer().key().replace('-', ' ');
        List<String> lines =
                TextLines.wrap(answer + ". " + p.says(), "  ", budget.proof(), columns);
        lines.set(0, bold(lines.getFirst()));
        return lines;
    }

    /// The recommendations after the first one, which is on the first screen.
    private List<String> recommendations(RunResult r, ShortNames names, LineBudget budget) {
        List<Recommendation> others = r.recommendations().stream().skip(1).toList();
        if (budget.recommendation() == 0) {
            return List.of();
        }
        var form =
                new RecommendationLines(
                        names,
                        columns,
                        MAX_RECOMMENDATIONS,
                        budget.recommendation(),
                        0,
                        IN_THE_REPORT);
        List<String> lines =
                new ArrayList<>(
                        form.of(
                                "Other recommendations",
                                others,
                                r.operatingPoint().map(OperatingPoint::round)));
        if (!lines.isEmpty()) {
            lines.set(0, bold(lines.getFirst()));
        }
        return lines;
    }

    /// The number of items of each part that does not fit at all.
    private Optional<String> leftOut(RunResult r, LineBudget budget) {
        List<String> parts = new ArrayList<>();
        int whatIfs = Highlights.whatIfs(r).size();
        if (budget.whatIfs() == 0 && whatIfs > 0) {
            parts.add(whatIfs + " what-ifs");
        }
        long possible = r.verdict().runnersUp().stream().filter(Verdict.RunnerUp::possible).count();
        if (budget.runnerUp() == 0 && possible > 0) {
            parts.add(possible + " runners-up");
        }
        int others = r.recommendations().size() - 1;
        if (budget.recommendation() == 0 && others > 0) {
            parts.add(others + " recommendations");
        }
        int evidence = VerdictText.further(r.verdict()).size();
        if (budget.evidence() == 0 && evidence > 0) {
            parts.add(evidence + " lines of evidence");
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("More in the report: " + String.join(", ", parts));
    }

    private static String gc(GcActivity g, double seconds) {
        double perS = seconds <= 0 ? 0 : (g.young().count() + g.full().count()) / seconds;
        String full = g.full().count() == 0 ? "" : " (" + g.full().count() + " full)";
        return Figures.number(perS) + "/s" + full;
    }

    private static String errorKinds(Round r) {
        return r.errorKinds().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(e -> " (most: " + Printable.plain(e.getKey()) + ")")
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
