package dev.jdyno.compare;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.statistics.Latency;
import java.util.Arrays;
import java.util.Optional;

/// The percentiles of response time that every block has.
public enum Percentile {
    P50(0.5),
    P90(0.9),
    P99(0.99),
    P999(0.999);

    /// Tolerance for rounding: 1 - 0.99 is not exactly 0.01.
    private static final double SAME = 1e-9;

    private final double quantile;

    Percentile(double quantile) {
        this.quantile = quantile;
    }

    /// Returns the percentile that a goal limits. Empty for other percentiles and for goals on
    /// failed requests or on the first byte.
    public static Optional<Percentile> of(Goal goal) {
        return Arrays.stream(values())
                .filter(_ -> goal.limitMs().isPresent() && !goal.firstByte())
                .filter(p -> Math.abs(1 - p.quantile - goal.allowedShare()) < SAME)
                .findFirst();
    }

    /// Returns the percentile of a block in ms; empty if the block has too few requests for it.
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
