package dev.jdyno.report;

import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.SeriesForm;
import dev.jdyno.report.words.Figures;
import dev.jdyno.series.Judgement;
import dev.jdyno.series.Levels;
import dev.jdyno.series.Repeating;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Renders the judgement of a series of figures, as text for the terminal and as JSON.
public final class SeriesReport {
    private SeriesReport() {}

    public static String terminal(Judgement j) {
        List<Levels.Change> changes = j.levels().changes();
        List<String> lines = new ArrayList<>();
        lines.add(
                switch (j.verdict()) {
                    case OK ->
                            changes.isEmpty()
                                    ? "ok: one level over all " + j.values() + " values"
                                    : "ok: the last change of level is for the better";
                    case REGRESSION ->
                            "regression: the level that holds now is worse than the one before";
                    case UNCLEAR ->
                            "unclear: "
                                    + j.values()
                                    + " values; two levels need at least "
                                    + Levels.MIN;
                });
        j.repeating().ifPresent(r -> lines.add("  " + text(r)));
        for (Levels.Change c : changes) {
            lines.add("  " + text(c, j));
        }
        if (!j.levels().outliers().isEmpty()) {
            lines.add(
                    "  single values that stand out: "
                            + j.levels().outliers().stream()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", ")));
        }
        return lines.stream().map(l -> l + "\n").collect(Collectors.joining());
    }

    private static String text(Repeating repeating) {
        return switch (repeating) {
            case Repeating.Season s ->
                    "comes and goes with a period of "
                            + Math.round(s.period())
                            + " values, between "
                            + Figures.number(s.low())
                            + " and "
                            + Figures.number(s.high())
                            + "; this is taken out";
            case Repeating.TwoLevels t ->
                    "two levels that come and go, such as those of two machines: "
                            + Figures.number(t.low())
                            + " and "
                            + Figures.number(t.high())
                            + " ("
                            + t.switches()
                            + " changes between them); the rarer is taken for the other";
        };
    }

    private static String text(Levels.Change c, Judgement j) {
        String where =
                j.drift(c)
                        .map(d -> "drifts from value " + d.from() + " to " + d.to())
                        .orElse("from value " + c.index() + " on");
        // A ratio to zero, or of zero, is meaningless.
        String ratio =
                Double.isFinite(c.ratio()) && c.ratio() > 0
                        ? String.format(Locale.ROOT, ", × %.3f", c.ratio())
                        : "";
        return String.format(
                Locale.ROOT,
                "%s (of %d, counted from 0): %s -> %s%s, %s",
                where,
                j.values(),
                Figures.number(c.before()),
                Figures.number(c.after()),
                ratio,
                j.isWorse(c) ? "worse" : "better");
    }

    /// Returns the JSON document `jdyno/series/1`.
    public static String json(Judgement j) {
        return JsonDocument.line(SeriesForm.of(j));
    }
}
