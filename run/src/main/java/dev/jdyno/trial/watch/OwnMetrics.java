package dev.jdyno.trial.watch;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.observe.metrics.MetricsReading;
import dev.jdyno.observe.metrics.ServiceMetrics;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.target.Target;
import dev.jdyno.trial.rounds.RoundFigures;
import java.util.List;
import java.util.Optional;

/// The service's own metrics over the window in which only counters are read, or over successive
/// windows of a minute.
final class OwnMetrics {
    /// Minimum time from one reading of {@link #look} to the next ÷ time that the first one took.
    /// Readings of up to 1.2 s then take at most 2 % of the time; longer ones come once a minute.
    private static final double REST = 50;

    /// Maximum time from one reading to the next, in seconds. After a reading that took long, or
    /// was given up, the next one may be fast again.
    static final double MAX_REST_S = 60;

    /// Maximum length of a window that {@link #turn} ends, in seconds: two minutes and some slow
    /// readings. A mean over a longer time is not the rate of the last minute.
    private static final double MAX_WINDOW_S = 150;

    private final ServiceMetrics metrics;
    private final NanoClock clock;

    /// The reading at the begin of the window.
    private Optional<MetricsReading> before = Optional.empty();

    /// The last reading that did not fail.
    private Optional<MetricsReading> last = Optional.empty();

    /// The last reading of {@link #look}; empty if it failed.
    private Optional<MetricsReading> looked = Optional.empty();

    private Optional<ServiceFigures> figures = Optional.empty();

    /// True if {@link #last} was read after the begin of the window.
    private boolean isRead;

    private boolean countsRequests;

    /// Number of windows up to the last one in which no reading was made or all of them failed.
    private int unread;

    private long askedNanos;
    private double readingS;

    OwnMetrics(ServiceMetrics metrics, NanoClock clock) {
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
        looked = read();
        before = looked;
        isRead = false;
    }

    /// Returns the figures since the last call, or since the beginning; empty if the metrics cannot
    /// be read, or if a count started again.
    Optional<ServiceFigures> look() throws InterruptedException {
        Optional<MetricsReading> from = looked;
        looked = read();
        readingS = clock.secondsSince(askedNanos);
        return between(from, looked);
    }

    private Optional<MetricsReading> read() throws InterruptedException {
        askedNanos = clock.nanos();
        Optional<MetricsReading> now = metrics.read();
        if (now.isPresent()) {
            last = now;
            isRead = true;
        }
        return now;
    }

    private Optional<ServiceFigures> between(
            Optional<MetricsReading> from, Optional<MetricsReading> to) {
        return from.flatMap(f -> to.flatMap(t -> metrics.between(f, t, 1, Optional.empty())));
    }

    /// True if {@link #look} may read again.
    boolean mayRead() {
        return clock.secondsSince(askedNanos) >= Math.min(MAX_REST_S, REST * readingS);
    }

    /// Ends the window now, or at the last reading of {@link #look} if this one fails.
    void end() throws InterruptedException {
        looked = read();
        figures = window();
    }

    /// Ends the window at the last reading of {@link #look} that did not fail, where the next
    /// window begins. Without such a reading it has no figures, and those of the next window reach
    /// back to its begin. It reads nothing.
    void turn() {
        figures = window().filter(f -> f.seconds() <= MAX_WINDOW_S);
        if (isRead) {
            unread = 0;
            countsRequests = throughput().isPresent();
            before = last;
            isRead = false;
        } else {
            // readings that are slow are up to a minute and a half apart
            unread++;
            countsRequests &= unread < 2;
        }
    }

    private Optional<ServiceFigures> window() {
        return isRead ? between(before, last) : Optional.empty();
    }

    /// True if the metrics counted requests in the last window that {@link #turn} ended. A single
    /// window without a reading changes nothing.
    boolean countsRequests() {
        return countsRequests;
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

    List<Unseen> missing() {
        return metrics.missing();
    }
}
