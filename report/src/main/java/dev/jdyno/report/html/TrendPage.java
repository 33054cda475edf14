package dev.jdyno.report.html;

import dev.jdyno.history.Commit;
import dev.jdyno.history.Point;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.words.Figures;
import dev.jdyno.series.Levels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One figure of a plan over time.
///
/// @param points the oldest first
/// @param figures that results of the plan have
/// @param version of jdyno
public record TrendPage(
        String plan,
        String figure,
        String unit,
        List<Point> points,
        Levels levels,
        List<String> figures,
        String version)
        implements HtmlPage {
    public TrendPage {
        points = List.copyOf(points);
        figures = List.copyOf(figures);
    }

    public Chart chart() {
        List<Chart.Point> values = new ArrayList<>();
        List<Chart.Point> outliers = new ArrayList<>();
        List<Chart.Point> level = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            Point p = points.get(i);
            (levels.outliers().contains(i) ? outliers : values)
                    .add(new Chart.Point(i + 1.0, p.value(), p.ci95()));
            level.add(new Chart.Point(i + 1.0, levelAt(i)));
        }
        List<Chart.Series> series = new ArrayList<>();
        series.add(new Chart.Series(figure, Chart.Style.POINTS, "--measured", values));
        series.add(new Chart.Series("level", Chart.Style.DASHED, "--accent", level));
        if (!outliers.isEmpty()) {
            series.add(new Chart.Series("stands out", Chart.Style.SCATTER, "--bad-line", outliers));
        }
        return Chart.of(
                        Chart.X.linear("result, the newest on the right", false),
                        Chart.Y.spanning(figure + (unit.isEmpty() ? "" : ", " + unit), unit),
                        series)
                .withZoom()
                .withMarks(
                        levels.changes().stream()
                                .map(c ->
                                        new Chart.Mark(
                                                c.index() + 0.5,
                                                Interval.exactly(c.index() + 0.5),
                                                String.format(Locale.ROOT, "× %.3f", c.ratio()),
                                                true))
                                .toList())
                .withLinks(
                        points.stream().map(p -> "runs/" + HistoryPage.encoded(p.id())).toList());
    }

    /// Median of the level that a result belongs to.
    private double levelAt(int index) {
        int from = 0;
        int to = points.size();
        for (Levels.Change c : levels.changes()) {
            if (c.index() <= index) {
                from = c.index();
            } else {
                to = Math.min(to, c.index());
            }
        }
        double[] part =
                points.subList(from, to).stream().mapToDouble(Point::value).sorted().toArray();
        return part[part.length / 2];
    }

    /// A remark after the value: an outlier, or the start of a level.
    public String remark(int index) {
        if (levels.outliers().contains(index)) {
            return "stands out";
        }
        return levels.changes().stream()
                .filter(c -> c.index() == index)
                .map(c -> String.format(Locale.ROOT, "the level changes, × %.3f", c.ratio()))
                .findFirst()
                .orElse("");
    }

    public String time(Point p) {
        return HistoryReport.time(p.at());
    }

    public String number(double value) {
        return Figures.number(value);
    }

    public String commit(Point p) {
        return p.commit().map(h -> new Commit(h, Optional.empty()).shortHash()).orElse("");
    }

    public String results() {
        return HistoryPage.results(plan);
    }

    public String link(String of) {
        return "trend?plan=" + HistoryPage.encoded(plan) + "&figure=" + HistoryPage.encoded(of);
    }
}
