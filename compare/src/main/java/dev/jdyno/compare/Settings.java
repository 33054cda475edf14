package dev.jdyno.compare;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/// The settings of a comparison of two variants.
///
/// @param primary the figure that the verdict is about
/// @param minEffect smallest effect that matters, such as 0.03
/// @param budget time that the comparison may take
/// @param block length of one block
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param concurrency requests in flight in the saturated blocks; empty: twice the smaller knee
/// @param ratePerS rate of the fixed-rate blocks; empty: half the throughput of the slower variant
/// @param goal limit of a percentile of the response time. If `loads` has {@link
///   Metric.Load#UNDER_GOAL}, the highest rate that keeps it is searched; otherwise the percentile
///   is read at the fixed rate
/// @param minStarts minimum number of starts before a decision
/// @param maxStarts maximum number of starts, decided or not; empty: as many as the budget allows
/// @param loads loads at which the two variants are measured
public record Settings(
        Metric primary,
        double minEffect,
        Duration budget,
        Duration block,
        Duration warmup,
        OptionalInt concurrency,
        OptionalDouble ratePerS,
        Optional<Goal> goal,
        int minStarts,
        OptionalInt maxStarts,
        Set<Metric.Load> loads) {
    private static final Duration MIN_WARM_UP = Duration.ofSeconds(3);
    private static final int WARM_UP_CONCURRENCY = 8;

    public Settings {
        loads = Collections.unmodifiableSet(EnumSet.copyOf(loads));
        if (loads.contains(Metric.Load.UNDER_GOAL) && goal.flatMap(Percentile::of).isEmpty()) {
            throw new IllegalArgumentException("no percentile to search a rate for: " + goal);
        }
    }

    /// Returns the same settings for variants that a load tool of the user loads.
    public Settings driven() {
        return new Settings(
                primary,
                minEffect,
                budget,
                block,
                warmup,
                concurrency,
                OptionalDouble.empty(),
                Optional.empty(),
                minStarts,
                maxStarts,
                Metric.Load.DRIVEN);
    }

    /// The warm-up of each start: it ends as soon as the service is steady.
    Plan.Warmup warmUpOfStart() {
        Duration min = warmup.compareTo(MIN_WARM_UP) < 0 ? warmup : MIN_WARM_UP;
        return new Plan.Warmup(min, warmup, WARM_UP_CONCURRENCY);
    }

    /// Returns the same settings with another minimum number of starts.
    public Settings withStarts(int min) {
        return new Settings(
                primary,
                minEffect,
                budget,
                block,
                warmup,
                concurrency,
                ratePerS,
                goal,
                min,
                maxStarts,
                loads);
    }

    public static final Settings DEFAULT =
            new Settings(
                    Metric.QPS,
                    0.03,
                    Duration.ofMinutes(8),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(90),
                    OptionalInt.empty(),
                    OptionalDouble.empty(),
                    Optional.empty(),
                    Judging.MIN_STARTS,
                    OptionalInt.empty(),
                    Metric.Load.USUAL);
}
