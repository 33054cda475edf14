package dev.jdyno.report;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Compared.Row;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.NoteText;
import dev.jdyno.report.words.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Renders a comparison for the terminal, a pull request and scripts.
public final class CompareReport {
    /// Maximum number of notes below the table, so that the comparison fits on one screen.
    private static final int MAX_NOTES = 4;

    private CompareReport() {}

    /// The comparison on one screen.
    public static String terminal(Compared c) {
        List<String> lines = new ArrayList<>();
        if (c.partial()) {
            lines.add("PARTIAL: cut short, this is what was measured so far");
        }
        lines.addAll(TextLines.wrap(CompareText.verdict(c), "  ", 3));
        CompareText.jdks(c).ifPresent(lines::add);
        lines.add("");
        lines.add(row("", "A", "B", "B / A", "95 %", "B is"));
        for (Row r : c.rows()) {
            lines.add(
                    row(
                            r.metric().title() + ", " + r.metric().unit(),
                            CompareText.figure(r.metric(), r.a()),
                            CompareText.figure(r.metric(), r.b()),
                            ratio(r),
                            interval(r),
                            r.outcome().key()));
        }
        List<String> where = CompareText.where(c);
        if (!where.isEmpty()) {
            lines.add("");
            lines.add("Where it comes from");
            where.forEach(w -> lines.addAll(TextLines.wrap("  " + w, "  ", 2)));
        }
        lines.add("");
        lines.addAll(TextLines.wrap(CompareText.how(c), "  ", 2));
        NoteText.of(c.notes()).stream()
                .limit(MAX_NOTES)
                .forEach(n -> lines.addAll(TextLines.wrap("note: " + n, "  ", 2)));
        TextLines.more(c.notes().size(), MAX_NOTES, "more notes in compare.json")
                .ifPresent(lines::add);
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static String ratio(Row r) {
        return r.effect().map(e -> CompareText.ratio(e.ratio())).orElse("-");
    }

    private static String interval(Row r) {
        return r.effect()
                .map(e ->
                        CompareText.ratio(e.interval().lo())
                                + " to "
                                + CompareText.ratio(e.interval().hi()))
                .orElse("-");
    }

    static String row(
            String figure, String a, String b, String ratio, String interval, String outcome) {
        return TextLines.cut(
                String.format(
                                Locale.ROOT,
                                "%-34s %10s %10s %8s  %-16s %s",
                                figure,
                                a,
                                b,
                                ratio,
                                interval,
                                outcome)
                        .stripTrailing());
    }

    /// A table for a pull request.
    public static String markdown(Compared c) {
        var text = new StringBuilder();
        text.append("**").append(escaped(CompareText.verdict(c))).append("**\n\n");
        CompareText.jdks(c).ifPresent(j -> text.append(escaped(j)).append("\n\n"));
        text.append("| figure | A | B | B / A | 95 % | verdict |\n");
        text.append("| --- | ---: | ---: | ---: | --- | --- |\n");
        for (Row r : c.rows()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s, %s | %s | %s | %s | %s | %s |%n",
                            r.metric().title(),
                            r.metric().unit(),
                            CompareText.figure(r.metric(), r.a()),
                            CompareText.figure(r.metric(), r.b()),
                            ratio(r),
                            interval(r),
                            r.outcome().key()));
        }
        text.append('\n');
        CompareText.where(c).forEach(w -> text.append("- ").append(escaped(w)).append('\n'));
        text.append('\n').append(escaped(CompareText.how(c))).append("\n");
        NoteText.of(c.notes())
                .forEach(n -> text.append("\nNote: ").append(escaped(n)).append('\n'));
        return text.toString();
    }

    /// JUnit XML. The case `verdict` fails if B is worse, like the exit code. The case of a figure
    /// never fails: it is skipped if the figure is undecided or worse.
    ///
    /// @param name of the suite
    public static String junit(Compared c, String name) {
        List<JUnitXml.Case> cases = new ArrayList<>();
        cases.add(new JUnitXml.Case("verdict", verdict(c)));
        for (Row r : c.rows()) {
            JUnitXml.Ending ending =
                    switch (r.outcome()) {
                        case BETTER, EQUIVALENT -> new JUnitXml.Passed();
                        case WORSE, INCONCLUSIVE -> new JUnitXml.Skipped(Optional.of(says(r)));
                    };
            cases.add(new JUnitXml.Case(r.metric().title(), ending));
        }
        return new JUnitXml("jdyno compare " + name, "jdyno." + name, c.seconds(), cases).text();
    }

    private static JUnitXml.Ending verdict(Compared c) {
        return switch (c.verdict()) {
            case BETTER, EQUIVALENT -> new JUnitXml.Passed();
            case WORSE ->
                    new JUnitXml.Failed(
                            CompareText.verdict(c),
                            CompareText.where(c).stream()
                                    .map(where -> JUnitXml.plain(where) + "\n")
                                    .collect(Collectors.joining()));
            case INCONCLUSIVE -> new JUnitXml.Skipped(Optional.of(CompareText.verdict(c)));
        };
    }

    private static String says(Row r) {
        return r.outcome().key()
                + ": A "
                + CompareText.figure(r.metric(), r.a())
                + ", B "
                + CompareText.figure(r.metric(), r.b())
                + " "
                + r.metric().unit()
                + ", × "
                + ratio(r)
                + " ("
                + interval(r)
                + ")";
    }

    static String escaped(String text) {
        return Printable.line(text).replaceAll("([\\\\`*_{}\\[\\]<>|#])", "\\\\$1");
    }

    /// Returns the JSON document `jdyno/compare/1`.
    public static String json(Compared c) {
        return JsonDocument.line(c);
    }
}
