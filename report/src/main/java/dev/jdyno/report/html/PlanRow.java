package dev.jdyno.report.html;

import dev.jdyno.compare.Metric;
import dev.jdyno.history.Entry;
import dev.jdyno.history.Point;
import dev.jdyno.report.HistoryReport;
import dev.jdyno.report.words.CompareText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.series.Levels;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The row of a plan on the first page.
///
/// @param newest newest result of the plan
/// @param results number of stored results
/// @param throughput throughput of the newest results that have one, the oldest first
/// @param change latest change in the level of a watched figure; empty if there is none
public record PlanRow(Entry newest, long results, List<Point> throughput, Optional<Change> change) {
    /// Key of the figure that the sparkline shows.
    public static final String THROUGHPUT = Metric.QPS.key();

    /// Keys of the figures whose changes are shown, because they vary least.
    public static final List<String> WATCHED =
            List.of(Metric.CPU.key(), THROUGHPUT, Metric.ALLOCATION.key());

    /// A figure's level changed.
    ///
    /// @param figure one of the watched figures
    /// @param at first result of the new level
    /// @param ratio new level divided by the old one
    public record Change(String figure, Point at, double ratio) {
        boolean isBetter() {
            return ratio > 1 == metric().higherIsBetter();
        }

        private Metric metric() {
            return Stream.of(Metric.values())
                    .filter(m -> m.key().equals(figure))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no figure " + figure));
        }
    }

    public PlanRow {
        throughput = List.copyOf(throughput);
    }

    public String plan() {
        return newest.plan();
    }

    public String time() {
        return HistoryReport.time(newest.at());
    }

    public String link() {
        return "trend?plan=" + HistoryPage.encoded(plan());
    }

    public String list() {
        return HistoryPage.results(plan());
    }

    public Sparkline line() {
        return new Sparkline(throughput.stream().map(Point::value).toList());
    }

    /// The newest throughput with its unit; empty if there is none.
    public String value() {
        return throughput.isEmpty()
                ? ""
                : Figures.number(throughput.getLast().value()) + " requests/s";
    }

    /// The sparkline in words.
    public String spoken() {
        double min = throughput.stream().mapToDouble(Point::value).min().orElse(0);
        double max = throughput.stream().mapToDouble(Point::value).max().orElse(0);
        return "Throughput of "
                + throughput.size()
                + " results: "
                + Figures.number(min)
                + " to "
                + Figures.number(max)
                + " requests/s";
    }

    /// The change: `CPU per request × 1.042, worse`.
    public String changed() {
        return change.map(c ->
                        c.metric().title()
                                + " × "
                                + CompareText.ratio(c.ratio())
                                + (c.isBetter() ? ", better" : ", worse"))
                .orElse("");
    }

    public String changedAt() {
        return change.map(c -> HistoryReport.time(c.at().at())).orElse("");
    }

    public String changedStyle() {
        return change.filter(Change::isBetter).isPresent() ? "up" : "down";
    }

    public String changeLink() {
        return link() + change.map(c -> "&figure=" + c.figure()).orElse("");
    }

    /// The reason why no change is shown.
    public String unchanged() {
        return throughput.size() < Levels.MIN
                ? "changes are found from " + Levels.MIN + " results on"
                : "no change in " + throughput.size() + " results";
    }
}
