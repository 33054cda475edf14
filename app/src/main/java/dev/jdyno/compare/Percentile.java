package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.Goal;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// The percentiles of response time that each block has.
public enum Percentile {
    P50(0.5, r -> r.rtMs().p50()),
    P90(0.9, r -> r.rtMs().p90()),
    P99(0.99, r -> r.rtMs().p99()),
    P999(0.999, r -> r.rtMs().p999());

    /// 1 - 0.99 differs in the last digits from how it may be written.
    private static final double SAME = 1e-9;

    private final double quantile;
    private final ToDoubleFunction<Round> ms;

    Percentile(double quantile, ToDoubleFunction<Round> ms) {
        this.quantile = quantile;
        this.ms = ms;
    }

    /// The one that a goal is about; empty for others, and for goals on failed requests.
    public static Optional<Percentile> of(Goal goal) {
        return Arrays.stream(values())
                .filter(_ -> goal.limitMs().isPresent())
                .filter(p -> Math.abs(1 - p.quantile - goal.allowedShare()) < SAME)
                .findFirst();
    }

    /// Empty where fewer requests than it needs came.
    Optional<Double> ms(Round block) {
        return Optional.of(ms.applyAsDouble(block))
                .filter(_ -> block.requests() * (1 - quantile) >= 1 - SAME)
                .filter(v -> v > 0);
    }
}
