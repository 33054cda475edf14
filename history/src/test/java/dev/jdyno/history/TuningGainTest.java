package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.tune.Measured;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which figure the stored gain of a tuning is of.
class TuningGainTest {
    private static final Interval NARROW = new Interval(1.9, 2.1);
    private static final Interval WIDE = new Interval(1.1, 1.5);

    private static List<Entry.Figure> gains(Metric by, Optional<Double> throughput) {
        return Entries.gains(
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
                        Optional.empty()));
    }

    @Test
    void gainIsOfThroughputIfTheCpuDecided() {
        assertThat(gains(Metric.CPU, Optional.of(1.3)))
                .containsExactly(
                        new Entry.Figure("gain", "ratio of qps", 1.3, Optional.of(WIDE)),
                        new Entry.Figure(
                                "cpuGain",
                                "ratio of requests per CPU second",
                                2.0,
                                Optional.of(NARROW)));
    }

    @Test
    void requestsPerCpuSecondAreNoGainOfThroughput() {
        assertThat(gains(Metric.CPU, Optional.empty()))
                .extracting(Entry.Figure::name)
                .containsExactly("cpuGain");
    }

    @ParameterizedTest
    @EnumSource(
            value = Metric.class,
            names = {"QPS", "P50"})
    void gainOfTheFigureThatDecidedNamesIt(Metric by) {
        assertThat(gains(by, Optional.empty()))
                .containsExactly(
                        new Entry.Figure("gain", "ratio of " + by.key(), 2.0, Optional.of(NARROW)));
    }
}
