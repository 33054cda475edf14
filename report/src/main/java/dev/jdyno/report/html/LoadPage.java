package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcLogFigures.Collection;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import java.util.List;
import java.util.stream.Collectors;

/// The data of the templates about the load: over the run's time, and the distribution of response
/// times.
public record LoadPage(RunResult result) {
    private List<LoadPoint> points() {
        return result.recording().load().map(LoadFacts::timeline).orElse(List.of());
    }

    /// Throughput and response times, side by side; empty if no point was stored.
    public List<Figure> overTime() {
        List<LoadPoint> points = points();
        return points.isEmpty()
                ? List.of()
                : List.of(
                        new Figure(
                                "throughput-over-time",
                                "Throughput",
                                "Good and failed requests a second over time",
                                overRun(LoadCharts.throughput(points))),
                        new Figure(
                                "response-time-over-time",
                                "Response time",
                                "Quantiles of the response time over time",
                                overRun(LoadCharts.responseTimes(points))));
    }

    public Figure inFlight() {
        return new Figure(
                "in-flight-over-time",
                "Load",
                "Requests in flight over time",
                overRun(LoadCharts.inFlight(points())));
    }

    /// The chart on the common time axis of the run, with the rounds marked.
    Chart overRun(Chart chart) {
        List<LoadPoint> points = points();
        double load = points.isEmpty() ? 0 : points.getLast().endS();
        double collections =
                new GcLogPage(result)
                        .sinceTheRun().stream().mapToDouble(Collection::atS).max().orElse(0);
        return chart.overRun(Math.max(load, collections), LoadCharts.rounds(points));
    }

    /// The meaning of a point in the charts over time.
    public String point() {
        double longest = points().stream().mapToDouble(LoadPoint::seconds).max().orElse(1);
        return longest < 1.5
                ? "A point is a second of one load"
                : "A point is up to " + Figures.number(longest) + " s of one load";
    }

    /// Histogram and quantiles, side by side; empty if no round has them.
    public List<Figure> spread() {
        List<Round> drawn = LoadCharts.drawn(result);
        return drawn.isEmpty()
                ? List.of()
                : List.of(
                        new Figure(
                                "latency-histogram",
                                "Histogram",
                                "Share of the requests by response time",
                                LoadCharts.bins(drawn)),
                        new Figure(
                                "latency-quantiles",
                                "Percentiles",
                                "Response time by share of the requests",
                                LoadCharts.quantiles(drawn)));
    }

    /// The rounds that are drawn, `N=1, N=20, N=40`.
    public String drawn() {
        return LoadCharts.drawn(result).stream()
                .map(Highlights::load)
                .collect(Collectors.joining(", "));
    }
}
