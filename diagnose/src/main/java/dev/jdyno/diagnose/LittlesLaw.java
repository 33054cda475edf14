package dev.jdyno.diagnose;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Checks N = X · R for closed rounds. N requests are always in flight, so throughput times mean
/// response time must be N. A request that was sent before the round counts with its whole time. A
/// request that is still open at the end is not counted. In a steady flow, these two errors cancel.
public final class LittlesLaw {
    /// Minimum deviation of X · R from N, as a share of N, that is reported.
    static final double OFF = 0.2;

    /// Minimum response time, as a share of the round, at which other requests probably took longer
    /// than the round.
    private static final double OUTLASTS = 0.5;

    private LittlesLaw() {}

    /// Returns one warning on the rounds whose X · R is too small for the requests in flight.
    /// Another one is on the rounds whose X · R is too large. Rounds with errors are left out,
    /// because the mean response time does not include errors. Rounds are also left out if jdyno
    /// did not send their load, or if the client was saturated.
    public static List<Warning> warnings(List<Round> rounds) {
        List<Warning> warnings = new ArrayList<>();
        List<Round> few = off(rounds, r -> r.answeredInFlight() < (1 - OFF) * r.concurrency());
        if (!few.isEmpty()) {
            double longest = longestMs(few);
            boolean outlasts =
                    few.stream().anyMatch(r -> r.rtMs().max() >= OUTLASTS * 1000 * r.seconds());
            String why =
                    outlasts
                            ? "a request took %.0f ms, others longer than the round"
                                    .formatted(longest)
                            : "the others waited for longer than the round, or to be connected";
            warnings.add(
                    new Warning(
                            DecidingWarning.UNANSWERED.id(),
                            "by Little's law (QPS × RT), answered requests make up %s requests in flight: %s, and response times leave them out; a longer --round includes more of them"
                                    .formatted(named(few), why),
                            false));
        }
        List<Round> many = off(rounds, r -> r.answeredInFlight() > (1 + OFF) * r.concurrency());
        if (!many.isEmpty()) {
            warnings.add(
                    new Warning(
                            "carried-over",
                            String.format(
                                    Locale.ROOT,
                                    "by Little's law (QPS × RT), answered requests make up %s"
                                            + " requests in flight: requests sent before the"
                                            + " round (one took %.0f ms) count with all of their"
                                            + " time; the knee uses N / QPS there",
                                    named(many),
                                    longestMs(many)),
                            false));
        }
        return warnings;
    }

    private static List<Round> off(List<Round> rounds, Predicate<Round> off) {
        return rounds.stream()
                .filter(r -> r.bytesRead().isPresent() && r.ratePerS().isEmpty() && r.qps() > 0)
                .filter(r -> r.errors() == 0 && !r.client().saturated())
                .filter(off)
                .sorted(
                        Comparator.comparingDouble((Round r) ->
                                        Math.abs(Math.log(r.answeredInFlight() / r.concurrency())))
                                .reversed())
                .toList();
    }

    private static double longestMs(List<Round> rounds) {
        return rounds.stream().mapToDouble(r -> r.rtMs().max()).max().orElseThrow();
    }

    /// Returns text with X · R and N of each round, `19.3 of 2, 4.4 of 1`, the largest deviation
    /// first.
    private static String named(List<Round> rounds) {
        return rounds.stream()
                .map(r ->
                        String.format(
                                Locale.ROOT, "%.1f of %d", r.answeredInFlight(), r.concurrency()))
                .collect(Collectors.joining(", "));
    }
}
