package dev.jdyno.report.json;

import dev.jdyno.history.Point;
import dev.jdyno.series.Drift;
import dev.jdyno.series.Judgement;
import dev.jdyno.series.Levels;
import dev.jdyno.series.Repeating;
import java.util.List;
import java.util.Optional;

/// The document `jdyno/series/1`. Its components are the documented keys, in their order
/// (docs/json.md).
///
/// @param outliers indices of outliers, written as decimals such as 3.0
/// @param repeating patterns that come and go; the changes are those of the series without them
public record SeriesForm(
        String schema,
        Judgement.Verdict verdict,
        int values,
        boolean lowerIsBetter,
        List<Change> changePoints,
        List<Double> outliers,
        Optional<Comes> repeating) {
    /// @param direction `worse` or `better`
    /// @param until index of the first value at the new level, if the level moves slowly
    public record Change(
            int index,
            double before,
            double after,
            double ratio,
            String direction,
            Optional<Integer> until) {}

    /// @param kind `season` or `two-levels`
    /// @param period length of a season, in values
    /// @param switches number of switches between two levels
    public record Comes(
            String kind,
            double low,
            double high,
            Optional<Double> period,
            Optional<Integer> switches) {
        static Comes of(Repeating repeating) {
            return switch (repeating) {
                case Repeating.Season s ->
                        new Comes(
                                "season",
                                s.low(),
                                s.high(),
                                Optional.of(s.period()),
                                Optional.empty());
                case Repeating.TwoLevels t ->
                        new Comes(
                                "two-levels",
                                t.low(),
                                t.high(),
                                Optional.empty(),
                                Optional.of(t.switches()));
            };
        }
    }

    public static SeriesForm of(Judgement j) {
        return new SeriesForm(
                "jdyno/series/1",
                j.verdict(),
                j.values(),
                j.lowerIsBetter(),
                j.levels().changes().stream()
                        .map(c ->
                                new Change(
                                        c.index(),
                                        c.before(),
                                        c.after(),
                                        c.ratio(),
                                        j.isWorse(c) ? "worse" : "better",
                                        j.drift(c).map(Drift::to)))
                        .toList(),
                outliers(j.levels()),
                j.repeating().map(Comes::of));
    }

    private static List<Double> outliers(Levels levels) {
        return levels.outliers().stream().map(Integer::doubleValue).toList();
    }

    /// Returns the JSON document `jdyno/trend/1`.
    public record Trend(
            String schema,
            String plan,
            String figure,
            List<Point> points,
            List<Step> changePoints,
            List<Double> outliers) {
        /// @param id of the first result at the new level
        public record Step(int index, String id, double before, double after, double ratio) {}

        public static Trend of(String plan, String figure, List<Point> points, Levels levels) {
            return new Trend(
                    "jdyno/trend/1",
                    plan,
                    figure,
                    points,
                    levels.changes().stream()
                            .map(c ->
                                    new Step(
                                            c.index(),
                                            points.get(c.index()).id(),
                                            c.before(),
                                            c.after(),
                                            c.ratio()))
                            .toList(),
                    SeriesForm.outliers(levels));
        }
    }
}
