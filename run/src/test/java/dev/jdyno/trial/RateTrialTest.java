package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.service.PoolDemand;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.trial.RateTrial.Seen;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RateTrialTest {
    private static Optional<PoolDemand.Pools> read(PoolDemand... pools) {
        return Optional.of(new PoolDemand.Pools(100, Optional.empty(), List.of(pools)));
    }

    /// Metrics of the JVM alone are no reason to leave the thread pools out.
    @Test
    void threadDumpsReplaceMetricsThatShowNoPool() {
        var pool =
                new PoolDemand(
                        "orders",
                        "HikariCP",
                        Optional.of(10.0),
                        4,
                        new Interval(3, 5),
                        Optional.empty(),
                        Optional.empty());

        assertThat(Seen.POOLS_AND_MEMORY.needsDumps(Optional.empty())).isTrue();
        assertThat(Seen.POOLS_AND_MEMORY.needsDumps(read())).isTrue();
        assertThat(Seen.POOLS_AND_MEMORY.needsDumps(read(pool))).isFalse();
        assertThat(Seen.POOLS.needsDumps(read())).isFalse();
    }
}
