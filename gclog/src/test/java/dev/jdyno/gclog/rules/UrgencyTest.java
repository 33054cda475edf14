package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Severity of a diagnosis relative to the others of its log, and which tool requested a
/// collection. The lines are shaped like those of short runs with one planted fault each.
class UrgencyTest {
    private static List<GcDiagnosis> found(String log) throws IOException {
        return Diagnoses.of(
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT),
                OptionalDouble.empty());
    }

    private static GcDiagnosis one(String log, String id) throws IOException {
        return found(log).stream().filter(d -> d.id().equals(id)).findFirst().orElseThrow();
    }

    private static List<String> ids(String log) throws IOException {
        return found(log).stream().map(GcDiagnosis::id).toList();
    }

    private static String times(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    private static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// A young collection each second. In the first `odd` collections, the time is system time of
    /// the kernel.
    private static String touching(int odd) {
        return "[0.004s][info][gc] Using Parallel\n"
                + times(
                        12,
                        i ->
                                text(
                                        "[%1$d.100s][info][gc     ] GC(%1$d) Pause Young (Allocation"
                                                + " Failure) 192M->31M(480M) %2$s%n"
                                                + "[%1$d.100s][info][gc,cpu ] GC(%1$d) User=0.01s"
                                                + " Sys=%3$s Real=%3$s%n",
                                        i + 1,
                                        i < odd ? "100.0ms" : "5.0ms",
                                        i < odd ? "0.10s" : "0.00s"));
    }

    @Test
    void firstTouchOfMemoryIsOnlyAHint() throws IOException {
        assertThat(one(touching(2), "system-time").severity()).isEqualTo(Severity.INFO);
        assertThat(one(touching(4), "system-time").severity()).isEqualTo(Severity.WARNING);
    }

    @Test
    void cyclesOfZgcThatWereAskedForAreNamed() throws IOException {
        String log =
                "[0.006s][info][gc,init] Initializing The Z Garbage Collector\n"
                        + times(
                                8,
                                i ->
                                        text(
                                                "[%1$d.400s][info][gc          ] GC(%2$d) Major"
                                                        + " Collection (System.gc())%n"
                                                        + "[%1$d.421s][info][gc          ] GC(%2$d)"
                                                        + " Major Collection (System.gc())"
                                                        + " 22M(4%%)->4M(1%%) 0.021s%n",
                                                i + 1, i));

        GcDiagnosis asked = one(log, "explicit-gc");
        assertThat(asked.severity()).isEqualTo(Severity.WARNING);
        assertThat(asked.says()).isEqualTo("System.gc() or a tool requested 8 of 8 cycles");
    }

    @Test
    void collectionsThatAToolAskedForAreNamed() throws IOException {
        String log =
                "[0.009s][info][gc] Using Parallel\n"
                        + times(
                                10,
                                i ->
                                        text(
                                                "[%1$d.000s][info][gc] GC(%2$d) Pause Young (Heap"
                                                        + " Inspection Initiated GC)"
                                                        + " 99M->86M(380M) 2.0ms%n"
                                                        + "[%1$d.062s][info][gc] GC(%3$d) Pause Full"
                                                        + " (Heap Inspection Initiated GC)"
                                                        + " 86M->86M(380M) 60.0ms%n",
                                                i + 1, 2 * i, 2 * i + 1));

        assertThat(ids(log)).first().isEqualTo("explicit-gc");
        assertThat(one(log, "explicit-gc").says())
                .startsWith("tools asked for a collection (Heap Inspection Initiated GC) 10 times");
        assertThat(ids(log)).doesNotContain("full-gc");
    }

    @Test
    void smallSurvivorSpacesAreSeenToBeFull() throws IOException {
        String log =
                "[0.004s] Using Serial\n"
                        + times(
                                20,
                                i ->
                                        text(
                                                "[%1$d.100s] GC(%1$d) Pause Young (Allocation"
                                                        + " Failure)%n[%1$d.113s] GC(%1$d) DefNew:"
                                                        + " 100351K->%2$dK(100352K)%n[%1$d.113s]"
                                                        + " GC(%1$d) Tenured:"
                                                        + " %3$dK->%4$dK(9999999K)%n[%1$d.113s]"
                                                        + " GC(%1$d) Pause Young (Allocation"
                                                        + " Failure) %5$dM->%6$dM(9863M) 13.4ms%n",
                                                i,
                                                2046 + i % 3,
                                                i * 18432,
                                                (i + 1) * 18432,
                                                i * 18 + 98,
                                                i * 18 + 20));

        assertThat(ids(log)).contains("survivor-overflow");
    }

    @Test
    void severityOfFullHeapFollowsItsFullCollections() throws IOException {
        String log =
                "[0.004s][info][gc] Using Serial\n"
                        + times(
                                30,
                                i ->
                                        text(
                                                "[%1$d.000s][info][gc] GC(%2$d) Pause Full"
                                                        + " (Allocation Failure) 189M->149M(200M)"
                                                        + " 45.0ms%n",
                                                i + 1, i));

        assertThat(ids(log).subList(0, 2)).containsExactly("live-set", "full-gc");
        assertThat(found(log).getFirst().severity()).isEqualTo(Severity.CRITICAL);
    }
}
