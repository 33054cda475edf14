package dev.jdyno.experiment.form;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Experiment;
import dev.jdyno.experiment.labelled.Labelled;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.Figures;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The published and the measured figures of an experiment, as a table or as JSON.
public final class ComparisonReport {
    /// Minimum width of the column with the names of the figures.
    private static final int FIGURE_WIDTH = 34;

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

    /// Returns the relative error of a prediction.
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

    private static String json(Comparison c) {
        return JsonDocument.line(LabForm.of(c)) + "\n";
    }

    /// Lists every published experiment.
    public static String catalogue(List<Experiment> experiments, boolean json) {
        if (json) {
            return JsonDocument.line(experiments.stream().map(LabForm.Listed::of).toList()) + "\n";
        }
        var text = new StringBuilder();
        for (Experiment e : experiments) {
            text.append(String.format(Locale.ROOT, "%-4s %s%n", e.id(), e.title()));
        }
        return text.toString();
    }

    /// Shows how often the diagnosis was right on planted bottlenecks.
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
                                            Printable.plain(why)))
                            .orElseGet(() ->
                                    String.format(
                                            Locale.ROOT,
                                            "%-26s %-20s %s%-18s %5.2f  %s%n",
                                            r.planted().name(),
                                            r.planted().bottleneck(),
                                            mark,
                                            r.said(),
                                            r.confidence(),
                                            Printable.plain(r.where()))));
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
        return JsonDocument.line(LabelledForm.of(labelled)) + "\n";
    }
}
