package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/// Shapes of logs from public questions about GC problems, written here in the real format.
class ReportedLogsTest {
    private static Analysis read(String log) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                GcLog.Options.DEFAULT);
    }

    private static List<GcDiagnosis> found(String log) throws IOException {
        return Diagnoses.of(read(log), OptionalDouble.empty());
    }

    private static Optional<GcDiagnosis> diagnosis(String log, String id) throws IOException {
        return found(log).stream().filter(d -> d.id().equals(id)).findFirst();
    }

    /// The first line is the end of a stop of 50 s, so the stop began before the log.
    private static final String AFTER_A_LONG_STOP =
            """
            100.000: Total time for which application threads were stopped: 50.0000000 seconds, Stopping threads took: 49.9000000 seconds
            105.000: [GC (Allocation Failure) 105.000: [ParNew: 1000000K->10000K(1200000K), 0.0500000 secs] 2000000K->1010000K(5000000K), 0.0500000 secs] [Times: user=0.10 sys=0.00, real=0.05 secs]
            110.000: Total time for which application threads were stopped: 0.0100000 seconds, Stopping threads took: 0.0010000 seconds
            """;

    @Test
    void spanIncludesFirstStopOfLog() throws IOException {
        Analysis a = read(AFTER_A_LONG_STOP);

        assertThat(a.spanS()).isCloseTo(60, within(0.1));
        assertThat(a.stopped().otherMs() / 10 / a.spanS()).isBetween(80.0, 85.0);
    }

    @Test
    void spanStartsAtJvmStartAtTheEarliest() throws IOException {
        Analysis a = read(AFTER_A_LONG_STOP.replace("50.0000000", "500.0000000"));

        assertThat(a.spanS()).isCloseTo(110, within(0.1));
    }

    @Test
    void recognisesZgcByAllocationStalls() throws IOException {
        String log =
                """
                2024-05-06T10:00:01.100000000Z stdout F [61.100s][info][gc] Allocation Stall (http-1) 201.300ms
                2024-05-06T10:00:01.200000000Z stdout F [61.200s][info][gc] Allocation Stall (http-2) 402.600ms
                """;

        assertThat(read(log).collector()).isEqualTo(Collector.ZGC);
        assertThat(read(log).stalls().totalMs()).isCloseTo(603.9, within(1e-6));
        assertThat(diagnosis(log, "allocation-stall")).isPresent();
    }

    /// A CMS remark of 34 s with the given CPU time.
    private static String remark(String cpu) {
        return """
        Java HotSpot(TM) 64-Bit Server VM (25.40-b25) for linux-amd64 JRE (1.8.0_40-b25)
        CommandLine flags: -XX:+UseConcMarkSweepGC -XX:+UseParNewGC
        1000.000: [GC (CMS Final Remark) [YG occupancy: 100 K (4660352 K)]1000.001: [Rescan (parallel) , 33.8000000 secs]1033.900: [weak refs processing, 0.0100000 secs] [1 CMS-remark: 1000000K(9000000K)] 1000100K(14000000K), 34.0000000 secs] [Times: %s, real=34.00 secs]
        1100.000: [GC (Allocation Failure) 1100.000: [ParNew: 1000000K->10000K(1200000K), 0.0500000 secs] 2000000K->1010000K(14000000K), 0.0500000 secs] [Times: user=0.10 sys=0.00, real=0.05 secs]
        """
                .formatted(cpu);
    }

    @Test
    void remarkDelayedByMachineHasNoAdvice() throws IOException {
        GcDiagnosis remark = diagnosis(remark("user=1.10 sys=0.20"), "long-remark").orElseThrow();

        assertThat(found(remark("user=1.10 sys=0.20")).getFirst().id()).isEqualTo("cpu-starved");
        assertThat(remark.advice()).singleElement().asString().contains("cpu-starved");
        assertThat(diagnosis(remark("user=60.0 sys=0.20"), "long-remark").orElseThrow().advice())
                .anyMatch(s -> s.contains("CMSScavengeBeforeRemark"));
    }

    @Test
    void namesSwappingFirstForPausesWithLittleCpuTime() throws IOException {
        assertThat(starved(remark("user=1.10 sys=0.20"))).startsWith("swapping");
        // A CPU quota leaves more than a few per cent of CPU time. Reclaiming memory takes system
        // time.
        assertThat(starved(remark("user=6.00 sys=0.20"))).doesNotStartWith("swapping");
        assertThat(starved(remark("user=0.20 sys=1.10"))).doesNotStartWith("swapping");
    }

    private static String starved(String log) throws IOException {
        return diagnosis(log, "cpu-starved").orElseThrow().advice().getFirst();
    }

    /// Incremental CMS fails at this number of KB of an old generation of 8 000 000 KB.
    private static String incremental(int usedKilobytes) {
        return """
        10.000: [GC 10.000: [ParNew: 900000K->90000K(1000000K), 0.0500000 secs] 3000000K->2200000K(9000000K) icms_dc=5 , 0.0500000 secs] [Times: user=0.10 sys=0.00, real=0.05 secs]
        60.000: [GC 60.000: [ParNew (promotion failed): 900000K->900000K(1000000K), 0.5000000 secs]60.500: [CMS (concurrent mode failure): %dK->2000000K(8000000K), 9.0000000 secs] %dK->2000000K(9000000K) icms_dc=7 , 9.5000000 secs] [Times: user=9.50 sys=0.00, real=9.50 secs]
        """
                .formatted(usedKilobytes, usedKilobytes + 900000);
    }

    @Test
    void incrementalCmsFailureWithFreeSpaceMeansFragmentation() throws IOException {
        List<String> advice = advice(incremental(4_960_000), "concurrent-mode-failure");

        assertThat(advice.getFirst())
                .contains("CMSIncrementalMode", "obsolete", "fragmentation", "62 %");
    }

    @Test
    void incrementalCmsFailureWithoutFreeSpaceMeansLateStart() throws IOException {
        List<String> advice = advice(incremental(7_900_000), "concurrent-mode-failure");

        assertThat(advice.getFirst())
                .contains("CMSIncrementalMode", "CMSInitiatingOccupancyFraction");
        assertThat(advice).noneMatch(s -> s.contains("fragmentation"));
    }

    private static List<String> advice(String log, String id) throws IOException {
        return diagnosis(log, id).orElseThrow().advice();
    }

    /// A young collection of G1 in a heap of 21504M that leaves this number of MB.
    private static String young(int id, int leftMegabytes) {
        return """
        [10%1$d.000s][info][gc,start] GC(%1$d) Pause Young (Concurrent Start) (G1 Humongous Allocation)
        [10%1$d.000s][info][gc,task] GC(%1$d) Using 8 workers of 8 for evacuation
        [10%1$d.200s][info][gc] GC(%1$d) Pause Young (Concurrent Start) (G1 Humongous Allocation) 20800M->%2$dM(21504M) 200.000ms
        [10%1$d.201s][info][gc,task] GC(%1$d) Using 1 workers of 1 for marking
        """
                .formatted(id, leftMegabytes);
    }

    @Test
    void reportsFullHeapInShortLog() throws IOException {
        GcDiagnosis once = diagnosis(young(1, 20275), "live-set").orElseThrow();
        GcDiagnosis more = diagnosis(young(1, 20275) + young(2, 20280), "live-set").orElseThrow();

        assertThat(once.severity()).isEqualTo(Severity.WARNING);
        assertThat(more.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(once.evidence().getFirst().value()).isCloseTo(94.3, within(0.1));
        assertThat(once.evidence().getFirst().lines()).containsExactly(3L);
        assertThat(once.advice().getFirst()).contains("ConcGCThreads");
    }

    @Test
    void aHeapThatIsSeldomFullIsNoFinding() throws IOException {
        assertThat(diagnosis(young(1, 20275) + young(2, 9000), "live-set")).isEmpty();
        // the heap has grown and may grow further
        assertThat(diagnosis(young(1, 900).replace("21504", "1000") + young(2, 20275), "live-set"))
                .isEmpty();
    }
}
