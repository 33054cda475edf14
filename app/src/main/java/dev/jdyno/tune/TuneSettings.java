package dev.jdyno.tune;

import dev.jdyno.compare.Metric;
import java.time.Duration;
import java.util.OptionalDouble;

/// How a service is tuned.
///
/// @param improved throughput, or the median response time at a fixed rate
/// @param p99Ms what the p99 at a fixed rate must stay below; empty without a goal
/// @param budget all of it may take
/// @param block length of one block of a comparison
/// @param warmup longest warm-up of a start
/// @param minEffect smallest gain that matters
public record TuneSettings(
        Metric improved,
        OptionalDouble p99Ms,
        Duration budget,
        Duration block,
        Duration warmup,
        double minEffect) {
    private static final double SERVICE_START_SECONDS = 3;
    private static final double SETTLE_SECONDS = 1;

    public static final TuneSettings DEFAULT =
            new TuneSettings(
                    Metric.QPS,
                    OptionalDouble.empty(),
                    Duration.ofMinutes(60),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(6),
                    0.03);

    /// Whether blocks at a fixed rate are measured: they cost as much as those at saturation.
    boolean needsRate() {
        return improved != Metric.QPS || p99Ms.isPresent();
    }

    /// What a first look at a candidate takes, roughly.
    public double lookSeconds() {
        return startSeconds(Race.LOOK_PAIRS);
    }

    /// What one start of both and its blocks take, roughly.
    public double startSeconds(int pairs) {
        double blocks = 2.0 * pairs * (needsRate() ? 2 : 1);
        return 2 * (SERVICE_START_SECONDS + warmup.toSeconds())
                + blocks * (block.toMillis() / 1000.0 + SETTLE_SECONDS);
    }
}
