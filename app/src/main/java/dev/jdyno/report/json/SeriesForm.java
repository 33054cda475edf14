package dev.jdyno.report.json;

import dev.jdyno.history.Point;
import dev.jdyno.series.Judgement;
import dev.jdyno.series.Levels;
import java.util.List;

/// `jdyno/series/1`: its components are the keys of the contract, in their order.
///
/// @param outliers indices, written with a fraction of 0
public record SeriesForm(
        String schema,
        Judgement.Verdict verdict,
        int values,
        boolean lowerIsBetter,
        List<Change> changePoints,
        List<Double> outliers) {
    /// @param direction `worse` or `better`
    public record Change(int index, double before, double after, double ratio, String direction) {}

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
                                        j.isWorse(c) ? "worse" : "better"))
                        .toList(),
                outliers(j.levels()));
    }

    private static List<Double> outliers(Levels levels) {
        return levels.outliers().stream().map(Integer::doubleValue).toList();
    }

    /// `jdyno/trend/1`.
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
