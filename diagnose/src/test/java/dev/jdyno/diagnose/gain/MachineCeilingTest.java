package dev.jdyno.diagnose.gain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.CpuUse;
import org.junit.jupiter.api.Test;

class MachineCeilingTest {
    private static CpuUse use(double process, double client, double others, double stealPct) {
        return CpuUse.ofWholeMachine(process, 0, client, others, 2, 0, stealPct, 0);
    }

    private static double times(CpuUse use, double gone) {
        return MachineCeiling.times(use, 2, gone).orElseThrow();
    }

    /// At 3,941 requests a second, service and load generator used 55.7 % of two cores. The
    /// prediction was 7,892 requests a second.
    @Test
    void cpuOfTheLoadGeneratorGrowsWithThroughput() {
        double max = times(use(0.7, 0.414, 0, 0), 0);

        assertThat(3941 * max).isCloseTo(7075, within(10.0));
    }

    @Test
    void keepsCpuOfOtherProcesses() {
        assertThat(times(use(0.5, 0.5, 1, 0), 0)).isCloseTo(1, within(1e-9));
        assertThat(times(use(0.5, 0.5, 0, 50), 0)).isCloseTo(1, within(1e-9));
    }

    @Test
    void removedCpuTimeIsAvailableToRequests() {
        assertThat(times(use(1.6, 0.4, 0, 0), 0.5)).isCloseTo(2 / 1.2, within(1e-9));
    }

    @Test
    void saturatedMachineAllowsCurrentThroughput() {
        assertThat(times(use(1.8, 0.4, 0.5, 0), 0)).isGreaterThanOrEqualTo(1);
        assertThat(MachineCeiling.times(use(0, 0, 1, 0), 2, 0)).isEmpty();
    }
}
