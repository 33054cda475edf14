package dev.jdyno.report;

import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.SeriesForm;
import dev.jdyno.report.words.Figures;
import dev.jdyno.series.Judgement;
import dev.jdyno.series.Levels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A series of figures, judged, for terminal and scripts.
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
                                    + Levels.LEAST;
                });
        for (Levels.Change c : changes) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "  from value %d on (of %d, counted from 0): %s -> %s, × %.3f, %s",
                            c.index(),
                            j.values(),
                            Figures.number(c.before()),
                            Figures.number(c.after()),
                            c.ratio(),
                            j.isWorse(c) ? "worse" : "better"));
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

    /// `jdyno/series/1`.
    public static String json(Judgement j) {
        return JsonDocument.line(SeriesForm.of(j));
    }
}
