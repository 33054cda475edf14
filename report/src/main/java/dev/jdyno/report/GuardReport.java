package dev.jdyno.report;

import dev.jdyno.guard.FigureRow;
import dev.jdyno.guard.Guarded;
import dev.jdyno.guard.Verdict;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.GuardText;
import dev.jdyno.report.words.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Renders a guarded run for the terminal, pull requests, CI servers and scripts.
public final class GuardReport {
    private GuardReport() {}

    public static String terminal(Guarded g) {
        List<String> lines = new ArrayList<>(TextLines.wrap(GuardText.verdict(g), "  ", 3));
        if (!g.figures().isEmpty()) {
            lines.add("");
            lines.add(CompareReport.row("", "today", GuardText.reference(g), "ratio", "95 %", ""));
            g.figures()
                    .forEach(r ->
                            lines.add(
                                    CompareReport.row(
                                            r.metric().title() + ", " + r.metric().unit(),
                                            figure(r, r.value()),
                                            figure(r, r.reference()),
                                            ratio(r),
                                            interval(r),
                                            r.verdict().key())));
        }
        if (!g.grew().isEmpty()) {
            lines.add("");
            lines.add("What grew, CPU ms of one request");
            g.grew()
                    .forEach(m ->
                            lines.add(CompareText.grown(m.beforeMs(), m.afterMs(), m.method())));
        }
        if (!g.allocates().isEmpty()) {
            lines.add("");
            lines.add("What allocates more, bytes of one request");
            g.allocates()
                    .forEach(m ->
                            lines.add(
                                    CompareText.grown(
                                            m.beforeBytes(), m.afterBytes(), m.method())));
        }
        lines.add("");
        GuardText.notes(g).forEach(n -> lines.addAll(TextLines.wrap(n, "  ", 3)));
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static String figure(FigureRow r, Optional<Double> value) {
        return CompareText.figure(
                r.metric(), value.map(OptionalDouble::of).orElse(OptionalDouble.empty()));
    }

    private static String ratio(FigureRow r) {
        return r.ratio().map(CompareText::ratio).orElse("-");
    }

    private static String interval(FigureRow r) {
        return r.ci95()
                .map(i -> CompareText.ratio(i.lo()) + " to " + CompareText.ratio(i.hi()))
                .orElse("-");
    }

    /// The report for a pull request.
    public static String markdown(Guarded g) {
        var text = new StringBuilder();
        text.append("**").append(CompareReport.escaped(GuardText.verdict(g))).append("**\n\n");
        text.append("| figure | today | ")
                .append(GuardText.reference(g))
                .append(" | ratio | 95 % | verdict |\n");
        text.append("| --- | ---: | ---: | ---: | --- | --- |\n");
        g.figures()
                .forEach(r ->
                        text.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s, %s | %s | %s | %s | %s | %s |%n",
                                        r.metric().title(),
                                        r.metric().unit(),
                                        figure(r, r.value()),
                                        figure(r, r.reference()),
                                        ratio(r),
                                        interval(r),
                                        r.verdict().key())));
        text.append('\n');
        g.grew()
                .forEach(m ->
                        text.append("- ")
                                .append(CompareReport.escaped(m.method()))
                                .append(": ")
                                .append(Figures.number(m.beforeMs()))
                                .append(" → ")
                                .append(Figures.number(m.afterMs()))
                                .append(" ms of CPU per request\n"));
        g.allocates()
                .forEach(m ->
                        text.append("- ")
                                .append(CompareReport.escaped(m.method()))
                                .append(": ")
                                .append(Figures.number(m.beforeBytes()))
                                .append(" → ")
                                .append(Figures.number(m.afterBytes()))
                                .append(" bytes allocated per request\n"));
        GuardText.notes(g)
                .forEach(n -> text.append("- ").append(CompareReport.escaped(n)).append('\n'));
        return text.toString();
    }

    /// JUnit XML: a test case for each figure, and one for the bottleneck's name.
    public static String junit(Guarded g) {
        List<JUnitXml.Case> cases = new ArrayList<>();
        for (FigureRow r : g.figures()) {
            cases.add(new JUnitXml.Case(r.metric().title(), ending(g, r)));
        }
        cases.add(
                new JUnitXml.Case(
                        "bottleneck",
                        elsewhere(g)
                                .<JUnitXml.Ending>map(says -> new JUnitXml.Failed(says, grown(g)))
                                .orElseGet(JUnitXml.Passed::new)));
        return new JUnitXml("jdyno guard " + g.plan(), "jdyno." + g.plan(), g.seconds(), cases)
                .text();
    }

    private static JUnitXml.Ending ending(Guarded g, FigureRow r) {
        return switch (r.verdict()) {
            case WORSE ->
                    new JUnitXml.Failed(
                            figure(r, r.value())
                                    + ", before "
                                    + figure(r, r.reference())
                                    + " "
                                    + r.metric().unit()
                                    + ", × "
                                    + ratio(r)
                                    + " ("
                                    + interval(r)
                                    + ")"
                                    + GuardText.since(r),
                            grown(g));
            case UNCLEAR, SUSPECT -> new JUnitXml.Skipped(Optional.empty());
            case OK, BETTER, NOTICE, REPORTED -> new JUnitXml.Passed();
        };
    }

    /// The methods whose cost grew, a line each.
    private static String grown(Guarded g) {
        return Stream.concat(
                        g.grew().stream()
                                .map(m -> grown(m.method(), m.beforeMs(), m.afterMs(), "ms")),
                        g.allocates().stream()
                                .map(m ->
                                        grown(
                                                m.method(),
                                                m.beforeBytes(),
                                                m.afterBytes(),
                                                "bytes")))
                .collect(Collectors.joining());
    }

    private static String grown(String method, double before, double after, String unit) {
        return JUnitXml.plain(method)
                + " "
                + Figures.number(before)
                + " -> "
                + Figures.number(after)
                + " "
                + unit
                + "\n";
    }

    /// The failure of the bottleneck's test case: another bottleneck, or failing requests.
    private static Optional<String> elsewhere(Guarded g) {
        boolean byFigures = g.figures().stream().anyMatch(r -> r.verdict() == Verdict.WORSE);
        return g.verdict() == Guarded.Overall.REGRESSION && !byFigures
                ? Optional.of(GuardText.verdict(g))
                : Optional.empty();
    }

    /// Returns the JSON document `jdyno/guard/1`.
    public static String json(Guarded g) {
        return JsonDocument.line(g);
    }
}
