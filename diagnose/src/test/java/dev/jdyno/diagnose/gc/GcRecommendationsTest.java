package dev.jdyno.diagnose.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight.Allocation;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recommendations about the collector, by what was observed of it.
class GcRecommendationsTest {
    @Test
    void recommendsFewerAllocationsAtLargestSite() {
        var patient = new Patient();
        patient.insight =
                InsightVariant.allocations(
                        new Allocation(20, "char[]", "com.acme.Export.mean", 346, 0.68, 3e6),
                        new Allocation(20, "byte[]", "com.acme.Export.mean", 161, 0.31, 1e6),
                        new Allocation(20, "byte[]", "com.acme.Page.get", 3, 0.01, 1e4));

        assertThat(patient.recommendation(Bottleneck.GC_ALLOCATION, "allocate-less").says())
                .endsWith(": 99 % of it is made in com.acme.Export.mean (char[], byte[])");

        patient.insight =
                InsightVariant.allocations(
                        new Allocation(20, "byte[]", "com.acme.Page.get", 3, 1, 1e4));
        assertThat(patient.recommendation(Bottleneck.GC_ALLOCATION, "allocate-less").says())
                .as("three samples")
                .endsWith("request");
    }

    /// A tenth of the live set gave 2.2 times the throughput, although the collector used only 29 %
    /// of the CPU. Its barriers and cache use had slowed down the service's own code.
    @Test
    void concurrentCollectorCostIsNoBound() {
        var stops = new Patient();
        stops.evidence = Patient.half().gc(0.3, GcActivity.Why.UNKNOWN);
        var beside = new Patient();
        beside.evidence =
                Patient.half()
                        .rounds(r ->
                                r.cores(1.35)
                                        .gc(
                                                EvidenceFixture.gcActivity(
                                                        0.08, GcActivity.Why.UNKNOWN)))
                        .sign(Sign.GC_CORES, 0.4);

        assertThat(stops.recommendation(Bottleneck.GC_LIVE_SET, "live-less").atMost()).isTrue();
        for (String id : List.of("live-less", "heap-double")) {
            Recommendation r = beside.recommendation(Bottleneck.GC_LIVE_SET, id);
            assertThat(r.predictedQpsRatio()).as(id).isPresent();
            assertThat(r.atMost()).as(id).isFalse();
        }
    }

    /// A heap of 256 MiB keeps 168 of the 171 MiB in old. Full collections take half of the time.
    @Test
    void largerHeapAndSmallerLiveSetHaveTheirOwnBounds() {
        double mib = 1 << 20;
        var gc =
                new GcActivity(
                        new GcActivity.Count(10, 60),
                        new GcActivity.Count(15, 2940),
                        0.5,
                        Optional.of(1e8),
                        Optional.of(0.0),
                        Optional.of(1e6),
                        Optional.of(168 * mib),
                        Optional.of(171 * mib),
                        Optional.empty(),
                        new GcActivity.Why(Map.of(), 0, Optional.of(168 * mib), Optional.empty()));
        var patient = new Patient();
        patient.evidence = Patient.half().rounds(r -> r.gc(gc));

        Recommendation heap = patient.recommendation(Bottleneck.GC_LIVE_SET, "heap-double");
        Recommendation less = patient.recommendation(Bottleneck.GC_LIVE_SET, "live-less");

        // the heap becomes 3 × 168 MiB, so its free part grows from 88 to 336: 0.262 of the cost a
        // request stays
        double stays = 88 / 336.0;
        assertThat(heap.predictedQpsRatio().orElseThrow()).isCloseTo(2 / (1 + stays), within(1e-6));
        assertThat(less.predictedQpsRatio().orElseThrow())
                .as("no collection at all")
                .isCloseTo(2, within(1e-6));
        assertThat(less.atMost()).isTrue();
        assertThat(heap.says())
                .contains("168 MiB of the old generation's 171 MiB")
                .contains("of a heap of 256 MiB");
    }

    /// ZGC in 104 MB: 78 % of the carriers wait for memory, and the collector uses 0.8 of 1.35
    /// cores.
    @Test
    void moreMemoryEndsStallsAndCollectorWork() {
        var patient = new Patient();
        patient.lines = List.of(Patient.figure("stalled", 0.78));
        patient.evidence = Patient.half().rounds(r -> r.cores(1.35)).sign(Sign.GC_CORES, 0.8);

        assertThat(
                        patient.recommendation(Bottleneck.GC_STALL, "heap-double")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isGreaterThan(2.0);
        patient.evidence = Patient.half().rounds(r -> r.cores(1.35));
        assertThat(
                        patient.recommendation(Bottleneck.GC_STALL, "heap-double")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isLessThan(1.6);
    }

    /// The verdict shows the share at the load with most stalls. A report about a lower load gains
    /// only the stalls of that load.
    @ParameterizedTest
    @CsvSource({"50, 2.0", "150, 1.0"})
    void stallsOfAHigherLoadGainNothingAtTheReportedLoad(double atFew, double ratio) {
        var patient = new Patient();
        patient.lines = List.of(Patient.figure("stalled", 0.5));
        patient.evidence =
                Patient.half()
                        .gaveMore(atFew)
                        .rounds(r ->
                                r.cores(0.5)
                                        .gc(
                                                EvidenceFixture.gcActivity(
                                                        0, EvidenceFixture.stalled(10))))
                        .relaxed(Cause.LOCK, "Ledger", 1);

        assertThat(
                        patient.recommendation(Bottleneck.GC_STALL, "heap-double")
                                .predictedQpsRatio()
                                .orElse(1.0))
                .isCloseTo(ratio, within(0.01));
    }

    /// In a larger heap, a young generation of fixed size stays as it is. With G1, a fixed size
    /// would disable the control of pauses.
    @ParameterizedTest
    @CsvSource({
        "Parallel, -Xmn64m, true",
        "Serial, -XX:NewSize=64m, true",
        "G1, -Xmn64m, true",
        "Parallel, -Xmx256m, false"
    })
    void explainsFixedYoungGenerationInLargerHeap(String collector, String flag, boolean said) {
        var patient = new Patient();
        patient.collector = collector;
        patient.flags = List.of(flag);
        patient.evidence = Patient.half().gc(0.3, GcActivity.Why.UNKNOWN);

        Recommendation heap = patient.recommendation(Bottleneck.GC_LIVE_SET, "heap-double");
        assertThat(heap.how().contains(flag)).isEqualTo(said);
        assertThat(heap.how().contains(flag + " stays")).isEqualTo(said && !collector.equals("G1"));
    }

    private static Patient allocating(long heapMib, Optional<Long> limitMib) {
        var patient = new Patient();
        patient.heap = Optional.of(heapMib << 20);
        patient.memoryLimit = limitMib.map(m -> m << 20);
        patient.evidence = Patient.half().gc(0.3, GcActivity.Why.UNKNOWN);
        return patient;
    }

    @Test
    void heapThatFitsIntoContainerCanBeTried() {
        Recommendation recommendation =
                allocating(1024, Optional.of(4096L))
                        .recommendation(Bottleneck.GC_LIVE_SET, "heap-double");

        assertThat(recommendation.change().text()).isEqualTo("-Xmx2048m");
        assertThat(recommendation.tryable()).isTrue();
        assertThat(recommendation.says().text()).isEqualTo("Give the JVM twice the heap");
    }

    @Test
    void recommendsMoreContainerMemoryForLargerHeap() {
        Recommendation recommendation =
                allocating(3072, Optional.of(4096L))
                        .recommendation(Bottleneck.GC_LIVE_SET, "heap-double");

        assertThat(recommendation.tryable()).isFalse();
        assertThat(recommendation.says())
                .hasToString(
                        "Give the JVM twice the heap; with the memory outside the heap this needs "
                                + Bytes.mebi(8192)
                                + ", and the service's cgroup (its container) may take "
                                + Bytes.mebi(4096)
                                + ": raise that first, or the kernel kills the service");
    }

    /// The machine of the fixture has 8 GiB of memory.
    @Test
    void machineMemoryBoundsHeapWithoutContainerLimit() {
        assertThat(
                        allocating(4096, Optional.empty())
                                .recommendation(Bottleneck.GC_LIVE_SET, "heap-double")
                                .says())
                .contains("the machine has " + Bytes.mebi(8192));
        assertThat(
                        allocating(3072, Optional.empty())
                                .recommendation(Bottleneck.GC_LIVE_SET, "heap-double")
                                .tryable())
                .isTrue();
    }

    /// A request allocates 1 MB, so young needs 96 MiB, and the heap 160 MiB.
    @Test
    void youngGenerationInLargerHeapHasABound() {
        assertThat(
                        allocating(128, Optional.of(200L))
                                .recommendation(Bottleneck.GC_ALLOCATION, "young")
                                .says())
                .contains("may take " + Bytes.mebi(200));
        assertThat(
                        allocating(256, Optional.of(200L))
                                .recommendation(Bottleneck.GC_ALLOCATION, "young")
                                .tryable())
                .as("it fits into the heap that it has")
                .isTrue();
    }
}
