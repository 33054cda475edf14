package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import org.junit.jupiter.api.Test;

class MemoryRuleTest {
    /// A mapped file twice as large as the memory limit, on a disk with 500 reads a second.
    /// Throughput is 18 requests/s, and each request waits for pages.
    private static EvidenceFixture mapped(double faults, double waitsForDisk) {
        return plateau()
                .gaveAfterwards(18)
                .sign(Sign.MAJOR_FAULTS_PER_S, faults)
                .sign(Sign.PSI_MEMORY, 0.18)
                .sign(Sign.PSI_IO, waitsForDisk)
                .busy(Cause.RUN_QUEUE, "run queue", 1)
                .busy(Cause.OTHER, "native code", 19);
    }

    @Test
    void fewSwappedPagesCountAtLowThroughput() {
        assertThat(mapped(13, 0.97).verdict().bottleneck()).isEqualTo(Bottleneck.MEMORY);
        assertThat(mapped(13, 0.1).verdict().bottleneck()).isNotEqualTo(Bottleneck.MEMORY);
        assertThat(mapped(1, 0.97).verdict().bottleneck()).isNotEqualTo(Bottleneck.MEMORY);
    }
}
