package dev.jdyno.report.words;

import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Whether the services and databases behind a service took more calls without answering slower:
/// their time in a request at the reported load, beside that at the lowest load.
///
/// @param low the lowest load with a breakdown
/// @param lowMs time of a request there in calls of others
/// @param now the reported load
/// @param nowMs time of a request there in calls of others
public record DownstreamText(Round low, double lowMs, Round now, double nowMs) {
    /// Bottlenecks whose first recommendation is worth as much as what is behind the service takes.
    private static final Set<Bottleneck> BEFORE_IT =
            EnumSet.of(
                    Bottleneck.DOWNSTREAM,
                    Bottleneck.DATABASE,
                    Bottleneck.THREAD_POOL,
                    Bottleneck.CONNECTION_POOL,
                    Bottleneck.EVENT_LOOP);

    /// Minimum share of a request's time in calls of others for their limit to matter.
    private static final double MATTERS = 0.1;

    /// Ratio of the times, from which answers are slower at the reported load. The breakdown of two
    /// windows of one load differs by less.
    private static final double SLOWER = 1.3;

    /// Empty if the verdict does not depend on other services, or if calls of them take less than a
    /// tenth of a request.
    public static Optional<String> of(RunResult r) {
        Optional<Round> now = r.operatingPoint().map(OperatingPoint::round);
        Optional<Double> nowMs = now.flatMap(DownstreamText::ms);
        if (!BEFORE_IT.contains(r.verdict().bottleneck())
                || nowMs.filter(ms -> ms >= MATTERS * now.get().rtMs().mean()).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                r.rounds().stream()
                        .filter(x -> x.ratePerS().isEmpty() && ms(x).isPresent())
                        .filter(x -> x.concurrency() < now.get().concurrency())
                        .min(Comparator.comparingInt(Round::concurrency))
                        .map(low ->
                                new DownstreamText(
                                                low, ms(low).orElseThrow(), now.get(), nowMs.get())
                                        .says())
                        .orElse(
                                "Not known whether the called services can take more: no lower load"
                                        + " has a breakdown"));
    }

    private static Optional<Double> ms(Round r) {
        return r.anatomy().map(DownstreamText::inCalls).filter(ms -> ms > 0);
    }

    private static double inCalls(Breakdown a) {
        return a.ms(Cause.DOWNSTREAM) + a.ms(Cause.DATABASE);
    }

    /// `Its calls take 34.9 ms of a request at N=1 (0.92 at a time), 57.4 ms at N=5 (4.8 at a
    /// time): more calls at once only take longer`. A limit before them holds the calls back, so
    /// what more of them would take was not tried.
    String says() {
        return String.format(
                Locale.ROOT,
                "Its calls take %s ms of a request at %s (%.1f at a time), %s ms at %s (%.1f at a"
                        + " time): %s",
                Figures.number(lowMs),
                Highlights.load(low),
                atATime(low, lowMs),
                Figures.number(nowMs),
                Highlights.load(now),
                atATime(now, nowMs),
                nowMs >= SLOWER * lowMs
                        ? "more calls at once only take longer"
                        : "no slower so far; more at a time were not tried");
    }

    /// Returns the mean number of requests in calls of others, by Little's law.
    private static double atATime(Round round, double ms) {
        return round.qps() * ms / 1000;
    }
}
