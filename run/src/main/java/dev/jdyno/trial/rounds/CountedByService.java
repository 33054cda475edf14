package dev.jdyno.trial.rounds;

import dev.jdyno.driver.ServiceCounts;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.metrics.MetricsReading;
import dev.jdyno.observe.metrics.ServiceMetrics;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.RequestCounters;
import dev.jdyno.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Requests by the service's own metrics or, if these count none, by its container over JMX. The
/// counter that first has requests is used for the whole run.
public final class CountedByService implements ServiceCounts {
    private static final String NO_PERCENTILES =
            "percentiles and maximum of response times: the service counts only their sum";

    private static final String INSIDE =
            "response times outside the service: its counter starts when it has read a request";

    private static final String NO_STATUS =
            "failed requests: the service's counter has no status of a reply";

    private final Plan plan;
    private final Optional<Target> target;
    private final NanoClock clock;
    private final List<String> failures = new ArrayList<>();
    private boolean opened;
    private ServiceMetrics metrics = ServiceMetrics.none();
    private Optional<MetricsReading> before = Optional.empty();
    private Optional<RequestCounters> container = Optional.empty();
    private long startNanos;
    private double readingSeconds;

    /// Opens no counter before the first {@link #begin}.
    ///
    /// @param target the target, if it runs on this machine
    public CountedByService(Plan plan, Optional<Target> target, NanoClock clock) {
        this.plan = plan;
        this.target = target;
        this.clock = clock;
    }

    @Override
    public void begin() {
        try {
            if (!opened) {
                opened = true;
                open();
            }
            long start = clock.nanos();
            before = metrics.read();
            if (container.isPresent()) {
                container.get().restart();
            }
            startNanos = clock.nanos();
            readingSeconds = clock.secondsSince(start);
        } catch (UserError unread) {
            failed(unread);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private void open() throws InterruptedException {
        Optional<Target> listener = target.map(this::listener);
        try {
            List<String> flags =
                    listener.isPresent() ? listener.get().facts().flags() : List.<String>of();
            metrics =
                    RoundFigures.metrics(
                            plan.inside().metrics(),
                            listener,
                            HttpUrl.port(plan.url()),
                            flags,
                            clock);
            if (listener.isPresent()) {
                if (!target.get().attached()) {
                    var _ = RequestCounters.startConnector(listener.get());
                }
                container = Optional.of(RequestCounters.open(listener.get(), clock));
            }
        } catch (UserError none) {
            failed(none);
        }
    }

    /// The JVM that listens on the URL's port: a launched command may have several.
    private Target listener(Target started) {
        int port = HttpUrl.port(plan.url());
        return Stream.concat(Stream.of(started.pid()), started.otherJvms().stream())
                .filter(pid -> Sockets.portsOf(ProcFs.SYSTEM, pid).contains(port))
                .findFirst()
                .filter(pid -> pid != started.pid())
                .map(Target::attach)
                .orElse(started);
    }

    @Override
    public Optional<Served> end() {
        try {
            long start = clock.nanos();
            Optional<MetricsReading> after = metrics.read();
            Optional<Served> own = before.flatMap(b -> after.flatMap(a -> byMetrics(b, a)));
            Optional<Served> served =
                    own.isPresent() || container.isEmpty()
                            ? own
                            : Optional.of(byContainer(container.get().take()));
            readingSeconds = clock.secondsSince(start);
            if (own.isPresent()) {
                close();
            } else if (served.filter(s -> s.requests() > 0).isPresent()) {
                metrics = ServiceMetrics.none();
            }
            return served;
        } catch (UserError unread) {
            failed(unread);
            return Optional.empty();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Optional<Served> byMetrics(MetricsReading first, MetricsReading last) {
        return metrics.between(first, last, 1, Optional.empty())
                .filter(f -> f.perS() > 0)
                .map(CountedByService::served);
    }

    private static Served served(ServiceFigures f) {
        double failedPerS =
                f.endpoints().stream()
                        .filter(e -> e.status().startsWith("4") || e.status().startsWith("5"))
                        .mapToDouble(EndpointFigures::perS)
                        .sum();
        boolean hasStatus = f.endpoints().stream().anyMatch(e -> !e.status().isEmpty());
        return new Served(
                Throughput.Source.METRICS.key(),
                f.seconds(),
                Math.round((f.perS() - failedPerS) * f.seconds()),
                Math.round(failedPerS * f.seconds()),
                f.meanMs(),
                missing(hasStatus));
    }

    private Served byContainer(Throughput seen) {
        double seconds = clock.secondsSince(startNanos);
        return new Served(
                seen.source().key(),
                seconds,
                Math.round(seen.perS() * seconds),
                0,
                seen.containerRtMs(),
                missing(false));
    }

    private static List<String> missing(boolean hasStatus) {
        return hasStatus
                ? List.of(NO_PERCENTILES, INSIDE)
                : List.of(NO_PERCENTILES, INSIDE, NO_STATUS);
    }

    private void failed(UserError unread) {
        String reason = unread.what() + ": " + unread.why() + "; " + unread.fix();
        if (!failures.contains(reason)) {
            failures.add(reason);
        }
    }

    @Override
    public double readingSeconds() {
        return readingSeconds;
    }

    @Override
    public List<String> failures() {
        return Stream.concat(metrics.missing().stream().map(Unseen::text), failures.stream())
                .toList();
    }

    @Override
    public void close() {
        container.ifPresent(RequestCounters::close);
        container = Optional.empty();
    }
}
