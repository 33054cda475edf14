package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.history.Commit;
import dev.jdyno.history.Entry;
import dev.jdyno.measure.verdict.Bottleneck;
import java.time.Instant;
import java.util.Optional;

/// An earlier guarded run.
///
/// @param machineNs CPU time of a step of the reference loop, which is the same every day
/// @param bottleneck empty if the service was not diagnosed
public record Day(
        String id,
        Instant at,
        Optional<Commit> code,
        double machineNs,
        Optional<Bottleneck> bottleneck,
        Entry of) {
    /// Key under which a run stores the CPU time of a step of the reference loop.
    static final String MACHINE = "machineNs";

    static Day of(Entry entry) {
        return new Day(
                entry.id(),
                entry.at(),
                entry.code(),
                entry.figure(MACHINE).map(Entry.Figure::value).orElse(1.0),
                entry.bottleneck(),
                entry);
    }

    /// Logarithm of this day's figure, scaled to a machine on which a step of the reference loop
    /// takes 1 ns. Empty if the figure was not measured on this day.
    Optional<Double> log(Figure figure) {
        return value(figure.metric()).map(v -> figure.log(v, machineNs));
    }

    Optional<Double> value(Metric metric) {
        return of.figure(metric.key()).map(Entry.Figure::value).filter(v -> v > 0);
    }
}
