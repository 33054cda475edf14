package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// The charts of a run: throughput and response time over the load. If the run searched under
/// goals, the share of misses over the rate, too.
///
/// The load is the concurrency, or the intended rate if every round had one (open model). If a run
/// has both kinds of rounds, only the closed ones are drawn, over the concurrency. The prediction
/// uses N* of the knee formula (F1) and X_max of the saturation formula (F2). Up to the knee, X = N
/// / R0 with R0 = N* / X_max (Little's law, F3). Beyond the knee, X = X_max and R = R0 · N / N*
/// (F4). The prediction is a mean, and is only drawn over concurrency. The curves of the model and
/// of each what-if come from the calibrated closed model.
final class ResultCharts {
    /// Minimum ratio of the largest to the smallest response time for a logarithmic axis. A linear
    /// axis would hide the small times.
    private static final double LOG_FROM_RATIO = 40;

    /// Length of an axis as a multiple of the largest measured value. Parts of the predictions may
    /// lie outside the chart.
    private static final double AXIS_OF_LARGEST = 1.1;

    /// Smallest share of misses on the chart, in percent. Smaller shares are drawn at this value.
    private static final double MIN_PERCENT = 0.001;

    private static final List<String> WHAT_IF_COLOURS =
            List.of("--what-if-1", "--what-if-2", "--what-if-3", "--what-if-4");

    private ResultCharts() {}

    static Chart throughput(RunResult r) {
        List<Chart.Series> series = new ArrayList<>(models(r, CurvePoint::qps));
        predicted(r)
                .ifPresent(p ->
                        series.add(prediction(r, n -> p.qps() * Math.min(1, n / p.concurrency()))));
        List<Chart.Point> points =
                sorted(r).stream()
                        .filter(x -> x.disturbance().isEmpty())
                        .map(x -> new Chart.Point(load(r, x), x.qps(), Optional.of(x.qpsCi95())))
                        .toList();
        series.add(new Chart.Series("measured", style(r), "--measured", points));
        List<Chart.Point> disturbed =
                Stream.concat(drawn(r).stream(), r.recording().leftOut().stream())
                        .filter(x -> x.disturbance().isPresent())
                        .filter(x -> isOpen(r) == x.ratePerS().isPresent())
                        .sorted(Comparator.comparingDouble(x -> load(r, x)))
                        .map(x -> new Chart.Point(load(r, x), x.qps(), Optional.of(x.qpsCi95())))
                        .toList();
        if (!disturbed.isEmpty()) {
            series.add(
                    new Chart.Series(
                            "disturbed by others", Chart.Style.SCATTER, "--muted", disturbed));
        }
        double max =
                Stream.concat(points.stream(), disturbed.stream())
                        .mapToDouble(p -> Math.max(p.y(), p.interval().orElseThrow().hi()))
                        .filter(Double::isFinite)
                        .max()
                        .orElse(0);
        return Chart.of(
                        Chart.X.linear(loadLabel(r), true),
                        Chart.Y.fromZero("QPS", "/s").upTo(AXIS_OF_LARGEST * max),
                        series)
                .withMarks(knee(r, false));
    }

    static Chart responseTime(RunResult r) {
        List<Chart.Series> series = new ArrayList<>(models(r, CurvePoint::rtMs));
        predicted(r)
                .ifPresent(p -> {
                    double base = p.concurrency() / p.qps() * 1000;
                    series.add(prediction(r, n -> base * Math.max(1, n / p.concurrency())));
                });
        // Models and predictions are means, so the chart shows the mean and not the median.
        series.add(measured(r, "mean", "--measured", x -> x.rtMs().mean()));
        Chart.Series p99 = measured(r, "p99", "--tail", x -> x.rtMs().p99());
        if (!p99.points().isEmpty()) {
            series.add(p99);
        }
        double max = drawn(r).stream().mapToDouble(ResultCharts::tail).max().orElse(1);
        double min = drawn(r).stream().mapToDouble(x -> x.rtMs().mean()).min().orElse(1);
        boolean log = min > 0 && max / min > LOG_FROM_RATIO;
        return Chart.of(
                        Chart.X.linear(loadLabel(r), true),
                        Chart.Y.fromZero("response time, ms", "ms")
                                .withLog(log)
                                .upTo(AXIS_OF_LARGEST * max),
                        series)
                .withMarks(knee(r, true));
    }

    /// Misses of the goal that breaks first over the rate, with the allowed share and the bracket.
    static Chart misses(GoalKnee g) {
        double allowed = 0;
        List<Chart.Point> points = new ArrayList<>();
        for (GoalKnee.Tested t : byRate(g)) {
            for (GoalKnee.Misses m : t.misses()) {
                if (m.goal().equals(g.bindingGoal())) {
                    points.add(
                            new Chart.Point(
                                    t.ratePerS(),
                                    percent(m.share()),
                                    Optional.of(new Interval(percent(m.lo()), percent(m.hi())))));
                    allowed = percent(m.allowed());
                }
            }
        }
        List<Chart.Series> series = new ArrayList<>();
        if (!points.isEmpty()) {
            double limit = allowed;
            series.add(
                    new Chart.Series(
                            "allowed",
                            Chart.Style.DASHED,
                            "--predicted",
                            List.of(points.getFirst(), points.getLast()).stream()
                                    .map(p -> new Chart.Point(p.x(), limit))
                                    .toList()));
        }
        series.add(new Chart.Series("missed", Chart.Style.SCATTER, "--measured", points));
        return Chart.of(
                        Chart.X.linear("rate, 1/s", false),
                        Chart.Y.fromZero("missed " + g.bindingGoal() + ", %", "%").withLog(true),
                        series)
                .withMarks(bracket(g, points));
    }

    /// The curves of models in the charts over the load, for the legend.
    static List<Chart.Series> models(RunResult r) {
        return models(r, CurvePoint::qps);
    }

    private static List<GoalKnee.Tested> byRate(GoalKnee g) {
        return g.tests().stream()
                .sorted(Comparator.comparingDouble(GoalKnee.Tested::ratePerS))
                .toList();
    }

    /// A share in percent, at least the smallest one that the logarithmic axis can show.
    private static double percent(double share) {
        return Math.clamp(100 * share, MIN_PERCENT, 100);
    }

    /// The bracket of the rate under goals. It ends at the chart's edge on a side without a
    /// measured end.
    private static List<Chart.Mark> bracket(GoalKnee g, List<Chart.Point> points) {
        if (points.isEmpty()
                || g.estimate() < points.getFirst().x()
                || g.estimate() > points.getLast().x()) {
            return List.of();
        }
        double lo = g.good().orElse(points.getFirst().x());
        double hi = g.bad().orElse(points.getLast().x());
        return List.of(
                new Chart.Mark(
                        g.estimate(),
                        new Interval(Math.min(lo, g.estimate()), Math.max(hi, g.estimate())),
                        "knee " + Figures.number(g.estimate()) + "/s",
                        true));
    }

    /// The curve of the calibrated model, then that of each what-if, over concurrency.
    private static List<Chart.Series> models(RunResult r, ToDoubleFunction<CurvePoint> value) {
        List<Chart.Series> all = new ArrayList<>();
        if (isOpen(r)) {
            return all;
        }
        r.knee()
                .filter(k -> !k.model().isEmpty())
                .ifPresent(k ->
                        all.add(curve("model", Chart.Style.LINE, "--model", k.model(), value)));
        int i = 0;
        for (WhatIf w : Highlights.whatIfs(r)) {
            if (!w.curve().isEmpty() && i < WHAT_IF_COLOURS.size()) {
                all.add(
                        curve(
                                Highlights.change(w, r.verdict()),
                                Chart.Style.DASHED,
                                WHAT_IF_COLOURS.get(i),
                                w.curve(),
                                value));
                i++;
            }
        }
        return all;
    }

    private static Chart.Series curve(
            String name,
            Chart.Style style,
            String colour,
            List<CurvePoint> points,
            ToDoubleFunction<CurvePoint> value) {
        return new Chart.Series(
                name,
                style,
                colour,
                points.stream()
                        .map(p -> new Chart.Point(p.concurrency(), value.applyAsDouble(p)))
                        .toList());
    }

    /// True if every round had an intended rate.
    static boolean isOpen(RunResult r) {
        return !r.rounds().isEmpty() && r.rounds().stream().allMatch(x -> x.ratePerS().isPresent());
    }

    /// The prediction of the knee (F1) and of the throughput at saturation (F2). Empty if CPU is
    /// not the limit, because the prediction covers CPU only.
    static Optional<Knee.Predicted> predicted(RunResult r) {
        return isOpen(r)
                ? Optional.empty()
                : r.knee().flatMap(Knee::predicted).filter(Knee.Predicted::ofTheLimit);
    }

    private static Chart.Series measured(
            RunResult r, String name, String colour, ToDoubleFunction<Round> value) {
        List<Chart.Point> points =
                sorted(r).stream()
                        .filter(x -> !Double.isNaN(value.applyAsDouble(x)))
                        .map(x -> new Chart.Point(load(r, x), value.applyAsDouble(x)))
                        .toList();
        return new Chart.Series(name, style(r), colour, points);
    }

    /// The p99, or the mean if the user's load tool prints no percentile.
    private static double tail(Round round) {
        double p99 = round.rtMs().p99();
        return Double.isNaN(p99) ? round.rtMs().mean() : p99;
    }

    /// The predicted line, with a corner at N* and a point at every round for the tooltip.
    private static Chart.Series prediction(RunResult r, ToDoubleFunction<Double> formula) {
        List<Double> loads = new ArrayList<>();
        loads.add(0.0);
        predicted(r).ifPresent(p -> loads.add(p.concurrency()));
        drawn(r).forEach(x -> loads.add(load(r, x)));
        List<Chart.Point> points =
                loads.stream()
                        .sorted()
                        .distinct()
                        .map(n -> new Chart.Point(n, formula.applyAsDouble(n)))
                        .toList();
        return new Chart.Series("predicted", Chart.Style.DASHED, "--predicted", points);
    }

    /// The knee, if it lies within the chart; its interval is cut off at the chart's ends.
    private static List<Chart.Mark> knee(RunResult r, boolean top) {
        double end = drawn(r).stream().mapToDouble(x -> load(r, x)).max().orElse(0);
        if (isOpen(r) || r.knee().isEmpty() || !(r.knee().get().concurrency() <= end)) {
            return List.of();
        }
        Knee k = r.knee().get();
        double at = Math.max(0, k.concurrency());
        double lo = Math.clamp(k.ci95().lo(), 0, at);
        double hi = Math.clamp(k.ci95().hi(), at, end);
        String name = k.isDeterminable() ? "knee " + Figures.number(at) : "knee, not determinable";
        return List.of(new Chart.Mark(at, new Interval(lo, hi), name, top));
    }

    /// The points are joined by a line unless a load was measured twice.
    private static Chart.Style style(RunResult r) {
        long loads = drawn(r).stream().mapToDouble(x -> load(r, x)).distinct().count();
        return loads == drawn(r).size() ? Chart.Style.POINTS : Chart.Style.SCATTER;
    }

    /// The rounds that the charts over the load show.
    private static List<Round> drawn(RunResult r) {
        List<Round> closed = r.rounds().stream().filter(x -> x.ratePerS().isEmpty()).toList();
        return closed.isEmpty() ? r.rounds() : closed;
    }

    private static List<Round> sorted(RunResult r) {
        return drawn(r).stream().sorted(Comparator.comparingDouble(x -> load(r, x))).toList();
    }

    private static double load(RunResult r, Round x) {
        return isOpen(r) ? x.ratePerS().orElse(0.0) : x.concurrency();
    }

    private static String loadLabel(RunResult r) {
        return isOpen(r) ? "intended rate, 1/s" : "concurrency";
    }
}
