package dev.jdyno.diagnose.cpu;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.OneWindow;
import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Processes that the service starts for its requests.
class ChildCpuTest {
    /// Ten workers on two cores wait for the child processes.
    private static Verdict verdict(double processCores, double childCores, double others) {
        return OneWindow.of(
                        round(5, 50)
                                .cores(processCores)
                                .children(
                                        new ChildProgram("convert", childCores * 0.9),
                                        new ChildProgram("gs", childCores * 0.1))
                                .others(others)
                                .build(),
                        round(10, 50)
                                .cores(processCores)
                                .children(
                                        new ChildProgram("convert", childCores * 0.9),
                                        new ChildProgram("gs", childCores * 0.1))
                                .others(others)
                                .build())
                .pool(
                        new ThreadSamples.Pool(
                                "http",
                                200,
                                10,
                                0.1,
                                0,
                                true,
                                false,
                                0.9,
                                Map.of(Cause.OTHER, 10.0)))
                .busy(Cause.OTHER, "java.lang.ProcessImpl.waitFor", 9.9)
                .verdict();
    }

    @Test
    void countsChildProcessesAsCpuOfService() {
        Verdict verdict = verdict(1.9, 1.7, 0);

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(verdict.where()).isEqualTo("child processes: convert, gs");
        assertThat(verdict.evidence())
                .filteredOn(Figure.CHILD_CORES::isOf)
                .singleElement()
                .satisfies(e -> assertThat(e.value()).isCloseTo(1.7, within(1e-9)));
    }

    @Test
    void childProcessesAreNoLimitIfCoresAreFree() {
        assertThat(verdict(0.9, 0.8, 0).bottleneck()).isNotEqualTo(Bottleneck.CPU);
    }

    /// A neighbour uses 1.2 of the 2 cores. So the children's 0.6 cores are not all the CPU that
    /// they could have had.
    @Test
    void childProcessesAreNoLimitWithLargeNeighbour() {
        assertThat(verdict(0.7, 0.6, 1.2).bottleneck()).isNotEqualTo(Bottleneck.CPU);
    }

    @Test
    void omitsSmallCpuOfChildProcesses() {
        var cpu = round(10, 50).cores(1.9).children(new ChildProgram("date", 0.05)).build().cpu();

        assertThat(ChildCpu.of(cpu.orElseThrow())).isEmpty();
        var half = round(10, 50).cores(1.9).children(new ChildProgram("gs", 0.6)).build().cpu();
        assertThat(ChildCpu.of(half.orElseThrow())).isPresent();
        assertThat(ChildCpu.most(half.orElseThrow())).isEmpty();
    }
}
