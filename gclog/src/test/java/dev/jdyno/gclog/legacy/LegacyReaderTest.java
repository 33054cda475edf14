package dev.jdyno.gclog.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Lines of JDK 6–8 as HotSpot's sources and Oracle's guides print them. They were written by hand,
/// because no such JVM was available.
class LegacyReaderTest {
    private final List<GcEvent> events = new ArrayList<>();

    private Analysis read(String text) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                new GcLog.Options(0, events::add));
    }

    private GcEvent.Pause onlyPause() {
        List<GcEvent.Pause> pauses =
                events.stream()
                        .filter(GcEvent.Pause.class::isInstance)
                        .map(GcEvent.Pause.class::cast)
                        .toList();
        assertThat(pauses).hasSize(1);
        return pauses.getFirst();
    }

    @Test
    void readsSpacesAndCpuOfSerialYoungCollection() throws IOException {
        Analysis a =
                read(
                        """
                        0.133: [GC0.133: [DefNew: 69440K->8640K(78080K), 0.0909376 secs] 69440K->46942K(251648K), 0.0910944 secs] [Times: user=0.08 sys=0.02, real=0.09 secs]
                        """);

        GcEvent.Pause p = onlyPause();
        assertThat(a.collector()).isEqualTo(Collector.SERIAL);
        assertThat(p.kind()).isEqualTo(PauseKind.YOUNG);
        assertThat(p.ms()).isCloseTo(91.0944, within(1e-9));
        assertThat(p.when().uptimeS()).isEqualTo(0.133);
        assertThat(p.young().orElseThrow().beforeBytes()).isEqualTo(69440L << 10);
        assertThat(p.heap().orElseThrow().capacityBytes()).hasValue(251648L << 10);
        assertThat(p.promotedBytes()).hasValue((69440L - 8640 - (69440 - 46942)) << 10);
        assertThat(p.cpu()).hasValue(new GcEvent.Cpu(0.08, 0.02, 0.09));
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void youngCollectionThatContinuesInOldIsAFullCollection() throws IOException {
        read(
                """
                0.552: [GC0.552: [DefNew: 78080K->8640K(78080K), 0.1315698 secs]0.684: [Tenured: 207957K->165851K(209624K), 0.4194380 secs] 216597K->165851K(287704K), [Perm : 2665K->2665K(21248K)], 0.5513922 secs] [Times: user=0.56 sys=0.00, real=0.55 secs]
                """);

        GcEvent.Pause p = onlyPause();
        assertThat(p.kind()).isEqualTo(PauseKind.FULL);
        assertThat(p.old().orElseThrow().afterBytes()).isEqualTo(165851L << 10);
        assertThat(p.metaspace().orElseThrow().afterBytes()).isEqualTo(2665L << 10);
    }

    @Test
    void readsCausesWithBrackets() throws IOException {
        Analysis a =
                read(
                        """
                        2014-01-02T03:04:05.678+0100: 1.500: [Full GC (System.gc()) [PSYoungGen: 448K->0K(1024K)] [ParOldGen: 8K->440K(260608K)] 456K->440K(261632K), [Metaspace: 2560K->2560K(1056768K)], 0.0107548 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]
                        """);

        assertThat(a.collector()).isEqualTo(Collector.PARALLEL);
        assertThat(onlyPause().cause()).isEqualTo("System.gc()");
        assertThat(onlyPause().kind()).isEqualTo(PauseKind.FULL);
        assertThat(onlyPause().when().epochMs()).hasValue(1388628245678L);
    }

    @Test
    void aTenuringTableSplitsTheCollectionOverLines() throws IOException {
        Analysis a =
                read(
                        """
                        5057.949: [GC (Allocation Failure) 5057.949: [ParNew
                        Desired survivor size 39321600 bytes, new threshold 1 (max 6)
                        - age   1:   51317512 bytes,   51317512 total
                        - age   2:     280904 bytes,   51598416 total
                        : 617393K->53188K(691200K), 0.0076975 secs] 3487702K->2923643K(4531200K), 0.0078379 secs] [Times: user=0.04 sys=0.00, real=0.01 secs]
                        """);

        GcEvent.Tenuring t = onlyPause().tenuring().orElseThrow();
        assertThat(t.desiredBytes()).hasValue(39321600L);
        assertThat(t.threshold()).isEqualTo(1);
        assertThat(t.maxThreshold()).isEqualTo(6);
        assertThat(t.bytesByAge()).containsExactly(51317512L, 280904L);
        assertThat(a.ages().ageOneAbove().count()).isOne();
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void readsCollectionWithConcurrentOutputInside() throws IOException {
        Analysis a =
                read(
                        """
                        10.0: [GC [1 CMS-initial-mark: 702521K(786432K)] 938489K(1022400K), 0.0040000 secs] [Times: user=0.00 sys=0.00, real=0.00 secs]
                        10.100: [CMS-concurrent-mark-start]
                        11.000: [Full GC 11.000: [CMS11.200: [CMS-concurrent-mark: 1.1/1.2 secs] [Times: user=2.22 sys=0.01, real=1.20 secs]
                         (concurrent mode failure): 702521K->594052K(786432K), 4.9052810 secs] 938489K->594052K(1022400K), [CMS Perm : 22623K->22606K(37688K)], 4.9054799 secs] [Times: user=5.02 sys=0.00, real=4.91 secs]
                        """);

        assertThat(a.collector()).isEqualTo(Collector.CMS);
        assertThat(a.count("full")).isOne();
        assertThat(a.count("initialMark")).isOne();
        assertThat(a.count("concurrent")).isOne();
        assertThat(a.trouble(Trouble.CONCURRENT_MODE_FAILURE).count()).isOne();
        assertThat(a.pauses().total()).isCloseTo(4 + 4905.4799, within(1e-6));
        assertThat(a.heap().highestBytes()).isEqualTo(938489L << 10);
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void scavengeBeforeRemarkIsPartOfItsPause() throws IOException {
        Analysis a =
                read(
                        """
                        13.000: [GC (CMS Final Remark) [YG occupancy: 63171 K (78656 K)]13.000: [GC (CMS Final Remark) 13.000: [ParNew: 63171K->8704K(78656K), 0.0200000 secs] 163171K->120000K(253440K), 0.0201000 secs] [Times: user=0.04 sys=0.01, real=0.02 secs]
                        13.021: [Rescan (parallel) , 0.0010000 secs]13.022: [weak refs processing, 0.0000100 secs] [1 CMS-remark: 111296K(174784K)] 120000K(253440K), 0.0225000 secs] [Times: user=0.05 sys=0.01, real=0.02 secs]
                        """);

        assertThat(a.count("young")).isOne();
        assertThat(a.count("remark")).isOne();
        assertThat(a.pauses().count()).isOne();
        assertThat(a.pauses().total()).isCloseTo(22.5, within(1e-9));
    }

    @Test
    void sizesThatG1PrintsAfterThePauseAreRead() throws IOException {
        Analysis a =
                read(
                        """
                        Java HotSpot(TM) 64-Bit Server VM (25.5-b02) for linux-amd64 JRE (1.8.0_05-b13), built on Mar 18 2014 01:08:39 by "java_re" with gcc 4.3.0
                        Memory: 4k page, physical 16656748k(11589984k free), swap 16654888k(10952556k free)
                        CommandLine flags: -XX:InitialHeapSize=266507968 -XX:MaxHeapSize=1073741824 -XX:+PrintGC -XX:+UseG1GC
                        0.224: [GC pause (G1 Evacuation Pause) (young) (to-space exhausted), 0.1426060 secs]
                           [Parallel Time: 142.2 ms, GC Workers: 8]
                              [Ext Root Scanning (ms): Min: 0.0, Avg: 2.3, Max: 8.8, Diff: 8.8, Sum: 18.7]
                                 [Processed Buffers: Min: 0, Avg: 1.4, Max: 2, Diff: 2, Sum: 11]
                           [Other: 0.3 ms]
                           [Eden: 24.0M(12.0M)->0.0B(10.0M) Survivors: 0.0B->2048.0K Heap: 43.6M(256.0M)->42.4M(256.0M)]
                         [Times: user=0.61 sys=0.08, real=0.15 secs]
                        """);

        GcEvent.Pause p = onlyPause();
        assertThat(a.collector()).isEqualTo(Collector.G1);
        assertThat(a.setup().feature()).hasValue(8);
        assertThat(a.setup().maxHeapBytes()).hasValue(1L << 30);
        assertThat(p.troubles()).containsExactly(Trouble.EVACUATION_FAILURE);
        assertThat(p.cause()).isEqualTo("G1 Evacuation Pause");
        assertThat(p.heap().orElseThrow().capacityBytes()).hasValue(256L << 20);
        assertThat(p.cpu()).isPresent();
        assertThat(p.phases()).extracting(GcEvent.Phase::name).contains("Parallel Time", "Other");
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void readsG1WithoutDetailsAndItsConcurrentCycle() throws IOException {
        Analysis a =
                read(
                        """
                        1.000: [GC pause (G1 Evacuation Pause) (young) (initial-mark) 120M->80M(256M), 0.0100000 secs]
                        1.010: [GC concurrent-root-region-scan-start]
                        1.011: [GC concurrent-root-region-scan-end, 0.0010000 secs]
                        1.011: [GC concurrent-mark-start]
                        1.050: [GC concurrent-mark-end, 0.0390000 secs]
                        1.051: [GC remark, 0.0020000 secs]
                        1.060: [GC cleanup 90M->85M(256M), 0.0005000 secs]
                        1.200: [GC pause (G1 Evacuation Pause) (mixed) 100M->60M(256M), 0.0080000 secs]
                        """);

        assertThat(a.count("young")).isOne();
        assertThat(a.count("concurrentStart")).isOne();
        assertThat(a.count("mixed")).isOne();
        assertThat(a.count("remark")).isOne();
        assertThat(a.count("cleanup")).isOne();
        assertThat(a.count("concurrent")).isOne();
        assertThat(a.pauses().total()).isCloseTo(20.5, within(1e-9));
    }

    @Test
    void readsCollectionWithErgonomicsOutputInside() throws IOException {
        Analysis a =
                read(
                        """
                        11.663: [GC (Allocation Failure) AdaptiveSizePolicy::update_averages:  survived: 524288  promoted: 6518464  overflow: true
                        AdaptiveSizeStart: 11.669 collection: 1
                        PSAdaptiveSizePolicy::compute_eden_space_size: costs minor_time: 0.000524 major_cost: 0.000000
                        AdaptiveSizeStop: collection: 1
                        [PSYoungGen: 86016K->512K(86528K)] 86016K->6877K(261632K), 0.0065109 secs] [Times: user=0.03 sys=0.01, real=0.01 secs]
                        """);

        assertThat(onlyPause().young().orElseThrow().afterBytes()).isEqualTo(512L << 10);
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void readsDecimalCommasAndDoubleLineEnds() throws IOException {
        Analysis a =
                read(
                        "0,133: [GC 0,133: [DefNew: 69440K->8640K(78080K), 0,0909376 secs]"
                                + " 69440K->46942K(251648K), 0,0910944 secs]\r\n"
                                + "2,133: [GC 2,133: [DefNew: 69440K->8640K(78080K), 0,0100000"
                                + " secs] 100000K->56942K(251648K), 0,0100000 secs]\r\n");

        assertThat(a.pauses().total()).isCloseTo(101.0944, within(1e-9));
        assertThat(a.spanS()).isCloseTo(2.01, within(1e-9));
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void stoppedTimesShowStopsOtherThanCollections() throws IOException {
        Analysis a =
                read(
                        """
                        1.000: [GC 1.000: [ParNew: 21863K->2040K(27328K), 0.0077710 secs] 21863K->2040K(4188864K), 0.0080000 secs]
                        Total time for which application threads were stopped: 0.0090000 seconds
                        Application time: 1.5639792 seconds
                        2.000: Total time for which application threads were stopped: 0.0200000 seconds, Stopping threads took: 0.0150000 seconds
                        """);

        assertThat(a.stopped().gcMs()).isCloseTo(8, within(1e-9));
        assertThat(a.stopped().otherMs()).isCloseTo(21, within(1e-9));
        assertThat(a.stopped().reachingMs()).isCloseTo(15, within(1e-9));
    }

    @Test
    void countsApplicationOutputAsForeignLines() throws IOException {
        Analysis a =
                read(
                        """
                        2024-01-01 INFO [main] started in 3.2 seconds [id=7
                        1.000: [GC 21863K->2040K(27328K), 0.0077710 secs]
                        java.lang.IllegalStateException: 12K->13K(14K), 0.5 secs]
                        \tat com.example.Main.main(Main.java:7)
                        2.000: [Full GC 21863K->2040K(27328K), 0.1000000 secs]
                        """);

        assertThat(a.count("young")).isOne();
        assertThat(a.count("full")).isOne();
        assertThat(a.pauses().total()).isCloseTo(107.771, within(1e-9));
        assertThat(a.lines().foreign()).isEqualTo(3);
        assertThat(a.lines().firstUnread().getFirst().line()).isOne();
    }

    @Test
    void aTornCollectionIsCountedAndTheNextIsRead() throws IOException {
        Analysis a =
                read(
                        """
                        1.000: [GC 1.000: [ParNew: 21863K->2040K(273
                        2.000: [GC 2.000: [ParNew: 21863K->2040K(27328K), 0.0077710 secs] 21863K->2040K(4188864K), 0.0080000 secs]
                        3.000: [GC 3.000: [ParNew: 21863K->20
                        """);

        assertThat(a.count("young")).isOne();
        assertThat(a.lines().broken()).isEqualTo(2);
    }

    @Test
    void pausesOfCmsWithoutDetailsAreMarksAndRemarksInTurn() throws IOException {
        Analysis a =
                read(
                        """
                        0.477: [GC 46468K(83008K), 0.0039333 secs]
                        0.500: [GC 50468K->20468K(83008K), 0.0100000 secs]
                        0.585: [GC 50934K(83008K), 0.0049002 secs]
                        0.627: [GC 61889K(99756K), 0.0080022 secs]
                        0.700: [Full GC 61889K->20000K(99756K), 0.1000000 secs]
                        0.800: [GC 30000K(99756K), 0.0030000 secs]
                        """);

        assertThat(a.collector()).isEqualTo(Collector.CMS);
        assertThat(a.count("initialMark")).isEqualTo(3);
        assertThat(a.count("remark")).isOne();
        assertThat(a.count("young")).isOne();
        assertThat(a.count("concurrent")).isEqualTo(3);
    }

    @Test
    void thePartsOfARemarkArePhasesAndNoCollections() throws IOException {
        Analysis a =
                read(
                        """
                        132.811: [GC remark 132.812: [Finalize Marking, 0.0006000 secs] 132.812: [GC ref-proc, 0.0003430 secs] 132.813: [Unloading, 0.0010000 secs], 0.0028090 secs]
                         [Times: user=0.01 sys=0.00, real=0.00 secs]
                        """);

        GcEvent.Pause p = onlyPause();
        assertThat(p.kind()).isEqualTo(PauseKind.REMARK);
        assertThat(p.phases().stream().map(GcEvent.Phase::name))
                .containsExactly("Finalize Marking", "GC ref-proc", "Unloading");
        assertThat(a.count("young")).isZero();
    }

    @Test
    void finestLevelAndHeadsOfRotatedFilesAreNotForeign() throws IOException {
        Analysis a =
                read(
                        """
                        2016-08-30 20:35:29 GC log file created /var/log/gc.log.1
                        1.5: [GC pause (young), 0.0100000 secs]
                              [Humongous Register: 0.1 ms]
                                 [Humongous Total: 0]
                                 [Humongous Candidate: 0]
                           [Eden: 24.0M(24.0M)->0.0B(13.0M) Survivors: 0.0B->3072.0K Heap: 24.0M(256.0M)->5.0M(256.0M)]
                        GC locker: Trying a full collection because scavenge failed
                        2016-08-30 20:36:29 GC log file has reached the maximum size. Saved as /var/log/gc.log.1
                        """);

        assertThat(a.lines().unread()).isZero();
        assertThat(a.count("young")).isOne();
    }

    @Test
    void collectionBelongsToLineOfItsDuration() throws IOException {
        read(
                """
                1.000: [GC 69440K->46942K(251648K), 0.0910944 secs]
                Total time for which application threads were stopped: 0.0920000 seconds
                2.000: [GC 2.000: [ParNew
                Desired survivor size 557056 bytes, new threshold 15 (max 15)
                - age   1:     442856 bytes,     442856 total
                : 1088K->448K(2176K), 0.0023409 secs] 1088K->448K(5504K), 0.0024413 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]
                3.000: [GC pause (young), 0.0730303 secs]
                   [Parallel Time: 71.0 ms, GC Workers: 8]
                   [Eden: 5120.0K(56.0M)->0.0B(75.0M) Survivors: 7168.0K->7168.0K Heap: 545.7M(1024.0M)->550.4M(1024.0M)]
                4.000: [GC pause (young), 0.0530303 secs]
                """);

        assertThat(events.stream().filter(GcEvent.Pause.class::isInstance).map(GcEvent::line))
                .containsExactly(1L, 6L, 7L, 10L);
    }

    @Test
    void readsMetaspaceAfterTheSizesOfG1() throws IOException {
        read(
                """
                3.392: [Full GC (Metadata GC Threshold)  165M->72M(5632M), 0.2983033 secs]
                   [Eden: 110.0M(280.0M)->0.0B(280.0M) Survivors: 0.0B->0.0B Heap: 165.7M(5632.0M)->72.1M(5632.0M)], [Metaspace: 21030K->21029K(1067008K)]
                 [Times: user=0.20 sys=0.10, real=0.30 secs]
                """);

        assertThat(onlyPause().metaspace().orElseThrow().afterBytes()).isEqualTo(21029L << 10);
        assertThat(onlyPause().cpu()).hasValue(new GcEvent.Cpu(0.20, 0.10, 0.30));
    }
}
