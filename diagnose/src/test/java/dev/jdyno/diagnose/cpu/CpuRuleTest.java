package dev.jdyno.diagnose.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import org.junit.jupiter.api.Test;

/// CPU a little below its limit, where the measurement's own error decides.
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
}
