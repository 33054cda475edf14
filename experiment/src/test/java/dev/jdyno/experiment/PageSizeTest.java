package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.experiment.Comparison.Row;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageSizeTest {
    private static Comparison with(double apartMs) {
        return PageSize.judged(
                Map.of(
                        "full", new CpuCost(1000, 1.0, 170_000),
                        "squeezed", new CpuCost(1100, 0.9, 150_000),
                        "merged", new CpuCost(1200, 0.8, 120_000),
                        "apart", new CpuCost(1300, apartMs, 110_000),
                        "empty", new CpuCost(9000, 0.2, 2_000)));
    }

    private static Row row(Comparison c, String figure) {
        return c.rows().stream().filter(r -> r.figure().equals(figure)).findFirst().orElseThrow();
    }

    @Test
    void experimentHoldsIfHalfOfThePublishedGainIsMeasured() {
        assertThat(with(0.80).holds()).isTrue();
        assertThat(with(0.90).holds()).isFalse();
    }

    @Test
    void cpuIsPredictedAsAConstantAndAShareForEachByte() {
        Row cpu = row(with(0.7), "CPU, static part loaded by itself");

        assertThat(cpu.predicted())
                .hasValueSatisfying(
                        p -> assertThat(p).isCloseTo(0.2 + 0.8 * 108 / 168, within(1e-9)));
        assertThat(row(with(0.7), "CPU, as written").predicted())
                .hasValueSatisfying(p -> assertThat(p).isCloseTo(1.0, within(1e-9)));
    }
}
