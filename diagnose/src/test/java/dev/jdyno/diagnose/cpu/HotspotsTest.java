package dev.jdyno.diagnose.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import org.junit.jupiter.api.Test;

class HotspotsTest {
    private static EvidenceFixture hot() {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(1.9))
                .busy(Cause.CPU, "com.acme.Page.render", 2);
    }

    @Test
    void placesFromSamplesSayFromWhichSamples() {
        assertThat(
                        Hotspots.lines(
                                hot().sign(Sign.CPU_SAMPLES, 412, "jdk.CPUTimeSample, 1 lost")
                                        .build()))
                .extracting(e -> e.says().text())
                .contains("places from 412 samples (jdk.CPUTimeSample, 1 lost)");
        assertThat(Hotspots.lines(hot().build()))
                .as("by dumps")
                .extracting(EvidenceLine::id)
                .containsExactly("hot-1");
    }
}
