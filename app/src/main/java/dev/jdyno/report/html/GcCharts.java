package dev.jdyno.report.html;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Analysis.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// The two charts of a GC log: occupancy and pauses over the time since its first stamp.
final class GcCharts {
    /// Longest over shortest pause from which only a logarithmic axis shows both.
    private static final double LOG_FROM_RATIO = 40;

    private static final double MEBI = 1024.0 * 1024;

    private GcCharts() {}

    /// Occupancy before and after each collection, and the capacity. What the log does not say (0)
    /// is left out.
    static Chart heap(Analysis a) {
        List<Chart.Series> series = new ArrayList<>();
        add(series, "capacity", Chart.Style.DASHED, "--predicted", a, Point::capacityBytes);
        add(series, "before", Chart.Style.DOTS, "--runQueue", a, Point::beforeBytes);
        add(series, "after", Chart.Style.LINE, "--measured", a, Point::afterBytes);
        return new Chart("time, s", "heap, MiB", "MiB", false, true, true, series, List.of());
    }

    /// Each pause by its kind.
    static Chart pauses(Analysis a) {
        List<Chart.Series> series = new ArrayList<>();
        kind(series, "young", "--downstream", a, GcCharts::isYoung);
        kind(series, "mixed", "--pool", a, k -> k.equals("mixed"));
        kind(series, "full", "--lock", a, k -> k.equals("full") || k.equals("degenerated"));
        kind(
                series,
                "other",
                "--sleep",
                a,
                k -> !isYoung(k) && !List.of("mixed", "full", "degenerated").contains(k));
        var ms =
                a.series().stream()
                        .mapToDouble(Point::pauseMs)
                        .filter(v -> v > 0)
                        .summaryStatistics();
        boolean log = ms.getCount() > 0 && ms.getMax() / ms.getMin() > LOG_FROM_RATIO;
        return new Chart("time, s", "pause, ms", "ms", log, true, true, series, List.of());
    }

    private static boolean isYoung(String kind) {
        return List.of("young", "concurrentStart", "prepareMixed").contains(kind);
    }

    private static void kind(
            List<Chart.Series> series,
            String name,
            String colour,
            Analysis a,
            Predicate<String> kinds) {
        var points =
                sorted(a)
                        .filter(p -> p.pauseMs() > 0 && kinds.test(p.kind()))
                        .map(p -> new Chart.Point(p.atS(), p.pauseMs()))
                        .toList();
        if (!points.isEmpty()) {
            series.add(new Chart.Series(name, Chart.Style.DOTS, colour, points));
        }
    }

    private static void add(
            List<Chart.Series> series,
            String name,
            Chart.Style style,
            String colour,
            Analysis a,
            ToDoubleFunction<Point> bytes) {
        var points =
                sorted(a)
                        .filter(p -> bytes.applyAsDouble(p) > 0)
                        .map(p -> new Chart.Point(p.atS(), bytes.applyAsDouble(p) / MEBI))
                        .toList();
        if (!points.isEmpty()) {
            series.add(new Chart.Series(name, style, colour, points));
        }
    }

    /// By time: a log whose clock went backwards still draws from left to right.
    private static Stream<Point> sorted(Analysis a) {
        return a.series().stream().sorted(Comparator.comparingDouble(Point::atS));
    }
}
