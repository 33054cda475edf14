package dev.jdyno.report.html;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Analysis.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// The charts of a GC log by equal slices of its time: rates, time in which the application was
/// stopped, ages in the survivor space, phases.
final class GcTimeCharts {
    private static final double MEBI = 1024.0 * 1024;

    /// Minimum number of slices for a curve.
    private static final int FEWEST = 3;

    /// Ages that are drawn together, because single old ages mean little.
    private static final int[][] AGES = {{1, 1}, {2, 2}, {3, 5}, {6, 10}, {11, 15}};

    private static final List<String> COLOURS =
            List.of(
                    "--downstream",
                    "--gc",
                    "--pool",
                    "--disk",
                    "--lock",
                    "--dns",
                    "--other",
                    "--sleep");

    /// One part of a stack.
    private record Part(String name, String colour, ToDoubleFunction<Slice> y) {}

    private GcTimeCharts() {}

    static Chart rates(Analysis a) {
        List<Chart.Series> series = new ArrayList<>();
        line(series, "allocated", "--measured", a, Slice::allocatedBytes);
        line(series, "promoted", "--tail", a, Slice::promotedBytes);
        return Chart.of(Chart.X.linear("time, s", true), Chart.Y.fromZero("MiB/s", "MiB/s"), series)
                .withZoom();
    }

    /// Shares of each slice in percent. Waiting for memory is summed over threads and may exceed
    /// 100 %.
    static Chart stopped(Analysis a) {
        return stack(
                "share of time, %",
                "%",
                a,
                s -> true,
                List.of(
                        new Part("GC pauses", "--gc", s -> s.pauseMs() / 10 / s.seconds()),
                        new Part("other safepoints", "--lock", s -> s.otherMs() / 10 / s.seconds()),
                        new Part(
                                "threads waiting for memory",
                                "--pool",
                                s -> s.stallMs() / 10 / s.seconds())));
    }

    static Chart ages(Analysis a) {
        List<Part> parts = new ArrayList<>();
        for (int[] range : AGES) {
            parts.add(
                    new Part(
                            range[0] == range[1]
                                    ? "age " + range[0]
                                    : "ages " + range[0] + "–" + range[1],
                            COLOURS.get(parts.size()),
                            s -> {
                                double bytes = 0;
                                for (int age = range[0]; age <= range[1]; age++) {
                                    bytes += s.ageBytes().get(age - 1);
                                }
                                return bytes / MEBI;
                            }));
        }
        return stack("survivors, MiB", "MiB", a, s -> !s.ageBytes().isEmpty(), parts);
    }

    /// The phases of pauses.
    static Chart phases(Analysis a) {
        return named(a, Slice::phaseMs);
    }

    /// The phases that run concurrently with the application.
    static Chart beside(Analysis a) {
        return named(a, Slice::besideMs);
    }

    private static Chart named(Analysis a, Function<Slice, Map<String, Double>> ms) {
        List<Part> parts = new ArrayList<>();
        if (!a.timeline().isEmpty()) {
            for (String name : ms.apply(a.timeline().getFirst()).keySet()) {
                parts.add(
                        new Part(
                                name,
                                COLOURS.get(parts.size()),
                                s -> ms.apply(s).getOrDefault(name, 0.0) / s.seconds()));
            }
        }
        return stack("phases, ms a second", "ms/s", a, s -> true, parts);
    }

    private static void line(
            List<Chart.Series> series,
            String name,
            String colour,
            Analysis a,
            ToDoubleFunction<Slice> bytes) {
        List<Chart.Point> points =
                a.timeline().stream()
                        .map(s ->
                                new Chart.Point(
                                        middle(s), bytes.applyAsDouble(s) / s.seconds() / MEBI))
                        .toList();
        if (points.size() >= FEWEST && points.stream().anyMatch(p -> p.y() > 0)) {
            series.add(new Chart.Series(name, Chart.Style.LINE, colour, points));
        }
    }

    private static double middle(Slice s) {
        return s.fromS() + s.seconds() / 2;
    }

    /// The parts that occur in the log, as running sums. The total comes first.
    private static Chart stack(
            String yLabel, String unit, Analysis a, Predicate<Slice> has, List<Part> parts) {
        List<Slice> slices = a.timeline().stream().filter(has).toList();
        List<Chart.Series> series = new ArrayList<>();
        double[] sum = new double[slices.size()];
        for (Part part : parts) {
            double all = slices.stream().mapToDouble(part.y).sum();
            if (slices.size() < FEWEST || all <= 0) {
                continue;
            }
            List<Chart.Point> points = new ArrayList<>();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += part.y.applyAsDouble(slices.get(i));
                points.add(new Chart.Point(middle(slices.get(i)), sum[i]));
            }
            series.add(new Chart.Series(part.name, Chart.Style.STACK, part.colour, points));
        }
        Collections.reverse(series);
        return Chart.of(Chart.X.linear("time, s", true), Chart.Y.fromZero(yLabel, unit), series)
                .withZoom();
    }
}
