package dev.jdyno.report.html;

import dev.jdyno.measure.gc.GcLogFigures.Collection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// The two charts of a GC log: occupancy and pauses over the JVM's time. An axis that starts at 0
/// leaves little width for the data if the log began long after the JVM.
final class GcCharts {
    /// Minimum ratio of the longest to the shortest pause for a logarithmic axis. A linear axis
    /// would hide the short pauses.
    private static final double LOG_FROM_RATIO = 40;

    private static final double MEBI = 1024.0 * 1024;

    private GcCharts() {}

    /// Occupancy before and after each collection, and the capacity. Figures that are missing in
    /// the log (0) are left out.
    static Chart heap(List<Collection> all, boolean fromZero) {
        List<Chart.Series> series = new ArrayList<>();
        add(series, "capacity", Chart.Style.DASHED, "--predicted", all, Collection::capacityBytes);
        add(series, "before", Chart.Style.DOTS, "--runQueue", all, Collection::beforeBytes);
        add(series, "after", Chart.Style.LINE, "--measured", all, Collection::afterBytes);
        return Chart.of(
                        Chart.X.linear("time, s", fromZero),
                        Chart.Y.fromZero("heap, MiB", "MiB"),
                        series)
                .withZoom();
    }

    /// Each pause by its kind.
    static Chart pauses(List<Collection> all, boolean fromZero) {
        List<Chart.Series> series = new ArrayList<>();
        kind(series, "young", "--downstream", all, GcCharts::isYoung);
        kind(series, "mixed", "--pool", all, k -> k.equals("mixed"));
        kind(series, "full", "--lock", all, k -> k.equals("full") || k.equals("degenerated"));
        kind(
                series,
                "other",
                "--sleep",
                all,
                k -> !isYoung(k) && !List.of("mixed", "full", "degenerated").contains(k));
        var ms =
                all.stream()
                        .mapToDouble(Collection::pauseMs)
                        .filter(v -> v > 0)
                        .summaryStatistics();
        boolean log = ms.getCount() > 0 && ms.getMax() / ms.getMin() > LOG_FROM_RATIO;
        return Chart.of(
                        Chart.X.linear("time, s", fromZero),
                        Chart.Y.fromZero("pause, ms", "ms").withLog(log),
                        series)
                .withZoom();
    }

    private static boolean isYoung(String kind) {
        return List.of("young", "concurrentStart", "prepareMixed").contains(kind);
    }

    private static void kind(
            List<Chart.Series> series,
            String name,
            String colour,
            List<Collection> all,
            Predicate<String> kinds) {
        var points =
                sorted(all)
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
            List<Collection> all,
            ToDoubleFunction<Collection> bytes) {
        var points =
                sorted(all)
                        .filter(p -> bytes.applyAsDouble(p) > 0)
                        .map(p -> new Chart.Point(p.atS(), bytes.applyAsDouble(p) / MEBI))
                        .toList();
        if (!points.isEmpty()) {
            series.add(new Chart.Series(name, style, colour, points));
        }
    }

    /// The collections in the order of their times, even if the clock of the log went backwards.
    private static Stream<Collection> sorted(List<Collection> all) {
        return all.stream().sorted(Comparator.comparingDouble(Collection::atS));
    }
}
