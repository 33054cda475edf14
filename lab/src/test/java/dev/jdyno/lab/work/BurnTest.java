package dev.jdyno.lab.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class BurnTest {
    private static final Burn BURN = Burn.calibrated();

    @Test
    void usesTheRequestedCpuTime() {
        double asked = 200;

        double burned = cpuMillis(() -> BURN.millis(asked));

        // a wide range, because neighbours change the speed of the cores
        assertThat(burned / asked).isBetween(0.5, 2.0);
    }

    @Test
    void usedCpuTimeIsProportionalToTheRequestedCpuTime() {
        cpuMillis(() -> BURN.millis(50));

        double ratio = cpuMillis(() -> BURN.millis(300)) / cpuMillis(() -> BURN.millis(100));

        assertThat(ratio).isBetween(1.5, 6.0);
    }

    @Test
    void burnsNoCpuForZeroTime() {
        assertThat(cpuMillis(() -> BURN.millis(0))).isLessThan(5);
    }

    private static double cpuMillis(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        work.run();
        return (threads.getCurrentThreadCpuTime() - before) / 1e6;
    }
}
