package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The worked examples of the formulas F1 to F4, compared with the published experiments.
class BoundsTest {
    private static final Resource CPU = new Resource("cpu", 20, 2);
    private static final Delay IO = new Delay("io", 80);

    @Test
    void cpuAndIoGiveTenInFlightAndAHundredPerSecond() {
        Bounds b = Bounds.of(RequestPath.serial(List.of(CPU), List.of(IO)));

        assertThat(b.kneeConcurrency()).isEqualTo(10);
        assertThat(b.maxQps()).isEqualTo(100);
        assertThat(b.rtMs()).isEqualTo(100);
        assertThat(b.bottleneck().name()).isEqualTo("cpu");
        assertThat(b.formula()).contains("((20 + 80) / 20) * 2 = 10").contains("100/s");
    }

    /// Experiment E12: CPU would allow 15 threads, but the lock allows 3.
    @Test
    void aLockOfFiftyMsCutsFifteenThreadsToThree() {
        var path = RequestPath.serial(List.of(CPU, new Resource("lock", 50, 1)), List.of(IO));

        Bounds b = Bounds.of(path);

        assertThat(path.totalMs() / CPU.ms() * CPU.units()).as("CPU alone").isEqualTo(15);
        assertThat(b.kneeConcurrency()).isEqualTo(3);
        assertThat(b.maxQps()).isEqualTo(20);
        assertThat(b.bottleneck().name()).isEqualTo("lock");
    }

    /// Experiment E13: throughput stays, the response time falls from 200 to 125 ms and the knee
    /// from 32 to 20.
    @Test
    void parallelCallsShortenResponseTimeAndKeepThroughput() {
        var cpu = List.of(new Resource("cpu", 25, 4));
        var calls = List.of(new Delay("a", 50), new Delay("b", 25), new Delay("c", 100));

        Bounds serial = Bounds.of(RequestPath.serial(cpu, calls));
        Bounds parallel = Bounds.of(new RequestPath(cpu, calls, List.of(Set.of("a", "b", "c"))));

        assertThat(serial.kneeConcurrency()).isEqualTo(32);
        assertThat(serial.maxQps()).isEqualTo(160);
        assertThat(serial.rtMs()).isEqualTo(200);
        assertThat(parallel.kneeConcurrency()).isEqualTo(20);
        assertThat(parallel.maxQps()).isEqualTo(160);
        assertThat(parallel.rtMs()).isEqualTo(125);
        assertThat(parallel.formula()).contains("25 + max(");
    }

    /// The published knees of experiment E1 (20, 40 and 13) are QPS × RT at the knee, which
    /// includes queueing. The knee formula (F1) has no queueing, so it gives less: 18, 34 and 10.
    /// The ratios agree: throughput doubles if CPU halves and stays if I/O halves.
    @Test
    void publishedCasesMatchFormulas() {
        Bounds first = e1(10, 80);
        Bounds halfCpu = e1(5, 80);
        Bounds halfIo = e1(10, 40);

        assertThat(first.kneeConcurrency()).isEqualTo(18);
        assertThat(halfCpu.kneeConcurrency()).isEqualTo(34);
        assertThat(halfIo.kneeConcurrency()).isEqualTo(10);
        assertThat(175 * 114 / 1000.0).as("published QPS × RT").isCloseTo(20, within(0.5));
        assertThat(339 * 118 / 1000.0).isCloseTo(40, within(0.5));
        assertThat(176 * 73 / 1000.0).isCloseTo(13, within(0.5));
        assertThat(halfCpu.maxQps() / first.maxQps()).isCloseTo(339 / 175.0, within(0.1));
        assertThat(halfIo.maxQps() / first.maxQps()).isCloseTo(176 / 175.0, within(0.1));
    }

    @Test
    void throughputRisesBelowKneeAndResponseTimeAboveKnee() {
        Bounds b = Bounds.of(RequestPath.serial(List.of(CPU), List.of(IO)));

        assertThat(b.at(5)).isEqualTo(new Bounds.LoadPoint(5, 50, 100));
        assertThat(b.at(30)).isEqualTo(new Bounds.LoadPoint(30, 100, 300));
    }

    private static Bounds e1(double cpuMs, double ioMs) {
        return Bounds.of(
                RequestPath.serial(
                        List.of(new Resource("cpu", cpuMs, 2)), List.of(new Delay("io", ioMs))));
    }
}
