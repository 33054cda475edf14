package dev.jdyno.report;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Experiment;
import dev.jdyno.experiment.labelled.Labelled;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A published experiment beside the measured one, as a table or as JSON.
public final class ComparisonReport {
    /// The form of the JSON; keys are added, never renamed.
    public static final String SCHEMA = "jdyno/lab/1";

    /// Columns for the names of the figures, more where one is longer.
    private static final int FIGURE_WIDTH = 34;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ComparisonReport() {}

    public static String of(Comparison comparison, boolean json) {
        return json ? json(comparison) : table(comparison);
    }

    private static String table(Comparison c) {
        var text = new StringBuilder();
        text.append(c.id()).append("  ").append(c.title()).append("\n\n");
        int width = c.rows().stream().mapToInt(r -> r.figure().length()).max().orElse(0);
        text.append(row(width, "figure", "published", "predicted", "measured", ""));
        for (Comparison.Row r : c.rows()) {
            text.append(
                    row(
                            width,
                            r.figure(),
                            ComparisonWords.value(r, r.published()),
                            ComparisonWords.value(r, r.predicted()),
                            ComparisonWords.measured(r),
                            r.judged()
                                    .map(j -> ComparisonWords.verdict(j) + ComparisonWords.bound(j))
                                    .orElseGet(() -> off(r))));
            r.judged()
                    .flatMap(Comparison.Judged::why)
                    .ifPresent(why -> text.append("  why: ").append(why).append('\n'));
        }
        text.append('\n');
        predictionError(c, "1/s", "throughput", text);
        predictionError(c, "ms", "response time", text);
        c.notes().forEach(n -> text.append("- ").append(n).append('\n'));
        return text.toString();
    }

    /// How far a prediction was off.
    private static String off(Comparison.Row r) {
        return r.predicted()
                .map(p -> "predicted " + Figures.percentChange(p / r.measured()))
                .orElse("");
    }

    private static void predictionError(
            Comparison c, String unit, String what, StringBuilder text) {
        c.predictionError(unit)
                .ifPresent(e ->
                        text.append(
                                String.format(
                                        Locale.ROOT,
                                        "- predictions of %s are off by %.0f %% (median)%n",
                                        what,
                                        e * 100)));
    }

    private static String row(
            int width,
            String figure,
            String published,
            String predicted,
            String measured,
            String judged) {
        return String.format(
                                Locale.ROOT,
                                "%-" + Math.max(FIGURE_WIDTH, width) + "s %10s %10s %16s  %s",
                                figure,
                                published,
                                predicted,
                                measured,
                                judged)
                        .stripTrailing()
                + "\n";
    }

    private static @Nullable Double boxed(OptionalDouble v) {
        return v.isPresent() ? v.getAsDouble() : null;
    }

    private static String json(Comparison c) {
        ObjectNode root = JSON.createObjectNode();
        root.put("schema", SCHEMA).put("id", c.id()).put("title", c.title());
        root.put("holds", c.holds());
        ArrayNode rows = root.putArray("rows");
        for (Comparison.Row r : c.rows()) {
            ObjectNode row = rows.addObject();
            row.put("figure", r.figure());
            row.put("published", r.published().orElse(null));
            row.put("predicted", r.predicted().orElse(null));
            row.put("measured", r.measured()).put("unit", r.unit());
            row.put("holds", r.judged().map(Comparison.Judged::holds).orElse(null));
            row.put("why", r.judged().flatMap(Comparison.Judged::why).orElse(null));
        }
        root.put("predictionErrorQps", boxed(c.predictionError("1/s")));
        root.put("predictionErrorRt", boxed(c.predictionError("ms")));
        ArrayNode notes = root.putArray("notes");
        c.notes().forEach(notes::add);
        return JSON.writeValueAsString(root) + "\n";
    }

    /// Every published experiment.
    public static String catalogue(List<Experiment> experiments, boolean json) {
        if (json) {
            ArrayNode all = JSON.createArrayNode();
            for (Experiment e : experiments) {
                all.addObject().put("id", e.id()).put("title", e.title()).put("built", true);
            }
            return JSON.writeValueAsString(all) + "\n";
        }
        var text = new StringBuilder();
        for (Experiment e : experiments) {
            text.append(String.format(Locale.ROOT, "%-4s %s%n", e.id(), e.title()));
        }
        return text.toString();
    }

    /// How often the diagnosis was right on planted bottlenecks.
    public static String of(Labelled labelled, boolean json) {
        return json ? json(labelled) : table(labelled);
    }

    private static String table(Labelled labelled) {
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%-26s %-20s %-20s %5s  %s%n",
                        "case",
                        "planted",
                        "named",
                        "conf.",
                        "where"));
        for (Labelled.Row r : labelled.rows()) {
            String mark = r.isRight() ? "  " : r.misleads() ? "!!" : "x ";
            text.append(
                    r.failure()
                            .map(why ->
                                    String.format(
                                            Locale.ROOT,
                                            "%-26s %-20s (not run: %s)%n",
                                            r.planted().name(),
                                            r.planted().bottleneck(),
                                            Figures.plain(why)))
                            .orElseGet(() ->
                                    String.format(
                                            Locale.ROOT,
                                            "%-26s %-20s %s%-18s %5.2f  %s%n",
                                            r.planted().name(),
                                            r.planted().bottleneck(),
                                            mark,
                                            r.said(),
                                            r.confidence(),
                                            Figures.plain(r.where()))));
        }
        text.append(String.format(Locale.ROOT, "%n%-26s %s%n", "planted", "named (times)"));
        labelled.confusion()
                .forEach((planted, named) ->
                        text.append(
                                String.format(
                                        Locale.ROOT,
                                        "%-26s %s%n",
                                        planted,
                                        named.entrySet().stream()
                                                .map(e -> e.getKey() + " " + e.getValue())
                                                .collect(Collectors.joining(", ")))));
        text.append(
                String.format(
                        Locale.ROOT,
                        "%nright %d of %d (95 %%: %.0f to %.0f %%), among the first two %d (%.0f to"
                                + " %.0f %%), wrong with confidence >= %.1f: %d%n",
                        labelled.right(),
                        labelled.run(),
                        labelled.accuracyCi95().lo() * 100,
                        labelled.accuracyCi95().hi() * 100,
                        labelled.amongTwo(),
                        labelled.amongTwoCi95().lo() * 100,
                        labelled.amongTwoCi95().hi() * 100,
                        Labelled.SURE,
                        labelled.misleading()));
        return text.toString();
    }

    private static String json(Labelled labelled) {
        ObjectNode root = JSON.createObjectNode();
        root.put("schema", "jdyno/labelled/1");
        root.put("run", labelled.run());
        root.put("right", labelled.right());
        root.put("amongTwo", labelled.amongTwo());
        root.put("misleading", labelled.misleading());
        root.putArray("accuracyCi95")
                .add(labelled.accuracyCi95().lo())
                .add(labelled.accuracyCi95().hi());
        root.putArray("amongTwoCi95")
                .add(labelled.amongTwoCi95().lo())
                .add(labelled.amongTwoCi95().hi());
        ObjectNode confusion = root.putObject("confusion");
        labelled.confusion()
                .forEach((planted, named) -> {
                    ObjectNode row = confusion.putObject(planted);
                    named.forEach(row::put);
                });
        ArrayNode rows = root.putArray("rows");
        for (Labelled.Row r : labelled.rows()) {
            ObjectNode row = rows.addObject();
            row.put("case", r.planted().name());
            row.put("planted", r.planted().bottleneck());
            row.put("named", r.said());
            row.put("where", r.where());
            row.put("confidence", r.confidence());
            row.put("second", r.second());
            row.put("right", r.isRight());
            row.put("failure", r.failure().orElse(null));
        }
        return JSON.writeValueAsString(root) + "\n";
    }
}
