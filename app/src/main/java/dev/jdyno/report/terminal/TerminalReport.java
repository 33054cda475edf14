package dev.jdyno.report.terminal;

import dev.jdyno.measure.DisturbanceText;
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
import dev.jdyno.report.words.ShortNames;
import dev.jdyno.report.words.TextLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The result as a terminal shows it: one line a round while it runs, then the verdict in at most
/// {@link #MOST_LINES} lines of the terminal's columns. ASCII of its own. The verdict and what to
/// do are written to their ends as long as the rest can give way; room that is left goes to further
/// parts, then to blank lines; what it leaves out for want of room it counts.
public final class TerminalReport {
    /// A screenful of today's terminals; of one with fewer columns than {@link TextLines#WIDTH} as
    /// much more.
    public static final int MOST_LINES = 32;

    /// Columns below which the tables do not fit.
    public static final int LEAST_COLUMNS = 80;

    /// Columns above which a line of text is hard to read.
    public static final int MOST_COLUMNS = 120;

    /// How many lines each part may take; together with one heading each they fill a screenful.
    private static final int MOST_WARNINGS = 2;

    private static final int MOST_EVIDENCE = 3;
    private static final int MOST_PARTS = 4;
    private static final int MOST_RECOMMENDATIONS = 2;
    private static final int MOST_RUNNERS_UP = 1;

    /// The bracket under goals takes three lines from these.
    private static final int MOST_PARTS_BESIDE_GOAL = 3;

    private static final int MOST_WHAT_IFS_BESIDE_GOAL = 1;
    private static final int MOST_RECOMMENDATIONS_BESIDE_GOAL = 1;

    private static final int MOST_PROOF_LINES = 3;

    /// Lines that one sentence of a further part may take.
    private static final int MOST_FURTHER = 2;

    private static final String IN_THE_REPORT = "more in the report";

    private final boolean colour;
    private final int columns;

    /// For a terminal of {@link TextLines#WIDTH} columns.
    ///
    /// @param colour whether to use colours, for a {@link TerminalWriter} (the caller knows
    ///   terminal, flag and NO_COLOR)
    public TerminalReport(boolean colour) {
        this(colour, TextLines.WIDTH);
    }

    /// @param columns that the terminal has; fewer than {@link #LEAST_COLUMNS} and more than {@link
    ///   #MOST_COLUMNS} are not used
    public TerminalReport(boolean colour, int columns) {
        this.colour = colour;
        this.columns = Math.clamp(columns, LEAST_COLUMNS, MOST_COLUMNS);
    }

    /// As many letters on any terminal.
    private int mostLines() {
        return MOST_LINES * TextLines.WIDTH / Math.min(columns, TextLines.WIDTH);
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
        r.disturbance()
                .ifPresent(d ->
                        line.append("  ")
                                .append(
                                        red(
                                                "disturbed: "
                                                        + Figures.plain(DisturbanceText.who(d)))));
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
        var names = ShortNames.of(r.recording(), r.judged());
        List<List<String>> parts = List.of();
        for (Room room : Room.ALL) {
            parts = parts(r, names, folder, room);
            if (parts.stream().mapToInt(List::size).sum() <= mostLines()) {
                break;
            }
        }
        for (String says : LoadText.of(r)) {
            parts = withRoom(parts, headed("Load", says));
        }
        for (String says : inside(r, names)) {
            parts = withRoom(parts, entry(says));
        }
        parts = withRoom(parts, costOfLooking(r));
        parts =
                withRoom(
                        parts,
                        r.gcLog().map(g -> headed("GC", GcLogText.of(g))).orElseGet(List::of));
        parts = withRoom(parts, layers(r));
        return spaced(parts).stream().map(l -> l + "\n").collect(Collectors.joining());
    }

    /// A sentence that may have a heading of one word, two blanks before the rest.
    private List<String> entry(String text) {
        String plain = Figures.plain(text);
        int gap = plain.indexOf("  ");
        return gap < 0 || plain.indexOf(' ') < gap
                ? wrap(plain, "    ", MOST_FURTHER)
                : item(plain.substring(0, gap + 2), plain.substring(gap + 2));
    }

    private List<String> headed(String heading, String says) {
        List<String> lines = item(heading + "  ", says);
        lines.set(0, bold(heading) + lines.getFirst().substring(heading.length()));
        return lines;
    }

    private List<String> item(String mark, String text) {
        return item(mark, text, MOST_FURTHER, "");
    }

    private List<String> layers(RunResult r) {
        List<String> table = LayerText.lines(r.layers());
        List<String> lines = new ArrayList<>();
        for (String row : table) {
            lines.addAll(
                    row.equals(table.getFirst())
                            ? wrap(row, "    ", MOST_FURTHER)
                            : item(
                                    row.substring(0, LayerText.TEXT_FROM),
                                    row.substring(LayerText.TEXT_FROM)));
        }
        return lines;
    }

    /// Text in the lines of a paragraph, its further lines indented.
    private List<String> wrap(String text, String indent, int most) {
        return wrapWith(text, indent, most, "");
    }

    private List<String> wrapWith(String text, String indent, int most, String end) {
        List<String> lines = TextLines.wrapWith(text, indent, most, end, columns);
        lines.set(0, lines.getFirst().strip());
        return lines;
    }

    private String cut(String line) {
        return TextLines.cut(line, columns);
    }

    /// What was seen inside at the highest load beside the threads: who waits for pools, disks, and
    /// exceptions.
    private static List<String> inside(RunResult r, ShortNames names) {
        List<String> lines = new ArrayList<>();
        Highlights.busiestWindow(r)
                .ifPresent(c -> {
                    QueueText.line(c).map(names::in).ifPresent(lines::add);
                    lines.addAll(DiskText.lines(c.signals().disks()));
                });
        ExceptionText.line(r.insight()).map(names::in).ifPresent(lines::add);
        return lines;
    }

    /// What taking diagnostic windows cost at the highest load: the page has all windows.
    private List<String> costOfLooking(RunResult r) {
        List<ObserverOverhead> costs = ObserverOverhead.of(r.census());
        return costs.isEmpty()
                ? List.of()
                : wrapWith(
                        OverheadText.of(costs.getLast()),
                        "    ",
                        MOST_FURTHER,
                        TextLines.more(costs.size(), 1, IN_THE_REPORT).orElse(""));
    }

    /// With one more part, before the last, where there is room for it.
    private List<List<String>> withRoom(List<List<String>> parts, List<String> part) {
        int taken = parts.stream().mapToInt(List::size).sum();
        if (part.isEmpty() || taken + part.size() > mostLines()) {
            return parts;
        }
        List<List<String>> more = new ArrayList<>(parts);
        more.add(parts.size() - 1, part);
        return more;
    }

    private List<List<String>> parts(
            RunResult r, ShortNames names, Optional<Path> folder, Room room) {
        List<String> top = new ArrayList<>();
        warnings(r, room, top);
        says(r, names, room, top);
        r.proof().ifPresent(p -> top.addAll(proof(p)));
        List<String> end = new ArrayList<>();
        runnersUp(r.verdict(), names, room, end);
        leftOut(r, room).ifPresent(end::add);
        folder.ifPresent(f -> end.addAll(item("Files  ", f + " (report.html, result.json)")));
        var kneeLines = new KneeLines(this::bold, columns);
        List<String> goal = r.goal().map(kneeLines::goal).orElseGet(List::of);
        List<String> knee = kneeLines.knee(r, room.knee());
        int most = r.goal().isPresent() ? MOST_PARTS_BESIDE_GOAL : MOST_PARTS;
        List<String> breakdown =
                new BreakdownLines(names, columns, most, room.place(), this::bold).of(r);
        return List.of(
                top,
                recommendations(r, names, folder, room),
                goal,
                breakdown,
                knee,
                whatIf(r, room),
                end);
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
                            Figures.plain(g.method())));
        }
        return text.toString();
    }

    /// The parts one under the other, with blank lines between them as long as there is room.
    private List<String> spaced(List<List<String>> parts) {
        int room = mostLines() - parts.stream().mapToInt(List::size).sum();
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
        String hidden =
                TextLines.more(sorted.size(), MOST_WARNINGS, "more warnings in the report")
                        .orElse("");
        for (int i = 0; i < Math.min(MOST_WARNINGS, sorted.size()); i++) {
            var w = sorted.get(i);
            String end = i == MOST_WARNINGS - 1 ? hidden : "";
            String text = (w.spoils() ? "reason: " : "note: ") + w.says();
            TextLines.wrapWith(text, "", room.note(), end, columns)
                    .forEach(l -> lines.add(w.spoils() ? red(l) : yellow(l)));
        }
    }

    /// The name and what speaks for it; a stall that requests had takes the line of one piece of
    /// evidence. A spoilt run's name is no finding.
    private void says(RunResult r, ShortNames names, Room room, List<String> lines) {
        Verdict v = r.verdict();
        Optional<RequestStall> freeze = RequestStall.of(r);
        lines.addAll(name(v, r.validity().ok(), names, room));
        lines.addAll(TextLines.wrap(names.in(v.says()), "  ", room.says(), columns));
        freeze.ifPresent(f -> lines.add(cut("  " + f.line())));
        int most = freeze.isPresent() ? MOST_EVIDENCE - 1 : MOST_EVIDENCE;
        String hidden = TextLines.more(v.evidence().size(), most, IN_THE_REPORT).orElse("");
        int shown = Math.min(most, v.evidence().size());
        for (int i = 0; i < shown; i++) {
            String end = i == most - 1 ? hidden : "";
            String evidence = names.in(v.evidence().get(i).says());
            lines.addAll(item("  - ", evidence, room.evidence(), end));
        }
    }

    /// The name with the code first, in a second line where one is too short.
    private List<String> name(Verdict v, boolean valid, ShortNames names, Room room) {
        String head = valid ? "Bottleneck: " : "Bottleneck, if the figures were valid: ";
        String at = v.where().isBlank() ? "" : " at " + names.place(v.where());
        String sure = String.format(Locale.ROOT, "  (confidence %.2f)", v.confidence());
        String indent = " ".repeat("Bottleneck: ".length());
        List<String> lines =
                TextLines.wrap(
                        head.substring(indent.length()) + v.bottleneck().key() + at,
                        indent,
                        room.name(),
                        columns - sure.length());
        lines.set(
                0,
                head.substring(0, indent.length()) + lines.getFirst().substring(indent.length()));
        lines.replaceAll(this::bold);
        lines.set(lines.size() - 1, lines.getLast() + sure);
        return lines;
    }

    /// A text behind a mark, its further lines indented as deep.
    private List<String> item(String mark, String text, int most, String end) {
        List<String> lines =
                TextLines.wrapWith(text, " ".repeat(mark.length()), most, end, columns);
        lines.set(0, mark + lines.getFirst().substring(mark.length()));
        return lines;
    }

    /// The answer, with as many lines of figures as two experiments need.
    private List<String> proof(Proof p) {
        String answer = "Tested: " + p.answer().key().replace('-', ' ');
        List<String> lines =
                TextLines.wrap(answer + ". " + p.says(), "  ", MOST_PROOF_LINES, columns);
        lines.set(0, bold(lines.getFirst()));
        return lines;
    }

    private List<String> recommendations(
            RunResult r, ShortNames names, Optional<Path> folder, Room room) {
        int most = r.goal().isPresent() ? MOST_RECOMMENDATIONS_BESIDE_GOAL : MOST_RECOMMENDATIONS;
        var form =
                new RecommendationLines(
                        names, columns, most, room.recommendation(), room.how(), IN_THE_REPORT);
        List<String> lines = new ArrayList<>(form.of(r.prescriptions(), r.recording().reported()));
        if (!lines.isEmpty()) {
            lines.set(0, bold(lines.getFirst()));
            Commands.of(r.prescriptions().getFirst(), r)
                    .verify()
                    .map(v -> "verify the first: " + folder.map(Commands::in).orElse("") + v)
                    .map(v -> TextLines.wrap(v, "      ", 3, columns))
                    .ifPresent(lines::addAll);
        }
        return lines;
    }

    private List<String> whatIf(RunResult r, Room room) {
        int most =
                r.goal().isPresent()
                        ? Math.min(room.whatIfs(), MOST_WHAT_IFS_BESIDE_GOAL)
                        : room.whatIfs();
        return WhatIfLines.of(r, most, columns, this::bold);
    }

    /// What there is no room for at all.
    private Optional<String> leftOut(RunResult r, Room room) {
        List<String> parts = new ArrayList<>();
        if (room.whatIfs() == 0 && !r.whatIf().isEmpty()) {
            parts.add(r.whatIf().size() + " what-ifs");
        }
        if (room.runnerUp() == 0 && !r.verdict().runnersUp().isEmpty()) {
            parts.add(r.verdict().runnersUp().size() + " runners-up");
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("More in the report: " + String.join(", ", parts));
    }

    private void runnersUp(Verdict v, ShortNames names, Room room, List<String> lines) {
        if (room.runnerUp() == 0) {
            return;
        }
        String hidden =
                TextLines.more(
                                v.runnersUp().size(),
                                MOST_RUNNERS_UP,
                                "more runners-up in the report")
                        .orElse("");
        for (var u : v.runnersUp().stream().limit(MOST_RUNNERS_UP).toList()) {
            lines.addAll(wrapWith(names.in(RunnerUpText.of(u)), "    ", room.runnerUp(), hidden));
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
