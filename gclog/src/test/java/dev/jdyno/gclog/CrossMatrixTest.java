package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Each kind of line, with each kind of time stamp and each line end, gives exactly the same
/// events. The lines are HotSpot's.
class CrossMatrixTest {
    private record Sample(String lines, String events) {}

    private static final List<Sample> UNIFIED =
            List.of(
                    new Sample(
                            "GC(1) Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.3ms",
                            "young G1 Evacuation Pause 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Young (Concurrent Start) (G1 Humongous Allocation) 15M->3M(256M) 2.3ms",
                            "concurrentStart G1 Humongous Allocation 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Young (Prepare Mixed) (G1 Preventive Collection) 15M->3M(256M) 2.3ms",
                            "prepareMixed G1 Preventive Collection 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Young (Mixed) (G1 Evacuation Pause) 15M->3M(256M) 2.3ms",
                            "mixed G1 Evacuation Pause 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Young (Normal) (GCLocker Initiated GC) (Evacuation Failure) 15M->14M(256M) 2.3ms",
                            "young GCLocker Initiated GC 2.3 15>14 EVACUATION_FAILURE"),
                    new Sample(
                            "GC(1) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Pinned) 15M->14M(256M) 2.3ms",
                            "young G1 Evacuation Pause 2.3 15>14 PINNED_REGION"),
                    new Sample(
                            "GC(1) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Allocation/Pinned) 15M->14M(256M) 2.3ms",
                            "young G1 Evacuation Pause 2.3 15>14 EVACUATION_FAILURE"),
                    new Sample(
                            "GC(1) To-space exhausted\nGC(1) Pause Young (Normal) (G1 Evacuation Pause) 15M->14M(256M) 2.3ms",
                            "young G1 Evacuation Pause 2.3 15>14 EVACUATION_FAILURE"),
                    new Sample(
                            "GC(1) Pause Initial Mark (G1 Evacuation Pause) 15M->3M(256M) 2.3ms",
                            "concurrentStart G1 Evacuation Pause 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Mixed (G1 Evacuation Pause) 15M->3M(256M) 2.3ms",
                            "mixed G1 Evacuation Pause 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Full (System.gc()) 15M->3M(256M) 2.3ms",
                            "full System.gc() 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Full (Metadata GC Clear Soft References) 15M->3M(256M) 2.3ms",
                            "full Metadata GC Clear Soft References 2.3 15>3"),
                    new Sample("GC(1) Pause Remark 15M->3M(256M) 2.3ms", "remark  2.3 15>3"),
                    new Sample("GC(1) Pause Cleanup 15M->15M(256M) 2.3ms", "cleanup  2.3 15>15"),
                    new Sample(
                            "GC(1) Pause Young (Allocation Failure) 15M->3M(256M) 2.3ms",
                            "young Allocation Failure 2.3 15>3"),
                    new Sample(
                            "GC(1) Pause Initial Mark 15M->15M(256M) 2.3ms",
                            "initialMark  2.3 15>15"),
                    new Sample("GC(1) Y: Pause Mark Start (Major) 0.012ms", "step Major 0.012"),
                    new Sample("GC(1) o: Pause Mark End 0.012ms", "step  0.012"),
                    new Sample("GC(1) Pause Relocate Start 0.012ms", "step  0.012"),
                    new Sample(
                            "GC(1) Pause Init Mark (unload classes) 0.012ms",
                            "step unload classes 0.012"),
                    new Sample("GC(1) Pause Final Update Refs 0.012ms", "step  0.012"),
                    new Sample(
                            "GC(1) Pause Degenerated GC (Mark) 15M->3M(256M) 2.3ms",
                            "degenerated Mark 2.3 15>3"),
                    new Sample(
                            "GC(1) Concurrent Mark Cycle 12.5ms",
                            "phase Concurrent Mark Cycle 12.5|cycle mark"),
                    new Sample(
                            "GC(1) Concurrent Undo Cycle 12.5ms",
                            "phase Concurrent Undo Cycle 12.5|cycle undo"),
                    new Sample(
                            "GC(1) Concurrent Clear Claimed Marks 0.5ms",
                            "phase Concurrent Clear Claimed Marks 0.5"),
                    new Sample(
                            "GC(1) Garbage Collection (Proactive) 26M(10%)->12M(5%)",
                            "cycle cycle Proactive 26>12"),
                    new Sample(
                            "GC(1) Minor Collection (Allocation Rate) 26M(10%)->12M(5%) 0.007s",
                            "cycle minor Allocation Rate 26>12"),
                    new Sample(
                            "GC(1) Major Collection (Warmup) 26M(10%)->12M(5%) 0.007s",
                            "cycle major Warmup 26>12"),
                    new Sample("Allocation Stall (main) 12.345ms", "stall main 12.345"),
                    new Sample("Relocation Stall (pool-1 (2)) 12.345ms", "stall pool-1 (2) 12.345"),
                    new Sample(
                            "Safepoint \"G1CollectForAllocation\", Time since last: 62081087 ns, Reaching safepoint: 3000 ns, At safepoint: 2000000 ns, Leaving safepoint: 100000 ns, Total: 2103000 ns, Threads: 1 runnable, 12 total",
                            "safepoint G1CollectForAllocation 0.003 0.1 2.103"),
                    new Sample(
                            "Safepoint \"Cleanup\", Time since last: 62081087 ns, Reaching safepoint: 3000 ns, Cleanup: 4000 ns, At safepoint: 2000000 ns, Total: 2007000 ns",
                            "safepoint Cleanup 0.003 0 2.007"),
                    new Sample(
                            "Entering safepoint region: RevokeBias\nTotal time for which application threads were stopped: 0.0012000 seconds, Stopping threads took: 0.0001000 seconds",
                            "safepoint RevokeBias 0.1 0 1.2"));

    private static final List<String> DECORATIONS =
            List.of(
                    "[2026-11-20T13:13:02.513+0000][7.084s][info ][gc          ] ",
                    "[2026-11-20T13:13:02,513+01:00][7,084s][info ][gc] ",
                    "[7.084s][info][gc] ",
                    "[7084ms] ",
                    "[7084000000ns][gc,phases] ",
                    "[2026-11-20T13:13:02.513+0000] ",
                    "[7.084s][4711][4712][debug][safepoint] ",
                    "[4711][info][7.084s] ",
                    "[info][2026-11-20T13:13:02.513+0000][gc] ",
                    "[host-1][1795000000000ms][trace][gc,start] ",
                    "app_1  | [7.084s][info][gc] ",
                    "2026-01-01T00:00:00.000Z stdout F [7.084s][info][gc] ");

    private static final List<Sample> LEGACY =
            List.of(
                    new Sample("[GC 15360K->3072K(262144K), 0.0023000 secs]", "young  2.3 15>3"),
                    new Sample(
                            "[Full GC (Ergonomics) 15360K->3072K(262144K), 0.0023000 secs]",
                            "full Ergonomics 2.3 15>3"),
                    new Sample(
                            "[GC (Allocation Failure) [PSYoungGen: 1024K->512K(2048K)] 15360K->3072K(262144K), 0.0023000 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]",
                            "young Allocation Failure 2.3 15>3"),
                    new Sample(
                            "[GC (CMS Initial Mark)  134816K(262016K), 0.0023000 secs]",
                            "initialMark CMS Initial Mark 2.3|cycle cms"),
                    new Sample(
                            "[GC (CMS Final Remark)  134816K(262016K), 0.0023000 secs]",
                            "remark CMS Final Remark 2.3"),
                    new Sample(
                            "[GC [1 CMS-initial-mark: 15360K(28672K)] 18432K(40960K), 0.0023000 secs]",
                            "initialMark  2.3|cycle cms"),
                    new Sample(
                            "[GC pause (G1 Evacuation Pause) (young) 15M->3072K(256M), 0.0023000 secs]",
                            "young G1 Evacuation Pause 2.3 15>3"),
                    new Sample(
                            "[GC pause (G1 Humongous Allocation) (young) (initial-mark) 15M->3072K(256M), 0.0023000 secs]",
                            "concurrentStart G1 Humongous Allocation 2.3 15>3"),
                    new Sample(
                            "[GC pause (mixed) 15M->3072K(256M), 0.0023000 secs]",
                            "mixed  2.3 15>3"),
                    new Sample(
                            "[GC pause (young) (to-space exhausted) 15M->14M(256M), 0.0023000 secs]",
                            "young  2.3 15>14 EVACUATION_FAILURE"),
                    new Sample(
                            "[GC remark [GC ref-proc, 0.0003430 secs], 0.0023000 secs]",
                            "remark  2.3"),
                    new Sample("[GC cleanup 15M->15M(256M), 0.0023000 secs]", "cleanup  2.3 15>15"),
                    new Sample(
                            "[GC-- 15360K->14336K(262144K), 0.0023000 secs]",
                            "young  2.3 15>14 PROMOTION_FAILED"),
                    new Sample(
                            "Total time for which application threads were stopped: 0.0012000 seconds",
                            "safepoint  0 0 1.2"));

    private static final List<String> STAMPS =
            List.of(
                    "7.084: ",
                    "7,084: ",
                    "2016-11-20T13:13:02.513+0000: ",
                    "2016-11-20T13:13:02.513+0000: 7.084: ",
                    "2016-11-20T13:13:02,513-0500: 7,084: ",
                    "");

    static Stream<Arguments> cells() {
        return Stream.concat(
                UNIFIED.stream()
                        .flatMap(s ->
                                DECORATIONS.stream().map(d -> Arguments.of(d, s.lines, s.events))),
                LEGACY.stream()
                        .flatMap(
                                s -> STAMPS.stream().map(d -> Arguments.of(d, s.lines, s.events))));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void lineGivesSameEventsInAnyContext(String stamp, String lines, String events)
            throws IOException {
        for (String lineEnd : List.of("\n", "\r\n", "\r")) {
            String text =
                    Stream.of(lines.split("\n"))
                            .map(line -> stamp + line + lineEnd)
                            .reduce("", String::concat);
            List<GcEvent> got = new ArrayList<>();

            Analysis a =
                    GcLog.read(
                            "test",
                            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                            new GcLog.Options(0, got::add));

            assertThat(String.join("|", got.stream().map(CrossMatrixTest::words).toList()))
                    .isEqualTo(events);
            assertThat(a.lines().unread()).isZero();
        }
    }

    private static String words(GcEvent e) {
        return switch (e) {
            case GcEvent.Pause p ->
                    p.kind().key()
                            + " "
                            + p.cause()
                            + " "
                            + number(p.ms())
                            + p.heap().map(CrossMatrixTest::change).orElse("")
                            + String.join("", p.troubles().stream().map(t -> " " + t).toList());
            case GcEvent.Cycle c ->
                    "cycle "
                            + c.kind()
                            + (c.cause().isEmpty() ? "" : " " + c.cause())
                            + c.heap().map(CrossMatrixTest::change).orElse("");
            case GcEvent.ConcurrentPhase c -> "phase " + c.name() + " " + number(c.ms());
            case GcEvent.SafepointStop s ->
                    "safepoint "
                            + s.operation()
                            + " "
                            + number(s.reachingMs())
                            + " "
                            + number(s.leavingMs())
                            + " "
                            + number(s.totalMs());
            case GcEvent.Stall s -> "stall " + s.thread() + " " + number(s.ms());
            case GcEvent.JvmStart _ -> "jvmStart";
        };
    }

    private static String change(GcEvent.Occupancy o) {
        return " " + (o.beforeBytes() >> 20) + ">" + (o.afterBytes() >> 20);
    }

    private static String number(double ms) {
        return String.format(Locale.ROOT, "%.4f", ms).replaceAll("\\.?0+$", "");
    }
}
