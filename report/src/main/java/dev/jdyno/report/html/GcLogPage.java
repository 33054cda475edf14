package dev.jdyno.report.html;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.gc.GcLogFigures.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the templates ask of the GC log of a run.
public record GcLogPage(RunResult result) {
    /// When the run began, in seconds since the JVM started.
    private Optional<Double> runBegan() {
        return result.gcLog().flatMap(GcLogFigures::runBeganS);
    }

    private List<Collection> collections() {
        return result.gcLog().map(GcLogFigures::collections).orElse(List.of());
    }

    /// The collections by the clock of the run; none where it is not known how far the JVM's is
    /// from it.
    List<Collection> sinceTheRun() {
        return runBegan()
                .map(began -> collections().stream().map(c -> c.at(c.atS() - began)).toList())
                .orElse(List.of());
    }

    /// Heap and pauses, those that have something to show: on the time axis of the load where it is
    /// known how far the two are apart.
    public List<Figure> figures() {
        boolean known = runBegan().isPresent();
        List<Collection> all = known ? sinceTheRun() : collections();
        return Stream.of(
                        new Figure(
                                "heap",
                                "Heap over time",
                                "Heap before and after each collection over time",
                                placed(GcCharts.heap(all, false), known)),
                        new Figure(
                                "pauses",
                                "Pauses over time",
                                "Length of each pause over time",
                                placed(GcCharts.pauses(all, false), known)))
                .filter(f -> !f.chart().series().isEmpty())
                .toList();
    }

    private Chart placed(Chart chart, boolean known) {
        return known ? new LoadPage(result).overRun(chart) : chart;
    }

    /// Charts that zoom together have the same name.
    public String time() {
        return runBegan().isPresent() ? "load" : "gc";
    }

    /// What the seconds are counted from.
    public String since() {
        return runBegan().isPresent()
                ? "in seconds since the run began, as the load above"
                : "in seconds since the JVM started";
    }
}
