package dev.jdyno.observe.jfr;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;

/// A number that a JVM counts from its start, at several times of a recording: started threads,
/// loaded classes.
final class FlightTotal {
    private record Sample(Instant at, double number) {}

    private final List<Sample> samples = new ArrayList<>();

    /// Adds the number of one event. An event without this field adds nothing.
    void add(RecordedEvent e, String field) {
        if (e.hasField(field)) {
            add(e.getStartTime(), FlightJvm.number(e, field));
        }
    }

    void add(Instant at, double number) {
        samples.add(new Sample(at, number));
    }

    /// Growth per second between two times; empty with fewer than two samples.
    Optional<Double> perS(Instant from, Instant to) {
        return perS(within(from, to));
    }

    /// The lower one of the growths per second in the two halves of the samples; empty with fewer
    /// than three samples.
    Optional<Double> lastingPerS(Instant from, Instant to) {
        List<Sample> then = within(from, to);
        if (then.size() < 3) {
            return Optional.empty();
        }
        int middle = then.size() / 2;
        return perS(then.subList(0, middle + 1))
                .flatMap(a -> perS(then.subList(middle, then.size())).map(b -> Math.min(a, b)));
    }

    private List<Sample> within(Instant from, Instant to) {
        return samples.stream()
                .filter(s -> FlightJvm.within(s.at(), from, to))
                .sorted(Comparator.comparing(Sample::at))
                .toList();
    }

    /// Growth per second; empty if there are fewer than two samples, or if the number fell, which
    /// it never does in one JVM.
    ///
    /// @param then in order of time
    private static Optional<Double> perS(List<Sample> then) {
        if (then.size() < 2) {
            return Optional.empty();
        }
        double seconds = FlightJvm.seconds(then.getFirst().at(), then.getLast().at());
        double more = then.getLast().number() - then.getFirst().number();
        return seconds <= 0 || more < 0 ? Optional.empty() : Optional.of(more / seconds);
    }
}
