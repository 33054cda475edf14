package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.experiment.Tunable;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.tune.Measured;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The result of a tuning that is compared with a published experiment.
class LabFoundTest {
    private static final Interval NARROW = new Interval(1.9, 2.1);
    private static final Interval WIDE = new Interval(1.1, 1.5);

    private static Tunable.Found found(Metric by, Optional<Double> throughput) {
        return LabCommand.found(
                List.of(),
                Optional.of(
                        new Measured(
                                Outcome.BETTER,
                                by,
                                Optional.of(2.0),
                                Optional.of(NARROW),
                                throughput,
                                throughput.map(_ -> WIDE),
                                Optional.empty(),
                                Optional.empty(),
                                3,
                                false,
                                Optional.empty(),
                                Optional.of(18),
                                Optional.empty())));
    }

    @Test
    void gainIsOfThroughputIfTheCpuDecided() {
        assertThat(found(Metric.CPU, Optional.of(1.3)))
                .isEqualTo(
                        new Tunable.Found(
                                List.of(), Optional.of(1.3), Optional.of(WIDE), Optional.of(2.0)));
    }

    @Test
    void gainOfThroughputThatDecidedStandsAlone() {
        assertThat(found(Metric.QPS, Optional.empty()))
                .isEqualTo(
                        new Tunable.Found(
                                List.of(),
                                Optional.of(2.0),
                                Optional.of(NARROW),
                                Optional.empty()));
    }
}
