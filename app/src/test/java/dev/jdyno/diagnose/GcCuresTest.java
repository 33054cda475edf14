package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.Allocation;
import dev.jdyno.measure.Signals.Sign;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What helps against a collector, by what was seen of it.
class GcCuresTest {
    @Test
    void lessIsAllocatedWhereMostIs() {
        var patient = new Patient();
        patient.insight =
                Insight.NONE.withAllocations(
                        List.of(
                                new Allocation(
                                        20, "char[]", "com.acme.Export.mean", 346, 0.68, 3e6),
                                new Allocation(
                                        20, "byte[]", "com.acme.Export.mean", 161, 0.31, 1e6),
                                new Allocation(20, "byte[]", "com.acme.Page.get", 3, 0.01, 1e4)));

        assertThat(patient.cure(Bottleneck.GC_ALLOCATION, "allocate-less").says())
                .endsWith(": 99 % of it is made in com.acme.Export.mean (char[], byte[])");

        patient.insight =
                Insight.NONE.withAllocations(
                        List.of(new Allocation(20, "byte[]", "com.acme.Page.get", 3, 1, 1e4)));
        assertThat(patient.cure(Bottleneck.GC_ALLOCATION, "allocate-less").says())
                .as("three samples")
                .endsWith("request");
    }

    /// ZGC in 104 MB: 78 % of the carriers wait for memory, and the collector uses 0.8 of 1.35
    /// cores.
    @Test
    void moreMemoryEndsStallsAndTheCollectorsOwnWork() {
        var patient = new Patient();
        patient.lines = List.of(Patient.figure("stalled", 0.78));
        patient.evidence = Patient.half().rounds(r -> r.cores(1.35)).sign(Sign.GC_CORES, 0.8);

        assertThat(
                        patient.cure(Bottleneck.GC_STALL, "heap-double")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isGreaterThan(2.0);
        patient.evidence = Patient.half().rounds(r -> r.cores(1.35));
        assertThat(
                        patient.cure(Bottleneck.GC_STALL, "heap-double")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isLessThan(1.6);
    }
}
