package dev.jdyno.compare;

import dev.jdyno.measure.load.Goal;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/// How two variants are compared.
///
/// @param primary the figure that the verdict is about
/// @param minEffect smallest effect that matters, such as 0.03
/// @param budget time that the comparison may take
/// @param block length of one block
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param concurrency of the saturated blocks; empty: twice the smaller knee
/// @param ratePerS of the blocks at a fixed rate; empty: half of what the slower variant gives
/// @param goal on a percentile of response time: its rate is searched where `loads` has {@link
///   Metric.Load#UNDER_GOAL}; else it is read at the fixed rate
/// @param leastStarts starts before it looks at the data
/// @param mostStarts starts after which it ends, decided or not; empty: as many as the budget has
///   room for
/// @param loads at which both are measured
public record Settings(
        Metric primary,
        double minEffect,
        Duration budget,
        Duration block,
        Duration warmup,
        OptionalInt concurrency,
        OptionalDouble ratePerS,
        Optional<Goal> goal,
        int leastStarts,
        OptionalInt mostStarts,
        Set<Metric.Load> loads) {
    public Settings {
        loads = Collections.unmodifiableSet(EnumSet.copyOf(loads));
        if (loads.contains(Metric.Load.UNDER_GOAL) && goal.flatMap(Percentile::of).isEmpty()) {
            throw new IllegalArgumentException("no percentile to search a rate for: " + goal);
        }
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
                    Judging.LEAST_STARTS,
                    OptionalInt.empty(),
                    Metric.Load.USUAL);
}
