package dev.jdyno.trial.rounds;

import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import java.util.List;
import java.util.stream.Stream;

/// At which loads diagnostic windows are taken: at the operating point, the load that the report
/// speaks of; at one that surely saturates the target, which decides what limits it; and at one
/// well below.
public final class EvidenceLoads {
    /// Share of the best throughput from which a round counts as saturated.
    private static final double SATURATED = 0.97;

    /// Share of it from which a round counts as no worse for the load beyond the saturating one.
    private static final double FLAT = 0.9;

    /// How many times the load that saturates it the target is looked into at, where throughput is
    /// still flat there: then as many wait for what it lacks as have it, or more.
    private static final double SURELY_SATURATED = 2;

    /// Requests that should wait beside those that have what limits, where such a load was
    /// measured: one that waits for a lock beside one that holds it is no queue yet.
    private static final int QUEUE = 8;

    /// Share of it up to which a round counts as relaxed.
    private static final double RELAXED = 0.5;

    private EvidenceLoads() {}

    public static List<Integer> of(List<Round> rounds) {
        double best = rounds.stream().mapToDouble(Round::qps).max().orElse(0);
        int saturated =
                rounds.stream()
                        .filter(r -> r.qps() >= best * SATURATED)
                        .mapToInt(Round::concurrency)
                        .min()
                        .orElseThrow();
        int beyond = beyond(rounds, saturated, best);
        int relaxed =
                rounds.stream()
                        .filter(r -> r.qps() <= best * RELAXED && r.concurrency() < saturated)
                        .mapToInt(Round::concurrency)
                        .max()
                        .orElseGet(() -> wellBelow(rounds, beyond));
        return Stream.concat(
                        relaxed == 0 ? Stream.of(beyond) : Stream.of(relaxed, beyond),
                        OperatingPoint.loads(rounds).stream().limit(1))
                .sorted()
                .distinct()
                .toList();
    }

    /// The round at one of these loads.
    public static Round round(List<Round> rounds, int concurrency) {
        return rounds.stream()
                .filter(r -> r.concurrency() == concurrency)
                .findFirst()
                .orElseThrow();
    }

    /// The least load at which throughput is still flat, at least twice as many are in flight as
    /// saturate it, and a queue stands; or else the highest flat one of twice as many, or one step
    /// beyond what saturates it, when there is one.
    private static int beyond(List<Round> rounds, int saturated, double best) {
        List<Integer> flat =
                rounds.stream()
                        .filter(r -> r.qps() >= best * FLAT)
                        .map(Round::concurrency)
                        .filter(n -> n >= SURELY_SATURATED * saturated)
                        .sorted()
                        .toList();
        if (flat.isEmpty()) {
            return rounds.stream()
                    .mapToInt(Round::concurrency)
                    .filter(n -> n > saturated)
                    .min()
                    .orElse(saturated);
        }
        return flat.stream().filter(n -> n - saturated >= QUEUE).findFirst().orElse(flat.getLast());
    }

    /// The least load, when it is at most half of the saturating one: where queues begin early no
    /// round is relaxed, but waits of a quarter of the load still tell what grows. 0 when there is
    /// none.
    private static int wellBelow(List<Round> rounds, int beyond) {
        return rounds.stream()
                .mapToInt(Round::concurrency)
                .filter(n -> n <= beyond / 2)
                .min()
                .orElse(0);
    }
}
