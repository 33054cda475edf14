package dev.jdyno.trial.rounds;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.service.Framework;
import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.metrics.MetricsReading;
import dev.jdyno.observe.metrics.ServiceMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hipparchus.distribution.continuous.TDistribution;

/// The use of a service's pools while a rate is held, by its own metrics. They are read again and
/// again, because gauges show only the instant of a reading.
public final class HeldPools {
    /// Longest reading after which the metrics are read again during the windows of the load, which
    /// a slow reading delays.
    private static final double SLOW_S = 1;

    /// Beginning of the names of limits that the service itself changes.
    private static final List<String> ADAPTIVE =
            List.of("Helidon AIMD limit", "Helidon throughput limit");

    private final ServiceMetrics metrics;
    private final NanoClock clock;
    private final double everyS;
    private final Map<Key, List<Double>> windows = new LinkedHashMap<>();
    private Optional<MetricsReading> first = Optional.empty();
    private Optional<MetricsReading> last = Optional.empty();
    private long readNanos;

    /// Number of readings since the rate began, without those that failed.
    private int readings;

    private boolean slow;

    private record Key(String library, String pool) {}

    /// @param everyS time from one reading to the next, in seconds
    public HeldPools(ServiceMetrics metrics, NanoClock clock, double everyS) {
        this.metrics = metrics;
        this.clock = clock;
        this.everyS = everyS;
    }

    /// Reads nothing.
    public static HeldPools none() {
        return new HeldPools(ServiceMetrics.none(), NanoClock.SYSTEM, Double.POSITIVE_INFINITY);
    }

    /// True if there is an address to read.
    boolean found() {
        return metrics.found();
    }

    /// Begins when the rate begins. What was read before does not count.
    public void begin() throws InterruptedException {
        windows.clear();
        slow = false;
        readings = 0;
        first = read();
        last = first;
    }

    /// Reads if it is time to. To be called about once a second.
    public void look() throws InterruptedException {
        if (!found() || slow || clock.secondsSince(readNanos) < everyS) {
            return;
        }
        Optional<MetricsReading> before = last;
        Optional<MetricsReading> now = readAgain();
        between(before, now)
                .ifPresent(figures ->
                        figures.pools()
                                .forEach(p ->
                                        p.inUse()
                                                .ifPresent(n ->
                                                        windows.computeIfAbsent(
                                                                        key(p),
                                                                        _ -> new ArrayList<>())
                                                                .add(n))));
    }

    private Optional<MetricsReading> readAgain() throws InterruptedException {
        Optional<MetricsReading> now = read();
        first = first.or(() -> now);
        last = now.or(() -> last);
        return now;
    }

    private Optional<MetricsReading> read() throws InterruptedException {
        if (!found()) {
            return Optional.empty();
        }
        long start = clock.nanos();
        Optional<MetricsReading> reading = metrics.read();
        readNanos = clock.nanos();
        slow |= clock.secondsSince(start) > SLOW_S;
        readings += reading.isPresent() ? 1 : 0;
        return reading;
    }

    private Optional<ServiceFigures> between(
            Optional<MetricsReading> from, Optional<MetricsReading> to) {
        return from.flatMap(a -> to.flatMap(b -> metrics.between(a, b, 1, Optional.empty())));
    }

    private static Key key(ServicePool pool) {
        return new Key(pool.library(), pool.pool());
    }

    /// The pools that were in use, over the whole time; empty if nothing was read twice. The list
    /// is empty if the metrics have no pool that was in use. To be called while the rate is held,
    /// because a slow service is read again only here.
    ///
    /// @param perS requests per second that ended, successful or not
    public Optional<PoolDemand.Pools> pools(double perS) throws InterruptedException {
        if (slow || readings < 2) {
            readAgain();
        }
        if (readings < 2) {
            return Optional.empty();
        }
        return between(first, last)
                .map(whole ->
                        new PoolDemand.Pools(
                                perS,
                                Framework.ofMetrics(whole.from()),
                                whole.pools().stream()
                                        .filter(p -> !ADAPTIVE.contains(p.library()))
                                        .flatMap(p -> demand(p).stream())
                                        .filter(d -> d.inUse() > 0)
                                        .sorted(mostUsed())
                                        .toList()));
    }

    /// Why metrics could not be read, or have no pools; empty if there was nothing to read.
    public List<String> missing() {
        return metrics.missing().stream().map(Unseen::text).toList();
    }

    private static Comparator<PoolDemand> mostUsed() {
        return Comparator.comparingDouble(PoolDemand::inUse).reversed();
    }

    private Optional<PoolDemand> demand(ServicePool pool) {
        List<Double> seen = windows.getOrDefault(key(pool), List.of());
        // a timer counts the whole time; of a gauge, two readings are the least that there is
        Optional<Double> mean =
                pool.heldMs().isPresent() || seen.isEmpty()
                        ? pool.inUse()
                        : Optional.of(mean(seen));
        return mean.map(m ->
                new PoolDemand(
                        pool.pool(),
                        pool.library(),
                        pool.max(),
                        m,
                        interval(m, seen, pool.heldMs().isEmpty()),
                        pool.waiting(),
                        pool.heldMs()));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(v -> v).average().orElse(0);
    }

    /// The 95 % interval of a mean, by the differences of its windows. Two windows or fewer count
    /// as one look at a Poisson number.
    ///
    /// @param shared whether neighbouring windows share a reading, so that they hide half of the
    ///   variance
    static Interval interval(double mean, List<Double> windows, boolean shared) {
        int n = windows.size();
        double error = Math.sqrt(mean);
        double quantile = Interval.NORMAL_95;
        if (n > 2) {
            double centre = mean(windows);
            double squares = windows.stream().mapToDouble(w -> (w - centre) * (w - centre)).sum();
            error = Math.sqrt((shared ? 2 : 1) * squares / (n - 1) / n);
            quantile = new TDistribution(n - 1.0).inverseCumulativeProbability(0.975);
        }
        return new Interval(Math.max(0, mean - quantile * error), mean + quantile * error);
    }

    /// The thread pools of a service without metrics, by thread dumps at the held rate. Dumps show
    /// the threads that exist, so the size is at least theirs.
    ///
    /// @param perS requests per second that ended, successful or not
    public static PoolDemand.Pools ofThreads(SampledThreads threads, double perS) {
        return new PoolDemand.Pools(
                perS,
                Optional.empty(),
                threads.places().pools().stream()
                        .filter(p -> p.busy() > 0 && !p.loop() && !p.virtual())
                        .map(p -> demand(p, Math.max(1, threads.dumps())))
                        .sorted(mostUsed())
                        .toList());
    }

    private static PoolDemand demand(ThreadSamples.Pool pool, int dumps) {
        double error = Interval.NORMAL_95 * Math.sqrt(pool.busy() / dumps);
        return new PoolDemand(
                pool.name(),
                "",
                Optional.of(pool.size()),
                pool.busy(),
                new Interval(Math.max(0, pool.busy() - error), pool.busy() + error),
                Optional.empty(),
                Optional.empty());
    }
}
