package dev.jdyno.report.html;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.gc.GcLogFigures.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The data of the templates about the GC log of a run.
public record GcLogPage(RunResult result) {
    /// Start of the run, in seconds since the JVM started.
    private Optional<Double> runBegan() {
        return result.gcLog().flatMap(GcLogFigures::runBeganS);
    }

    private List<Collection> collections() {
        return result.gcLog().map(GcLogFigures::collections).orElse(List.of());
    }

    /// The collections on the clock of the run; empty if the offset to the JVM's clock is unknown.
    List<Collection> sinceTheRun() {
        return runBegan()
                .map(began -> collections().stream().map(c -> c.at(c.atS() - began)).toList())
                .orElse(List.of());
    }

    /// The charts of heap and pauses that have data. They share the time axis of the load if the
    /// offset between the two clocks is known.
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

    /// The name of the time axis. Charts with the same name zoom together.
    public String time() {
        return runBegan().isPresent() ? "load" : "gc";
    }

    /// The event from which the seconds are counted.
    public String since() {
        return runBegan().isPresent()
                ? "in seconds since the run began, as the load above"
                : "in seconds since the JVM started";
    }
}
