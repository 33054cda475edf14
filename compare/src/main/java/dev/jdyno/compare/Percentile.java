package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.statistics.Latency;
import java.util.Arrays;
import java.util.Optional;

/// The percentiles of response time that each block has.
public enum Percentile {
    P50(0.5),
    P90(0.9),
    P99(0.99),
    P999(0.999);

    /// 1 - 0.99 differs in the last digits from how it may be written.
    private static final double SAME = 1e-9;

    private final double quantile;

    Percentile(double quantile) {
        this.quantile = quantile;
    }

    /// The one that a goal is about; empty for others, and for goals on failed requests or on the
    /// first byte.
    public static Optional<Percentile> of(Goal goal) {
        return Arrays.stream(values())
                .filter(_ -> goal.limitMs().isPresent() && !goal.firstByte())
                .filter(p -> Math.abs(1 - p.quantile - goal.allowedShare()) < SAME)
                .findFirst();
    }

    /// Empty where fewer requests than it needs came.
    Optional<Double> ms(Round block) {
        return Optional.of(of(block.rtMs()))
                .filter(_ -> block.requests() * (1 - quantile) >= 1 - SAME)
                .filter(v -> v > 0);
    }

    private double of(Latency times) {
        return switch (this) {
            case P50 -> times.p50();
            case P90 -> times.p90();
            case P99 -> times.p99();
            case P999 -> times.p999();
        };
    }
}
