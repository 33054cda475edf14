package dev.jdyno.diagnose.cpu;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.CpuUse;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SharedCoresTest {
    private static final Offset<Double> EXACTLY = Offset.offset(1e-9);

    @Test
    void serviceGainsCoresOfLoadGenerator() {
        CpuUse use = use(2, 0.95, 0.85, 0.1, 1.05);

        assertThat(gain(use)).isCloseTo((1.05 + 0.85) / 1.05, EXACTLY);
    }

    /// The service may use two of four cores. Half of the load generator's CPU was on the two
    /// others.
    @Test
    void otherCoresOfLoadGeneratorAreNoGain() {
        CpuUse use = use(2, 1.4, 1.2, 0, 1.4);

        assertThat(gain(use)).isCloseTo(2 / 1.4, EXACTLY);
    }

    /// The quota allows 1.7 of two cores.
    @Test
    void coresBeyondQuotaAreNoGain() {
        CpuUse use = use(1.7, 1.1, 0.9, 0, 1.1);

        assertThat(gain(use)).isCloseTo(1.7 / 1.1, EXACTLY);
    }

    /// The load generator's part of these cores, in proportion to what both used.
    @Test
    void coresTakenByOtherProcessesAreNoGain() {
        CpuUse use = use(2, 0.8, 0.6, 1.8, 0.8);

        assertThat(gain(use)).isCloseTo((0.8 + 1.2 * 0.25) / 0.8, EXACTLY);
    }

    @Test
    void saturatedServiceGainsNoCores() {
        CpuUse use = use(2, 2, 0.6, 0, 1.6);

        assertThat(gain(use)).isEqualTo(1);
    }

    @Test
    void loadGeneratorOnOtherCoresSharesNoCore() {
        assertThat(SharedCores.of(use(2, 1.9, 0.9, 0, 1.9))).isEmpty();
        assertThat(SharedCores.of(round(20, 45_000).cores(0.95).client(0.85).build().cpu().get()))
                .isPresent();
    }

    private static double gain(CpuUse use) {
        return new SharedCores(use).alone().qps().orElseThrow();
    }

    private static CpuUse use(
            double available, double process, double client, double other, double left) {
        return new CpuUse(
                process, 0, client, other, available, left, 90, 0, 0, 0, List.of(), List.of());
    }
}
