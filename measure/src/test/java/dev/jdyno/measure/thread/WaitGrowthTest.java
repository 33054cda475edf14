package dev.jdyno.measure.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The time of a wait at two loads: equal within the error of thread dumps, or longer.
class WaitGrowthTest {
    private static ThreadSamples window(int concurrency, int dumps, double threads) {
        return new ThreadSamples(
                concurrency,
                100,
                dumps,
                0,
                List.of(),
                List.of(new ThreadSamples.Busy(Cause.DOWNSTREAM, PlaceText.peer("a:80"), threads)),
                0,
                0,
                List.of(),
                Signals.NONE,
                List.of());
    }

    /// @param low share of time in which the only request in flight is in the wait
    @ParameterizedTest
    @CsvSource({
        "12, 0.88, 1.12, true, false",
        "12, 0.88, 1.6, true, false",
        "12, 0.88, 1.7, false, true",
        "1200, 0.88, 1.12, false, false",
        "12, 0.1, 1.6, true, false",
        "12, 1, 1, true, false"
    })
    void aDifferenceCountsBeyondItsError(
            int dumps, double low, double ratio, boolean same, boolean queues) {
        WaitGrowth growth =
                WaitGrowth.counted(
                        ratio,
                        window(1, dumps, low),
                        window(20, dumps, 6),
                        EnumSet.of(Cause.DOWNSTREAM));

        assertThat(growth.isWithinError()).isEqualTo(same);
        assertThat(growth.queues()).isEqualTo(queues);
    }

    @ParameterizedTest
    @CsvSource({"0.9, false", "1, false", "1.29, false", "1.3, true", "5, true"})
    void theRatioAloneDecidesIfTheErrorIsUnknown(double ratio, boolean queues) {
        assertThat(new WaitGrowth(ratio, 0).queues()).isEqualTo(queues);
    }
}
