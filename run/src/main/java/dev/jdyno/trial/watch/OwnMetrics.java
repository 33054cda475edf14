package dev.jdyno.trial.watch;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.observe.metrics.MetricsReading;
import dev.jdyno.observe.metrics.ServiceMetrics;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.target.Target;
import dev.jdyno.trial.rounds.RoundFigures;
import java.util.List;
import java.util.Optional;

/// The service's own metrics over the window in which only counters are read.
final class OwnMetrics {
    private final ServiceMetrics metrics;
    private final NanoClock clock;
    private Optional<MetricsReading> before = Optional.empty();

    /// The last reading of {@link #look}.
    private Optional<MetricsReading> looked = Optional.empty();

    private Optional<ServiceFigures> figures = Optional.empty();

    private double readingS;

    private OwnMetrics(ServiceMetrics metrics, NanoClock clock) {
        this.metrics = metrics;
        this.clock = clock;
    }

    /// @param flags flags of the target's JVM
    static OwnMetrics of(MetricsPlan wanted, Target target, List<String> flags, NanoClock clock)
            throws InterruptedException {
        return new OwnMetrics(
                RoundFigures.metrics(wanted, Optional.of(target), 0, flags, clock), clock);
    }

    void begin() throws InterruptedException {
        before = metrics.read();
        looked = before;
    }

    /// Returns the figures since the last call, or since the beginning; empty if the metrics cannot
    /// be read, or if a count started again.
    Optional<ServiceFigures> look() throws InterruptedException {
        Optional<MetricsReading> last = looked;
        long start = clock.nanos();
        looked = metrics.read();
        readingS = clock.secondsSince(start);
        Optional<MetricsReading> now = looked;
        return last.flatMap(
                from -> now.flatMap(to -> metrics.between(from, to, 1, Optional.empty())));
    }

    /// Time that the last reading of {@link #look} took, in seconds; 0 before it.
    double readingS() {
        return readingS;
    }

    void end() throws InterruptedException {
        if (before.isPresent()) {
            MetricsReading first = before.get();
            figures =
                    metrics.read()
                            .flatMap(last -> metrics.between(first, last, 1, Optional.empty()));
        }
    }

    /// Ends the window at the last reading of {@link #look}, where the next window begins. It reads
    /// nothing.
    void turn() {
        Optional<MetricsReading> last = looked;
        figures =
                before.flatMap(
                        from -> last.flatMap(to -> metrics.between(from, to, 1, Optional.empty())));
        before = last;
    }

    /// True if there is an address to read.
    boolean found() {
        return metrics.found();
    }

    /// Returns the throughput, which may be 0; empty if the metrics do not count requests.
    Optional<Throughput> throughput() {
        return figures.filter(ServiceFigures::countsRequests)
                .map(f -> new Throughput(f.perS(), Throughput.Source.METRICS, f.meanMs()));
    }

    Optional<ServiceFigures> figures() {
        return figures;
    }

    List<String> means() {
        return metrics.means();
    }

    List<String> missing() {
        return metrics.missing();
    }
}
