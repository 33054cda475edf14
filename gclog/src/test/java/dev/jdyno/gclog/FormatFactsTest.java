package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Properties of unified logs that often break readers. The lines are HotSpot's.
class FormatFactsTest {
    private final List<GcEvent> events = new ArrayList<>();

    private Analysis read(String text) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                new GcLog.Options(0, events::add));
    }

    private GcEvent.Pause pause() {
        return events.stream()
                .filter(GcEvent.Pause.class::isInstance)
                .map(GcEvent.Pause.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[2026-11-20T13:13:02.513+0000][0.084s][info ][gc          ] ",
                "[2026-11-20T13:13:02,513+01:00][0,084s][info ][gc          ] ",
                "[0.084s][info][gc] ",
                "[84ms] ",
                "[84000000ns][gc] ",
                "[2026-11-20T13:13:02.513+0000] ",
                "[0.084s][4711][4712][info][gc] ",
                "[myhost][0.084s][gc,phases] ",
                "[1795000000000ms][info][gc] ",
                "[info][gc] ",
                "[gc] ",
                "[gc          ] ",
                "[gc,phases][4711] ",
                "",
                "app_1  | [0.084s][info][gc] ",
                "2026-01-01T00:00:00.000Z stdout F [0.084s][info][gc] ",
            })
    void anySetOfDecorationsIsRead(String decorations) throws IOException {
        Analysis a =
                read(
                        decorations
                                + "GC(7) Pause Young (Normal) (G1 Evacuation Pause)"
                                + " 15M->3M(256M) 2.345ms\n");

        assertThat(a.count("young")).isOne();
        assertThat(a.pauses().total()).isEqualTo(2.345);
        assertThat(pause().cause()).isEqualTo("G1 Evacuation Pause");
        assertThat(pause().heap().orElseThrow().capacityBytes()).hasValue(256L << 20);
        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void readsCausesWithBrackets() throws IOException {
        read("[1.0s][info][gc] GC(3) Pause Full (System.gc()) 12M->8M(256M) 12.5ms\n");

        assertThat(pause().cause()).isEqualTo("System.gc()");
        assertThat(pause().kind()).isEqualTo(PauseKind.FULL);
    }

    @Test
    void bothSpellingsOfEvacuationFailureAreRead() throws IOException {
        Analysis a =
                read(
                        """
                        [1.000s][info][gc,start] GC(1) Pause Young (Normal) (G1 Evacuation Pause)
                        [1.002s][info][gc      ] GC(1) To-space exhausted
                        [1.010s][info][gc      ] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 60M->50M(64M) 10.0ms
                        [2.010s][info][gc      ] GC(2) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure) 60M->50M(64M) 10.0ms
                        [3.010s][info][gc      ] GC(3) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Allocation) 60M->50M(64M) 10.0ms
                        [4.010s][info][gc      ] GC(4) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Pinned) 60M->50M(64M) 10.0ms
                        """);

        assertThat(a.trouble(Trouble.EVACUATION_FAILURE).count()).isEqualTo(3);
        assertThat(a.trouble(Trouble.EVACUATION_FAILURE).lines()).containsExactly(3L, 4L, 5L);
        assertThat(a.trouble(Trouble.PINNED_REGION).count()).isOne();
    }

    @Test
    void bothHeadsOfTheAgeTableAreRead() throws IOException {
        Analysis a =
                read(
                        """
                        [1.000s][debug][gc,age] GC(1) Desired survivor size 1048576 bytes, new threshold 2 (max threshold 15)
                        [1.001s][trace][gc,age] GC(1) Age table:
                        [1.001s][trace][gc,age] GC(1) - age   1:    2012624 bytes,    2012624 total
                        [1.002s][info ][gc    ] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.0ms
                        [2.000s][debug][gc,age] GC(2) Desired survivor size 1048576 bytes, new threshold 15 (max threshold 15)
                        [2.001s][trace][gc,age] GC(2) Age table with threshold 15 (max threshold 15)
                        [2.001s][trace][gc,age] GC(2) - age   1:     100000 bytes,     100000 total
                        [2.001s][trace][gc,age] GC(2) - age   2:      50000 bytes,     150000 total
                        [2.002s][info ][gc    ] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.0ms
                        """);

        assertThat(a.ages().tables()).isEqualTo(2);
        assertThat(a.ages().lowered().count()).isOne();
        assertThat(a.ages().ageOneAbove().count()).isOne();
        assertThat(a.ages().lowestThreshold()).isEqualTo(2);
    }

    @Test
    void timeToLeaveASafepointCountsAsStoppedTime() throws IOException {
        Analysis a =
                read(
                        """
                        [1.003s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.000ms
                        [1.004s][info][safepoint] Safepoint "G1CollectForAllocation", Time since last: 62081087 ns, Reaching safepoint: 1000000 ns, At safepoint: 2100000 ns, Leaving safepoint: 5000000 ns, Total: 8100000 ns, Threads: 0 runnable, 12 total
                        [2.004s][info][safepoint] Safepoint "PrintThreads", Time since last: 62081087 ns, Reaching safepoint: 1000000 ns, Cleanup: 1000 ns, At safepoint: 2000000 ns, Total: 3001000 ns
                        """);

        assertThat(a.stopped().gcMs()).isCloseTo(2, within(1e-9));
        assertThat(a.stopped().otherMs()).isCloseTo(6.1 + 3.001, within(1e-9));
        assertThat(a.stopped().leavingMs()).isCloseTo(5, within(1e-9));
        assertThat(a.safepoints().getFirst().ofGc()).isTrue();
    }

    @Test
    void stallsAreThreadTimeAndNoPause() throws IOException {
        Analysis a =
                read(
                        """
                        [1.000s][info][gc] Using The Z Garbage Collector
                        [2.000s][info][gc] Allocation Stall (worker (7)) 488.5ms
                        [2.100s][info][gc] Allocation Stall (main) 11.5ms
                        """);

        assertThat(a.pauses().count()).isZero();
        assertThat(a.stalls().count()).isEqualTo(2);
        assertThat(a.stopped().stallsMs()).isCloseTo(500, within(1e-9));
        assertThat(((GcEvent.Stall) events.getFirst()).thread()).isEqualTo("worker (7)");
    }

    @Test
    void generationPrefixOfZgcLinesIsRead() throws IOException {
        Analysis a =
                read(
                        """
                        [0.263s][info][gc          ] GC(0) Minor Collection (Allocation Rate)
                        [0.263s][info][gc,phases   ] GC(0) y: Pause Mark Start 0.011ms
                        [0.268s][info][gc,phases   ] GC(0) y: Concurrent Mark 3.967ms
                        [0.269s][info][gc,heap     ] GC(0) y: Allocated:         -                 4M (2%)            4M (2%)            6M (3%)
                        [0.269s][info][gc,heap     ] GC(0) y:  Promoted:         -                  -                 0M (0%)            1M (0%)
                        [0.269s][info][gc          ] GC(0) Minor Collection (Allocation Rate) 26M(10%)->12M(5%) 0.007s
                        """);

        assertThat(a.collector()).isEqualTo(Collector.ZGC);
        assertThat(a.generational()).isTrue();
        assertThat(a.count("concurrent")).isOne();
        assertThat(a.count("minor")).isOne();
        assertThat(a.count("step")).isOne();
        assertThat(a.promotedBytes()).isEqualTo(1 << 20);
    }

    @Test
    void countsJoinedLinesAndReadsSecondMessage() throws IOException {
        Analysis a =
                read(
                        """
                        [0.500s][info][gc] Using G1
                        [1.000s][info][gc] GC(1) Pause Young (Normal) (G1 Ev[1.001s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.0ms
                        [2.000s][info][gc] GC(3) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.3
                        """);

        assertThat(a.count("young")).isOne();
        assertThat(a.lines().broken()).isEqualTo(2);
        assertThat(a.lines().firstUnread())
                .extracting(Analysis.Unread::line)
                .containsExactly(2L, 3L);
    }

    @Test
    void secondJvmOfFileContinuesAfterFirst() throws IOException {
        Analysis a =
                read(
                        """
                        [0.010s][info][gc] Using G1
                        [100.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 200M->100M(256M) 2.0ms
                        [0.010s][info][gc] Using G1
                        [10.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 150M->3M(256M) 2.0ms
                        """);

        assertThat(a.restarts()).isOne();
        assertThat(a.spanS()).isCloseTo(100 - 0.01 + 10 - 0.01, within(0.02));
        assertThat(a.allocBytesPerS()).isEmpty();
    }

    @Test
    void detectsGzipByContent() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(
                    "[1.0s][info][gc] GC(3) Pause Full (Ergonomics) 12M->8M(256M) 12.5ms\r\n"
                            .getBytes(StandardCharsets.UTF_8));
        }

        Analysis a =
                GcLog.read(
                        "-", new ByteArrayInputStream(packed.toByteArray()), GcLog.Options.DEFAULT);

        assertThat(a.collector()).isEqualTo(Collector.PARALLEL);
        assertThat(a.count("full")).isOne();
    }

    @Test
    void quantilesInterpolateBetweenOrderStatistics() throws IOException {
        Analysis a =
                read(
                        """
                        [1.0s][info][gc] GC(1) Pause Young (Allocation Failure) 12M->8M(256M) 10.0ms
                        [2.0s][info][gc] GC(2) Pause Young (Allocation Failure) 12M->8M(256M) 20.0ms
                        """);

        assertThat(a.pauses().p50()).isCloseTo(15, within(1e-9));
        assertThat(a.pauses().p90()).isCloseTo(19, within(1e-9));
    }

    @Test
    void countsStopsOfNestedMinorCycleWithoutStamps() throws IOException {
        Analysis a =
                read(
                        """
                        GC(4) Major Collection (Warmup)
                        GC(4) Y: Pause Mark Start (Major) 0.010ms
                        GC(4) O: Pause Mark End 0.020ms
                        GC(5) Minor Collection (Allocation Rate)
                        GC(5) y: Pause Mark Start 0.030ms
                        GC(5) y: Pause Relocate Start 0.040ms
                        GC(4) O: Pause Relocate Start 0.050ms
                        """);

        assertThat(a.pauses().count()).isEqualTo(5);
        assertThat(a.pauses().total()).isCloseTo(0.15, offset(1e-9));
    }

    @Test
    void countsTimeOfNestedFullCollectionOnce() throws IOException {
        Analysis a =
                read(
                        """
                        [1.000s][info][gc,start] GC(0) Pause Young (Allocation Failure)
                        [1.001s][info][gc,start] GC(1) Pause Full (Allocation Failure)
                        [1.100s][info][gc      ] GC(1) Pause Full (Allocation Failure) 9M->5M(9M) 99.0ms
                        [1.101s][info][gc      ] GC(0) Pause Young (Allocation Failure) 9M->5M(9M) 101.0ms
                        """);

        assertThat(a.pauses().count()).isEqualTo(1);
        assertThat(a.pauses().total()).isCloseTo(101, offset(1e-9));
        assertThat(a.count("full")).isEqualTo(1);
    }

    @Test
    void textOfGenerationIsNoTornLine() throws IOException {
        Analysis a =
                read(
                        """
                        [0.375s][trace][gc] GC(0) Tenured: promo attempt is safe: available(67108864) >= av_promo(0), max_promo(26869760)
                        [0.376s][info ][gc] GC(0) Pause Young (Allocation Failure) 9M->5M(9M) 1.0ms
                        """);

        assertThat(a.lines().broken()).isZero();
    }

    @Test
    void aDurationThatLostItsPointIsNotBelieved() throws IOException {
        String whole = "%d.000: [GC 9000K->5000K(9900K), 0.0015000 secs]\n";
        Analysis a =
                read(
                        whole.formatted(1)
                                + whole.formatted(2)
                                + whole.formatted(3)
                                + "4.000: [GC 9000K->5000K(9900K), 0#0015000 secs]\n"
                                + "5.000: [GC 9000K->5000K(9900K), 0.00150#9 secs]\n"
                                + whole.formatted(6));

        assertThat(a.pauses().count()).isEqualTo(4);
        assertThat(a.pauses().max()).isCloseTo(1.5, offset(1e-9));
        assertThat(a.lines().broken()).isEqualTo(2);
    }

    @Test
    void readsLogWithOtherDecimalSeparator() throws IOException {
        Analysis a =
                read(
                        """
                        [1.0s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 9M->5M(9M) 2ms
                        [2.0s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 9M->5M(9M) 2.5ms
                        [3.0s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 9M->5M(9M) 2.25ms
                        """);

        assertThat(a.pauses().total()).isCloseTo(6.75, offset(1e-9));
    }

    @Test
    void tornTimeStampIsNeitherATimeGapNorASecondJvm() throws IOException {
        String pause =
                "[%s][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 9M->5M(9M) 2.000ms\n";
        Analysis leapt =
                read(
                        pause.formatted("64.100s", 0)
                                + pause.formatted("664.200s", 1)
                                + pause.formatted("64.300s", 2));
        Analysis fell =
                read(
                        pause.formatted("64.100s", 0)
                                + pause.formatted("4.200s", 1)
                                + pause.formatted("64.300s", 2));
        Analysis restarted =
                read(
                        pause.formatted("64.100s", 0)
                                + pause.formatted("4.200s", 1)
                                + pause.formatted("4.300s", 2));
        Analysis absurd =
                read(
                        pause.formatted("64.100s", 0)
                                + pause.formatted("6464641002.100s", 1)
                                + pause.formatted("1002.100s", 2)
                                + pause.formatted("64.400s", 3));
        Analysis idle =
                read(
                        pause.formatted("64.100s", 0)
                                + pause.formatted("9664.100s", 1)
                                + pause.formatted("9664.300s", 2));

        assertThat(leapt.spanS()).isCloseTo(0.2, offset(0.01));
        assertThat(leapt.restarts()).isZero();
        assertThat(fell.spanS()).isCloseTo(0.2, offset(0.01));
        assertThat(fell.restarts()).isZero();
        assertThat(restarted.restarts()).isOne();
        assertThat(absurd.spanS()).isCloseTo(0.3, offset(0.01));
        assertThat(idle.spanS()).isCloseTo(9600.2, offset(0.01));
    }

    /// Lines of Red Hat's builds of JDK 8.
    @Test
    void shenandoahOfJdk8IsRead() throws IOException {
        Analysis a =
                read(
                        """
                        OpenJDK 64-Bit Server VM (25.161-b14) for linux-amd64 JRE (1.8.0_161-b14), built on Jan  9 2018 19:54:33
                        CommandLine flags: -XX:MaxHeapSize=2147483648 -XX:+PrintGC -XX:+UseShenandoahGC
                        0.230: [Concurrent reset 60M->62M(2048M), 0.294 ms]
                        0.234: [Pause Init Mark (process weakrefs), start]
                            Using 2 of 2 workers for init marking
                        0.236: [Pause Init Mark (process weakrefs), 1.983 ms]
                        0.238: [Concurrent marking 1435M->1447M(2048M), 12.576 ms]
                        0.251: [Pause Final Mark 1447M->684M(2048M), 2.279 ms]
                        0.254: [Concurrent cleanup 684M->600M(2048M), 0.036 ms]
                        2020-03-10T08:03:29.365-0400: 13.900: #2: [Concurrent reset, 0.427 ms]
                        13.979: #2: [Concurrent marking
                            Failed to allocate TLAB, 4096K
                            Cancelling GC: Allocation Failure
                        , 2714.003 ms]
                        16.700: #2: [Pause Degenerated GC (Mark) 2000M->700M(2048M), 130.100 ms]
                        20.000: [Pause Full 2000M->600M(2048M), 300.123 ms], [Metaspace: 6477K->6481K(1056768K)]
                        """);

        assertThat(a.collector()).isEqualTo(Collector.SHENANDOAH);
        assertThat(a.count("step")).isEqualTo(2);
        assertThat(a.count("degenerated")).isOne();
        assertThat(a.count("full")).isOne();
        assertThat(a.count("concurrent")).isEqualTo(2);
        assertThat(a.pauses().total()).isCloseTo(434.485, offset(1e-6));
        assertThat(a.lines().unread()).isZero();
        assertThat(a.setup().unified()).isFalse();
    }

    /// One collection in ten minutes: the next valid time stamp may be far from the torn one.
    @Test
    void reportsTornStampOfSparseLog() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int i = 1; i <= 30; i++) {
            int stamp = 600 * i;
            log.append(i == 20 ? "9" + stamp : String.valueOf(stamp))
                    .append(".100: [GC 9000K->5000K(9900K), 0.0015000 secs]\n");
        }

        Analysis a = read(log.toString());

        assertThat(a.restarts()).isZero();
        assertThat(a.spanS()).isCloseTo(29 * 600, offset(0.01));
    }
}
