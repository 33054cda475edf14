package dev.jdyno.report;

import dev.jdyno.measure.Interval;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// The two charts of a run: throughput and response time against the load.
///
/// The load is the concurrency, or the intended rate when every round had one (open model). The
/// prediction is drawn from F1's N* and F2's X_max: up to the knee X = N / R0 with R0 = N* / X_max
/// (F3), beyond it X = X_max and R = R0 · N / N* (F4). It is a mean, and only drawn over
/// concurrency.
final class ResultCharts {
    /// Largest over smallest response time from which only a logarithmic axis shows both.
    private static final double LOG_FROM_RATIO = 40;

    private ResultCharts() {}

    static Chart throughput(RunResult r) {
        List<Chart.Series> series = new ArrayList<>();
        predicted(r)
                .ifPresent(p ->
                        series.add(prediction(r, n -> p.qps() * Math.min(1, n / p.concurrency()))));
        List<Chart.Point> points =
                sorted(r).stream()
                        .map(x -> new Chart.Point(load(r, x), x.qps(), Optional.of(x.qpsCi95())))
                        .toList();
        series.add(new Chart.Series("measured", style(r), "--measured", points));
        return new Chart(loadLabel(r), "QPS", "/s", false, true, false, series, knee(r, false));
    }

    static Chart responseTime(RunResult r) {
        List<Chart.Series> series = new ArrayList<>();
        predicted(r)
                .ifPresent(p -> {
                    double base = p.concurrency() / p.qps() * 1000;
                    series.add(prediction(r, n -> base * Math.max(1, n / p.concurrency())));
                });
        series.add(percentile(r, "p50", "--measured", x -> x.rtMs().p50()));
        series.add(percentile(r, "p99", "--tail", x -> x.rtMs().p99()));
        double most = r.rounds().stream().mapToDouble(x -> x.rtMs().p99()).max().orElse(1);
        double least = r.rounds().stream().mapToDouble(x -> x.rtMs().p50()).min().orElse(1);
        boolean log = least > 0 && most / least > LOG_FROM_RATIO;
        return new Chart(
                loadLabel(r), "response time, ms", "ms", log, true, false, series, knee(r, true));
    }

    /// Whether every round had an intended rate.
    static boolean isOpen(RunResult r) {
        return !r.rounds().isEmpty() && r.rounds().stream().allMatch(x -> x.ratePerS().isPresent());
    }

    static Optional<Knee.Predicted> predicted(RunResult r) {
        return isOpen(r) ? Optional.empty() : r.knee().flatMap(Knee::predicted);
    }

    private static Chart.Series percentile(
            RunResult r, String name, String colour, ToDoubleFunction<Round> value) {
        List<Chart.Point> points =
                sorted(r).stream()
                        .map(x -> new Chart.Point(load(r, x), value.applyAsDouble(x)))
                        .toList();
        return new Chart.Series(name, style(r), colour, points);
    }

    /// The predicted line, with a corner at N* and a point at every round for the tooltip.
    private static Chart.Series prediction(RunResult r, ToDoubleFunction<Double> formula) {
        List<Double> loads = new ArrayList<>();
        loads.add(0.0);
        predicted(r).ifPresent(p -> loads.add(p.concurrency()));
        r.rounds().forEach(x -> loads.add(load(r, x)));
        List<Chart.Point> points =
                loads.stream()
                        .sorted()
                        .distinct()
                        .map(n -> new Chart.Point(n, formula.applyAsDouble(n)))
                        .toList();
        return new Chart.Series("predicted", Chart.Style.DASHED, "--predicted", points);
    }

    /// The knee, when it lies within the chart; its interval is cut off at the chart's ends.
    private static List<Chart.Mark> knee(RunResult r, boolean top) {
        double end = r.rounds().stream().mapToDouble(x -> load(r, x)).max().orElse(0);
        if (isOpen(r) || r.knee().isEmpty() || !(r.knee().get().concurrency() <= end)) {
            return List.of();
        }
        Knee k = r.knee().get();
        double at = Math.max(0, k.concurrency());
        double lo = Math.clamp(k.ci95().lo(), 0, at);
        double hi = Math.clamp(k.ci95().hi(), at, end);
        return List.of(new Chart.Mark(at, new Interval(lo, hi), "knee " + Figures.number(at), top));
    }

    /// Joined by a line as long as no load was measured twice.
    private static Chart.Style style(RunResult r) {
        long loads = r.rounds().stream().mapToDouble(x -> load(r, x)).distinct().count();
        return loads == r.rounds().size() ? Chart.Style.POINTS : Chart.Style.SCATTER;
    }

    private static List<Round> sorted(RunResult r) {
        return r.rounds().stream().sorted(Comparator.comparingDouble(x -> load(r, x))).toList();
    }

    private static double load(RunResult r, Round x) {
        return isOpen(r) ? x.ratePerS().orElse(0.0) : x.concurrency();
    }

    private static String loadLabel(RunResult r) {
        return isOpen(r) ? "intended rate, 1/s" : "concurrency";
    }
}
