package dev.jdyno.trial.rounds;

import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import java.util.List;
import java.util.stream.Stream;

/// The loads at which diagnostic windows are taken: the operating point, which the report explains;
/// a load that certainly saturates the target, which shows what limits it; and a load well below.
public final class EvidenceLoads {
    /// Minimum share of the best throughput for which a round counts as saturated.
    private static final double SATURATED = 0.97;

    /// Minimum share of the best throughput for which throughput counts as flat beyond saturation.
    private static final double FLAT = 0.9;

    /// Concurrency of the window beyond saturation, as a multiple of the saturating one, if
    /// throughput is still flat there. Then the requests that wait for the bottleneck are at least
    /// as many as those that use it.
    private static final double SURELY_SATURATED = 2;

    /// Minimum number of additional requests beyond the saturating load, if such a load was
    /// measured. A single request that waits for a lock is not a queue yet.
    private static final int QUEUE = 8;

    /// Maximum share of the best throughput for which a round counts as relaxed.
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

    /// The lowest load with flat throughput, at least twice the saturating concurrency, and a
    /// queue. Else the highest flat load of at least twice that concurrency. Else the next load
    /// above the saturating one, or the saturating one itself.
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

    /// The lowest load, if it is at most half of the load beyond saturation; else 0. If queues
    /// begin early, no round is relaxed, but the waits at a lower load still show what grows.
    private static int wellBelow(List<Round> rounds, int beyond) {
        return rounds.stream()
                .mapToInt(Round::concurrency)
                .filter(n -> n <= beyond / 2)
                .min()
                .orElse(0);
    }
}
