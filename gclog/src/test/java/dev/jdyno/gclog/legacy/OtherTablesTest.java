package dev.jdyno.gclog.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Tables that options of JDK 7 and 8 print in addition to the collections, in the format of
/// HotSpot's sources (`safepoint.cpp`, `g1RemSetSummary.cpp`, `adaptiveSizePolicy.cpp`).
class OtherTablesTest {
    private static final String HEADING =
            "         vmop                    [threads: total initially_running wait_to_block]   "
                    + " [time: spin block sync cleanup vmop] page_trap_count\n";

    private static final String SUMMARY =
            """

            Polling page always armed
            EnableBiasedLocking                1
            G1IncCollectionPause               1
                0 VM operations coalesced during safepoint
            Maximum sync time  29399 ms
            Maximum vm operation time (except for Exit VM operation)     70 ms
            """;

    private final List<GcEvent> events = new ArrayList<>();

    private Analysis read(String text) throws IOException {
        events.clear();
        return GcLog.read(
                "test",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                new GcLog.Options(0, events::add));
    }

    private static String row(double atS, String operation, int sync, int cleanup, int vmop) {
        return String.format(
                Locale.ROOT,
                "%.3f: %-32s [      11          2              2    ]      [ %5d     0 %5d %5d %5d"
                        + "    ]  0   %n",
                atS,
                operation,
                sync,
                sync,
                cleanup,
                vmop);
    }

    @Test
    void readsSafepointTableAsLog() throws IOException {
        Analysis a =
                read(
                        HEADING
                                + row(1.016, "no vm operation", 29399, 0, 0)
                                + HEADING
                                + row(30.416, "EnableBiasedLocking", 0, 1, 4)
                                + row(40, "G1IncCollectionPause", 1, 2, 70)
                                + row(50.416, "no vm operation", 0, 0, 0)
                                + SUMMARY);

        assertThat(a.lines().unread()).isZero();
        assertThat(a.spanS()).isCloseTo(49.4, within(1e-6));
        assertThat(a.safepoints())
                .extracting(
                        Analysis.SafepointTotal::operation,
                        Analysis.SafepointTotal::count,
                        Analysis.SafepointTotal::totalMs,
                        Analysis.SafepointTotal::ofGc)
                .containsExactly(
                        tuple("no vm operation", 2L, 29399.0, false),
                        tuple("G1IncCollectionPause", 1L, 73.0, true),
                        tuple("EnableBiasedLocking", 1L, 5.0, false));
        // the time of collections is a GC pause, which a GC log also shows
        assertThat(a.stopped().otherMs()).isCloseTo(29399 + 5 + 3, within(1e-6));
        assertThat(a.stopped().reachingMs()).isCloseTo(29400, within(1e-6));
    }

    private static String pause(double atS) {
        return String.format(
                Locale.ROOT,
                "%.3f: [GC (Allocation Failure) [PSYoungGen: 1000K->100K(2000K)]"
                        + " 1000K->100K(9000K), 0.0700000 secs]%n",
                atS);
    }

    @Test
    void delayedTableRowsDoNotChangeTheLogTime() throws IOException {
        Analysis a =
                read(
                        pause(10)
                                + pause(20)
                                + pause(300)
                                + HEADING
                                + row(10, "ParallelGCFailedAllocation", 1, 0, 70)
                                + row(15, "RevokeBias", 30, 0, 0)
                                + row(20, "ParallelGCFailedAllocation", 1, 0, 70)
                                + pause(310));

        assertThat(a.restarts()).isZero();
        assertThat(a.spanS()).isCloseTo(300.07, within(0.01));
        assertThat(a.stopped().otherMs()).isCloseTo(32, within(1e-6));
    }

    @Test
    void rowNamesStopWithSeparateLine() throws IOException {
        read(
                row(10, "RevokeBias", 30, 0, 0)
                        + "10.031: Total time for which application threads were stopped: 0.0312000"
                        + " seconds, Stopping threads took: 0.0300000 seconds\n"
                        + row(20, "ThreadDump", 0, 0, 8)
                        + "20.009: Total time for which application threads were stopped: 0.0085000"
                        + " seconds, Stopping threads took: 0.0001000 seconds\n");

        assertThat(events)
                .extracting(e -> ((GcEvent.SafepointStop) e).operation())
                .containsExactly("RevokeBias", "ThreadDump");
        assertThat(
                        events.stream()
                                .mapToDouble(e -> ((GcEvent.SafepointStop) e).totalMs())
                                .toArray())
                .containsExactly(new double[] {31.2, 8.5}, within(1e-9));
    }

    @Test
    void logTimeAfterATableIsThatOfLaterLines() throws IOException {
        Analysis a =
                read(
                        row(1, "RevokeBias", 30, 0, 0)
                                + "2014-01-02T03:04:05.000+0100: [GC 1000K->100K(9000K), 0.0700000"
                                + " secs]\n"
                                + "2014-01-02T03:05:05.000+0100: [GC 1000K->100K(9000K), 0.0700000"
                                + " secs]\n");

        assertThat(a.spanS()).isBetween(60.0, 61.0);
    }

    @Test
    void readsCollectionWithRememberedSetSummary() throws IOException {
        Analysis a =
                read(
                        """
                        2.000: [GC pause (G1 Evacuation Pause) (young)Before GC RS summary

                         Recent concurrent refinement statistics
                          Processed 23270 cards
                          Of 96 completed buffers:
                                   96 (100.0%) by concurrent RS threads.
                          Did 0 coarsenings.
                          Concurrent RS threads times (s)
                                  0.03     0.00     0.00     0.00

                         Current rem set statistics
                          Total per region rem sets sizes = 3129K. Max = 13K.
                                 767K ( 24.5%) by 212 Young regions
                           Static structures = 563K, free_lists = 78K.
                            815957 occupied cards represented.
                            Region with largest rem set = 4:(O)[0x00000006d1c00000,0x00000006d1e00000,0x00000006d1e00000], size = 13K, occupied = 65K.
                         2.001: [G1Ergonomics (CSet Construction) start choosing CSet, _pending_cards: 6461, predicted base time: 24.51 ms, remaining time: 175.49 ms, target pause time: 200.00 ms]
                        After GC RS summary

                         Recent concurrent refinement statistics
                          Processed 100 cards
                        , 0.0500000 secs]
                           [Parallel Time: 45.0 ms, GC Workers: 4]
                           [Eden: 14.0M(14.0M)->0.0B(12.0M) Survivors: 0.0B->2048.0K Heap: 14.0M(256.0M)->3000.0K(256.0M)]
                         [Times: user=0.10 sys=0.00, real=0.05 secs]
                        """);

        assertThat(a.lines().unread()).isZero();
        assertThat(a.pauses().count()).isEqualTo(1);
        assertThat(a.pauses().max()).isCloseTo(50, within(1e-6));
        assertThat(a.heap().liveBytes()).hasValue(3000.0 * 1024);
    }

    @Test
    void readsOutputOfAdaptiveSizePolicy() throws IOException {
        Analysis a =
                read(
                        """
                        AdaptiveSizeStart: 3.100 collection: 1
                          avg_survived_padded_avg: 31196832.000000  avg_promoted_padded_avg: 0.000000  avg_pretenured_padded_avg: 0.000000  tenuring_thresh: 7  target_size: 31457280
                        AdaptiveSizePolicy::survivor space sizes: collection: 1 (10752, 10752) -> (11010048, 11010048)
                            UseAdaptiveSizePolicy actions to meet  *** throughput goal ***
                                               GC overhead (%)
                            Young generation:        2.77	  (attempted to grow)
                            Tenured generation:      0.00	  (attempted to grow)
                            Tenuring threshold:    (attempted to decrease to balance GC costs) = 6
                        AdaptiveSizeStop: collection: 1
                        """
                                + pause(4));

        assertThat(a.lines().unread()).isZero();
    }

    @Test
    void ignoresIndentedLinesOfApplication() throws IOException {
        Analysis a =
                read(pause(4) + "  Processed 23270 cards\n          0.03     0.00\n" + pause(5));

        assertThat(a.lines().foreign()).isEqualTo(2);
    }
}
