package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.experiment.Templates.Page;
import java.util.List;
import org.junit.jupiter.api.Test;

class TemplatesTest {
    private static CpuCost cost(double cpuMs) {
        return new CpuCost(1000, cpuMs, 100_000);
    }

    private static Comparison with(double firstGain, double secondGain) {
        return Templates.judged(
                List.of(
                        new Page(0, cost(firstGain), cost(1.1), cost(1)),
                        new Page(7, cost(secondGain), cost(1.2), cost(1))));
    }

    @Test
    void passesIfSmallestAndMeanGainReachHalfOfPublishedGain() {
        assertThat(with(1.20, 1.60).holds()).isTrue();
        assertThat(with(1.10, 1.90).holds()).as("smallest").isFalse();
        assertThat(with(1.20, 1.25).holds()).as("mean").isFalse();
    }

    @Test
    void meanGainIsTheMeanOfRatios() {
        double mean =
                with(1.25, 1.8).rows().stream()
                        .filter(r -> r.figure().equals("mean gain"))
                        .findFirst()
                        .orElseThrow()
                        .measured();

        assertThat(mean).isCloseTo(1.5, within(1e-9));
    }
}
