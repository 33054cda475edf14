package dev.jdyno.report;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Compared.Row;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Effect;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.report.json.JsonObject;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Highlights;
import dev.jdyno.report.words.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/// A comparison for terminal, pull request and scripts.
public final class CompareReport {
    /// Notes that fit a screen beside the table.
    private static final int MOST_NOTES = 4;

    private CompareReport() {}

    /// One screen.
    public static String terminal(Compared c) {
        List<String> lines = new ArrayList<>();
        if (c.partial()) {
            lines.add("PARTIAL: cut short, this is what was measured so far");
        }
        lines.addAll(TextLines.wrap(CompareText.verdict(c), "  ", 3));
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
        c.notes().stream()
                .limit(MOST_NOTES)
                .forEach(n -> lines.addAll(TextLines.wrap("note: " + n, "  ", 2)));
        TextLines.more(c.notes().size(), MOST_NOTES, "more notes in compare.json")
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
        c.notes().forEach(n -> text.append("\nNote: ").append(escaped(n)).append('\n'));
        return text.toString();
    }

    static String escaped(String text) {
        return Printable.line(text).replaceAll("([\\\\`*_{}\\[\\]<>|#])", "\\\\$1");
    }

    /// `jdyno/compare/1`.
    public static String json(Compared c) {
        return new JsonObject()
                .put("schema", "jdyno/compare/1")
                .put("verdict", c.verdict().key())
                .put("primary", c.primary().key())
                .putEach("metrics", c.rows(), CompareReport::metric)
                .put("starts", (long) c.starts())
                .put("pairs", (long) c.pairs())
                .put("discarded", (long) c.discarded())
                .put("concurrency", (long) c.concurrency())
                .put("ratePerS", c.ratePerS())
                .put("minEffect", c.minEffect())
                .put("seconds", c.seconds())
                .putNumber("secondsToDecide", c.secondsToDecide())
                .put("restarted", c.restarted())
                .put("partial", c.partial())
                .put("where", CompareText.where(c))
                .put("difference", c.difference(), CompareReport::difference)
                .put("notes", c.notes())
                .put("validity", new JsonObject().put("ok", !c.partial() && c.starts() > 0))
                .node()
                .toString();
    }

    private static JsonObject metric(Row r) {
        return new JsonObject()
                .put("name", r.metric().key())
                .put("unit", r.metric().unit())
                .putNumber("a", boxed(r.a()))
                .putNumber("b", boxed(r.b()))
                .putNumber("ratio", r.effect().map(Effect::ratio))
                .putInterval("ci95", r.effect().map(Effect::interval))
                .put("verdict", r.outcome().key())
                .putNumbers("ratios", r.ratios())
                .putEach("blocks", r.blocks(), CompareReport::blocks);
    }

    private static JsonObject difference(Difference d) {
        return new JsonObject()
                .putEach(
                        "breakdown",
                        d.breakdown().map(Difference.Breakdowns::parts).orElse(List.of()),
                        p ->
                                new JsonObject()
                                        .put(
                                                "cause",
                                                p.cause()
                                                        .map(Cause::key)
                                                        .orElse(Highlights.UNEXPLAINED))
                                        .put("aMs", p.aMs())
                                        .put("bMs", p.bMs()))
                .putEach(
                        "methods",
                        d.methods(),
                        m ->
                                new JsonObject()
                                        .put("application", m.application())
                                        .put("frame", m.frame())
                                        .put("aMs", m.aMs())
                                        .put("bMs", m.bMs()));
    }

    private static JsonObject blocks(Compared.Blocks start) {
        return new JsonObject().putNumbers("a", start.a()).putNumbers("b", start.b());
    }

    private static Optional<Double> boxed(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }
}
