package dev.jdyno.diagnose.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// CPU use slightly below its limit, where the error of the measurement decides.
class CpuRuleTest {
    private static EvidenceFixture page(double cores, double qpsError) {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(cores).left(2).qpsError(qpsError))
                .busy(Cause.CPU, "Page.render", 2.5)
                .busy(Cause.RUN_QUEUE, "Page.render", 4);
    }

    @Test
    void namesCpuNearLimitWithLowConfidence() {
        Verdict verdict = page(1.64, 0.06).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(verdict.confidence()).isBetween(0.5, 0.6);
        assertThat(verdict.evidence()).isNotEmpty();
    }

    @Test
    void confidenceRisesTowardsLimit() {
        assertThat(page(1.68, 0.06).verdict().confidence())
                .isGreaterThan(page(1.62, 0.06).verdict().confidence());
    }

    @Test
    void doesNotNameCpuOutsideError() {
        assertThat(page(1.64, 0.01).verdict().bottleneck()).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(page(1.2, 5).verdict().bottleneck()).isEqualTo(Bottleneck.UNKNOWN);
    }

    @Test
    void doesNotNameCpuWhileThroughputRises() {
        assertThat(page(1.64, 0.06).delay(20).verdict().bottleneck()).isNotEqualTo(Bottleneck.CPU);
    }

    @Test
    void prefersOtherLimitToCpu() {
        Verdict verdict =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(1.64).left(2).qpsError(0.06))
                        .busy(Cause.CPU, "Page.render", 2.5)
                        .busy(Cause.LOCK, "Page.lock", 12)
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOCK);
    }

    /// A request takes 19 ms of CPU, 15 ms of them on its thread. Collector and compilers used up
    /// to 0.4 cores by the kernel's counters: up to 4 ms of each of the 100 requests per second.
    @ParameterizedTest
    @CsvSource({"0.3, 0.1, true", "0.2, 0.0, true", "0.0, 0.0, false", "0.02, 0.01, false"})
    void namesCollectorAndCompilersOnlyWithTheirOwnCpu(double gc, double jit, boolean named) {
        String says =
                EvidenceFixture.plateau()
                        .rounds(r ->
                                r.cores(1.9)
                                        .left(2)
                                        .anatomy(
                                                new Breakdown(
                                                        Map.of(Cause.CPU, 15.0), List.of(), 0)))
                        .busy(Cause.CPU, "Page.render", 2.5)
                        .busy(Cause.RUN_QUEUE, "Page.render", 4)
                        .sign(Sign.GC_CORES, gc)
                        .sign(Sign.JIT_CORES, jit)
                        .verdict()
                        .says()
                        .text();

        assertThat(says.contains("by collector and compilers")).isEqualTo(named);
        assertThat(says.contains("outside the request threads")).isEqualTo(!named);
    }
}
