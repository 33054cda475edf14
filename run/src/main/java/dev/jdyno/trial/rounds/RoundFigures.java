package dev.jdyno.trial.rounds;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.observe.metrics.MetricsReading;
import dev.jdyno.observe.metrics.ServiceMetrics;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The service's own metrics of each round, read at its beginning and at its end.
public final class RoundFigures {
    private final ServiceMetrics metrics;
    private final List<ServiceFigures> figures = new ArrayList<>();
    private Optional<MetricsReading> before = Optional.empty();

    public RoundFigures(ServiceMetrics metrics) {
        this.metrics = metrics;
    }

    /// Reads at the address of the plan, or at the address that a search finds.
    ///
    /// @param target the target, if it runs on this machine
    /// @param flags flags of its JVM
    public static RoundFigures of(
            Plan plan, Optional<Target> target, List<String> flags, NanoClock clock)
            throws InterruptedException {
        return new RoundFigures(
                metrics(plan.inside().metrics(), target, HttpUrl.port(plan.url()), flags, clock));
    }

    /// Returns the metrics at the address of the user, or at the address that a search finds.
    ///
    /// @param target the target, if it runs on this machine; without it there is no search
    /// @param first the port that is tried first
    /// @param flags flags of its JVM
    public static ServiceMetrics metrics(
            MetricsPlan wanted,
            Optional<Target> target,
            int first,
            List<String> flags,
            NanoClock clock)
            throws InterruptedException {
        if (wanted.at().isPresent()) {
            return ServiceMetrics.at(wanted.at().get(), clock);
        }
        return wanted.search() && target.isPresent()
                ? ServiceMetrics.search(ProcFs.SYSTEM, target.get().pid(), first, flags, clock)
                : ServiceMetrics.none();
    }

    /// Reads nothing.
    public static RoundFigures none() {
        return new RoundFigures(ServiceMetrics.none());
    }

    /// Reads at the beginning of a round.
    ///
    /// @return true if a request was sent, which takes some time of the load
    public boolean begin() throws InterruptedException {
        before = metrics.read();
        return metrics.found();
    }

    /// Reads at the end of a round, while its load continues.
    public void end(Round round) throws InterruptedException {
        Optional<MetricsReading> first = before;
        before = Optional.empty();
        if (first.isPresent()) {
            metrics.read()
                    .flatMap(after ->
                            metrics.between(
                                    first.get(),
                                    after,
                                    round.concurrency(),
                                    Optional.of(round.endedPerS())))
                    .ifPresent(figures::add);
        }
    }

    /// Returns the figures of the given rounds, in their order.
    public List<ServiceFigures> of(List<Round> rounds) {
        return rounds.stream()
                .flatMap(r ->
                        figures.stream()
                                .filter(f -> f.ofRound(r.concurrency(), r.endedPerS()))
                                .limit(1))
                .toList();
    }

    public List<String> means() {
        return metrics.means();
    }

    public List<String> missing() {
        return metrics.missing().stream().map(Unseen::text).toList();
    }
}
