package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import java.util.List;
import java.util.stream.IntStream;

/// At which loads the target is looked into: one that saturates it and one well below.
final class EvidenceLoads {
    /// Share of the best throughput from which a round counts as saturated.
    private static final double SATURATED = 0.97;

    /// Share of it from which a round counts as no worse for the load beyond the saturating one.
    private static final double FLAT = 0.9;

    /// How many times the load that saturates it the target is looked into at, where throughput is
    /// still flat there: then as many wait for what it lacks as have it, or more.
    private static final double SURELY_SATURATED = 2;

    /// Share of it up to which a round counts as relaxed.
    private static final double RELAXED = 0.5;

    private EvidenceLoads() {}

    static List<Integer> of(List<Round> rounds) {
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
        return relaxed == 0 ? List.of(beyond) : List.of(relaxed, beyond);
    }

    /// Twice the load that saturates it, or else one step beyond it, when there is one.
    private static int beyond(List<Round> rounds, int saturated, double best) {
        IntStream flat =
                rounds.stream()
                        .filter(r -> r.qps() >= best * FLAT)
                        .mapToInt(Round::concurrency)
                        .filter(n -> n >= SURELY_SATURATED * saturated);
        IntStream next = rounds.stream().mapToInt(Round::concurrency).filter(n -> n > saturated);
        return flat.min().orElseGet(() -> next.min().orElse(saturated));
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
