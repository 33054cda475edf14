package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.LatencyCurve;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// The charts of a run's load over time, and of the distribution of response times in some of its
/// rounds.
final class LoadCharts {
    /// Minimum ratio of the largest to the smallest response time for a logarithmic axis. A linear
    /// axis would hide the small times.
    private static final double LOG_FROM_RATIO = 40;

    /// Minimum gap in seconds between two separate stretches of load.
    private static final double GAP_S = 0.5;

    private static final List<String> COLOURS = List.of("--predicted", "--measured", "--tail");

    private LoadCharts() {}

    static Chart throughput(List<LoadPoint> points) {
        List<Chart.Series> series = new ArrayList<>();
        series.add(line("good", Chart.Style.LINE, "--measured", points, LoadPoint::qps));
        if (points.stream().anyMatch(p -> p.errors() > 0)) {
            series.add(line("failed", Chart.Style.LINE, "--lock", points, LoadPoint::errorsPerS));
        }
        return overTime("requests/s", "/s", false, series, warmUp(points));
    }

    /// Response-time quantiles over time; each only at points that have enough requests for it.
    static Chart responseTimes(List<LoadPoint> points) {
        List<Chart.Series> series = new ArrayList<>();
        series.add(
                quantile("max", Chart.Style.DOTS, "--predicted", points, 0, p -> p.rtMs().max()));
        series.add(quantile("p99", Chart.Style.LINE, "--tail", points, 0.99, p -> p.rtMs().p99()));
        series.add(quantile("p90", Chart.Style.LINE, "--model", points, 0.9, p -> p.rtMs().p90()));
        series.add(
                quantile("p50", Chart.Style.LINE, "--measured", points, 0.5, p -> p.rtMs().p50()));
        series.removeIf(s -> s.points().isEmpty());
        var ms =
                series.stream()
                        .flatMap(s -> s.points().stream())
                        .mapToDouble(Chart.Point::y)
                        .summaryStatistics();
        boolean log = ms.getCount() > 0 && ms.getMax() / ms.getMin() > LOG_FROM_RATIO;
        return overTime("response time, ms", "ms", log, series, List.of());
    }

    static Chart inFlight(List<LoadPoint> points) {
        return overTime(
                "requests in flight",
                "",
                false,
                List.of(new Chart.Series("in flight", Chart.Style.STEPS, "--pool", held(points))),
                List.of());
    }

    private static List<Chart.Point> held(List<LoadPoint> points) {
        List<Chart.Point> held = new ArrayList<>();
        double end = Double.POSITIVE_INFINITY;
        for (LoadPoint p : points) {
            if (p.fromS() - end > GAP_S) {
                held.add(new Chart.Point(end, 0));
            }
            held.add(new Chart.Point(p.fromS(), p.concurrency()));
            end = p.endS();
        }
        held.add(new Chart.Point(end, 0));
        return held;
    }

    private static Chart overTime(
            String label,
            String unit,
            boolean log,
            List<Chart.Series> series,
            List<Chart.Mark> marks) {
        return Chart.of(
                        Chart.X.linear("time, s", true),
                        Chart.Y.fromZero(label, unit).withLog(log),
                        series)
                .withZoom()
                .withMarks(marks);
    }

    private static Chart.Series line(
            String name,
            Chart.Style style,
            String colour,
            List<LoadPoint> points,
            ToDoubleFunction<LoadPoint> value) {
        return new Chart.Series(
                name,
                style,
                colour,
                points.stream()
                        .map(p -> new Chart.Point(middle(p), value.applyAsDouble(p)))
                        .toList());
    }

    private static Chart.Series quantile(
            String name,
            Chart.Style style,
            String colour,
            List<LoadPoint> points,
            double q,
            ToDoubleFunction<LoadPoint> ms) {
        return line(
                name,
                style,
                colour,
                points.stream()
                        .filter(p -> Figures.carries(p.requests(), q) && ms.applyAsDouble(p) > 0)
                        .toList(),
                ms);
    }

    private static double middle(LoadPoint p) {
        return p.fromS() + p.seconds() / 2;
    }

    /// Marks the warm-up before the rounds. Also marks the repeated load after the rounds, which is
    /// sent if the warm-up may have been too short.
    static List<Chart.Mark> warmUp(List<LoadPoint> points) {
        List<Chart.Mark> marks = new ArrayList<>();
        int i = 0;
        while (i < points.size()) {
            LoadPoint.Part part = points.get(i).part();
            int from = i;
            while (i < points.size() && points.get(i).part() == part) {
                i++;
            }
            if (part == LoadPoint.Part.WARM_UP) {
                double end = points.get(i - 1).endS();
                marks.add(
                        new Chart.Mark(
                                end,
                                new Interval(points.get(from).fromS(), end),
                                from == 0 ? "warm-up" : "repeated after a rest",
                                true));
            }
        }
        return marks;
    }

    /// The start of each round with its load; the labels of neighbours have different heights.
    static List<Chart.Mark> rounds(List<LoadPoint> points) {
        List<Chart.Mark> marks = new ArrayList<>();
        Optional<LoadPoint> before = Optional.empty();
        for (LoadPoint p : points) {
            if (p.part() == LoadPoint.Part.ROUND && before.filter(b -> goesOn(b, p)).isEmpty()) {
                double at = p.fromS();
                boolean top = marks.size() % 2 == 0;
                marks.add(new Chart.Mark(at, new Interval(at, at), load(p), top));
            }
            before = Optional.of(p);
        }
        return marks;
    }

    private static boolean goesOn(LoadPoint before, LoadPoint now) {
        return before.part() == now.part()
                && load(before).equals(load(now))
                && now.fromS() - before.endS() <= GAP_S;
    }

    private static String load(LoadPoint p) {
        return p.ratePerS().map(r -> Figures.number(r) + "/s").orElse("N=" + p.concurrency());
    }

    /// The rounds whose response times are drawn: the lowest load, the load with the best
    /// throughput, and the highest load.
    static List<Round> drawn(RunResult r) {
        List<Round> known =
                r.rounds().stream()
                        .filter(x -> x.latencyCurve().filter(c -> !c.bins().isEmpty()).isPresent())
                        .sorted(Highlights.BY_LOAD)
                        .toList();
        Optional<Round> max = known.stream().max(Comparator.comparingDouble(Round::qps));
        if (max.isEmpty()) {
            return List.of();
        }
        Set<Round> drawn =
                new LinkedHashSet<>(List.of(known.getFirst(), max.get(), known.getLast()));
        return drawn.stream().sorted(Highlights.BY_LOAD).toList();
    }

    /// Share of the requests by response time, in bins of equal width on the logarithmic axis.
    static Chart bins(List<Round> rounds) {
        List<Chart.Series> series = new ArrayList<>();
        for (Round round : rounds) {
            round.latencyCurve()
                    .ifPresent(c ->
                            series.add(
                                    new Chart.Series(
                                            Highlights.load(round),
                                            Chart.Style.STEPS,
                                            COLOURS.get(series.size()),
                                            steps(c.bins()))));
        }
        return Chart.of(
                Chart.X.spanning("response time, ms", Chart.Axis.LOGARITHMIC),
                Chart.Y.fromZero("requests, %", "%"),
                series);
    }

    /// The bins as steps. A point at 0 marks each gap between two bins and the end of the last bin.
    private static List<Chart.Point> steps(List<LatencyCurve.Bin> bins) {
        double all = bins.stream().mapToLong(LatencyCurve.Bin::count).sum();
        List<Chart.Point> steps = new ArrayList<>();
        double end = bins.getFirst().fromMs();
        for (LatencyCurve.Bin bin : bins) {
            if (bin.fromMs() > end) {
                steps.add(new Chart.Point(end, 0));
            }
            steps.add(new Chart.Point(bin.fromMs(), 100 * bin.count() / all));
            end = bin.toMs();
        }
        steps.add(new Chart.Point(end, 0));
        return steps;
    }

    /// Response time by quantile: the time within which that share of the requests was answered.
    static Chart quantiles(List<Round> rounds) {
        List<Chart.Series> series = new ArrayList<>();
        for (Round round : rounds) {
            round.latencyCurve()
                    .ifPresent(c ->
                            series.add(
                                    new Chart.Series(
                                            Highlights.load(round),
                                            Chart.Style.LINE,
                                            COLOURS.get(series.size()),
                                            c.quantiles().stream()
                                                    .filter(q -> q.ms() > 0)
                                                    .map(q ->
                                                            new Chart.Point(
                                                                    Chart.Axis.nines(q.share()),
                                                                    q.ms()))
                                                    .toList())));
        }
        var ms =
                series.stream()
                        .flatMap(s -> s.points().stream())
                        .mapToDouble(Chart.Point::y)
                        .summaryStatistics();
        boolean log = ms.getCount() > 0 && ms.getMax() / ms.getMin() > LOG_FROM_RATIO;
        return Chart.of(
                Chart.X.spanning("share of requests", Chart.Axis.NINES),
                Chart.Y.fromZero("response time, ms", "ms").withLog(log),
                series);
    }
}
