package dev.jdyno.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuByLoadTest {
    private static Round round(int concurrency, double qps, double cpuMs) {
        return RoundFixture.round(concurrency, qps)
                .anatomy(new Breakdown(Map.of(Cause.CPU, cpuMs), List.of(), 0))
                .build();
    }

    private static Optional<CpuByLoad> compared(Round low, Round here) {
        return CpuByLoad.of(low, here, List.of(low, here));
    }

    /// An error of 0.02 cores is 0.8 ms of a request at 26 requests/s, and 0.02 ms at 850.
    @ParameterizedTest
    @CsvSource({
        "26.4, 2.86, 84.1, 0.70, true",
        "26.4, 2.00, 84.1, 0.70, false",
        "849, 0.69, 1687, 0.98, true",
        "849, 0.69, 1687, 0.72, false",
        "219, 4.39, 423, 4.48, false"
    })
    void cpuTimesDifferOnlyBeyondTheirError(
            double lowQps, double lowMs, double qps, double ms, boolean differs) {
        assertThat(compared(round(1, lowQps, lowMs), round(5, qps, ms)).isPresent())
                .isEqualTo(differs);
    }

    @Test
    void higherAndLowerCpuTimesAreDistinguished() {
        assertThat(compared(round(1, 26.4, 2.86), round(5, 84.1, 0.7)).orElseThrow().isLess())
                .isTrue();
        assertThat(compared(round(1, 849, 0.69), round(5, 1687, 0.98)).orElseThrow().isLess())
                .isFalse();
    }

    @Test
    void theFirstLoadIsTheEarliestMeasuredLoad() {
        Round low = round(1, 26.4, 2.86);
        Round here = round(5, 84.1, 0.7);

        assertThat(CpuByLoad.of(low, here, List.of(low, here)).orElseThrow().isFirst()).isTrue();
        assertThat(CpuByLoad.of(low, here, List.of(here, low)).orElseThrow().isFirst()).isFalse();
    }

    @Test
    void aLoadWithoutABreakdownIsNotCompared() {
        assertThat(compared(RoundFixture.round(1, 26.4).build(), round(5, 84.1, 0.7))).isEmpty();
        assertThat(compared(round(1, 0, 2.86), round(5, 84.1, 0.7))).isEmpty();
    }
}
