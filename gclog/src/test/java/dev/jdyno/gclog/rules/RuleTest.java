package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
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

/// Each rule on a log that has its fault, and on one slightly below the limit.
class RuleTest {
    private static List<String> diagnose(String log) throws IOException {
        return found(log).stream().map(GcDiagnosis::id).toList();
    }

    private static List<GcDiagnosis> found(String log) throws IOException {
        Analysis a =
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);
        return Diagnoses.of(a, OptionalDouble.empty());
    }

    private static String times(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    private static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// Young collections of ParNew once a second. Each age keeps this share of the previous age.
    private static String aging(double lives) {
        return times(
                40,
                i -> {
                    StringBuilder ages = new StringBuilder();
                    double bytes = 10_000_000;
                    for (int age = 1; age <= 6; age++) {
                        ages.append(text("- age %d: %d bytes, 1 total%n", age, (long) bytes));
                        bytes *= lives;
                    }
                    return text(
                            "%d.000: [GC %d.000: [ParNew%nDesired survivor size 150000000 bytes, new"
                                    + " threshold 6 (max 6)%n%s: 900000K->60000K(1000000K), 0.1"
                                    + " secs] 1000000K->160000K(4000000K), 0.1010000 secs]%n",
                            1 + i, 1 + i, ages);
                });
    }

    private static String pauses(int n) {
        return times(
                n,
                i ->
                        text(
                                "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics) 9M->8M(99M)"
                                        + " 500.0ms%n",
                                i + 1, i));
    }

    @Test
    void reportsLongestPartOfRemark() throws IOException {
        String log =
                times(
                        5,
                        i ->
                                text(
                                        "%1$d.000: [GC remark %1$d.001: [Finalize Marking, 0.0100000"
                                                + " secs] %1$d.011: [GC ref-proc, 0.8000000 secs]"
                                                + " %1$d.811: [Unloading, 0.0010000 secs], 0.9000000"
                                                + " secs]%n",
                                        10 * i + 1));

        GcDiagnosis d =
                found(log).stream()
                        .filter(x -> x.id().equals("long-remark"))
                        .findFirst()
                        .orElseThrow();

        assertThat(d.evidence().get(1).says()).isEqualTo("of their time: GC ref-proc");
        assertThat(d.evidence().get(1).value())
                .isCloseTo(4000, org.assertj.core.data.Offset.offset(1e-6));
    }

    @Test
    void fewPausesGiveNoShareOfTime() throws IOException {
        assertThat(diagnose(pauses(4))).doesNotContain("gc-overhead");
        assertThat(diagnose(pauses(5))).contains("gc-overhead");
    }

    @Test
    void agesInWhichNoObjectDiesMeanOverTenuring() throws IOException {
        assertThat(diagnose(aging(0.98))).contains("over-tenuring");
        assertThat(diagnose(aging(0.80))).doesNotContain("over-tenuring");
    }

    @Test
    void overTenuringAdviceNamesAgeWithoutDeaths() throws IOException {
        GcDiagnosis d =
                found(aging(0.98)).stream()
                        .filter(x -> x.id().equals("over-tenuring"))
                        .findFirst()
                        .orElseThrow();

        assertThat(d.advice().getFirst()).startsWith("-XX:MaxTenuringThreshold=1 (now 6)");
    }

    private static String promoting(long mostKilobytes) {
        return times(
                60,
                i -> {
                    long promoted = i == 30 ? mostKilobytes : 100;
                    return text(
                            "%d.000: [GC [PSYoungGen: 800000K->1000K(900000K)]"
                                    + " 1000000K->%dK(3900000K), 0.0100000 secs]%n",
                            10 * (i + 1), 1000000 - (799000 - promoted));
                });
    }

    @Test
    void singleLargePromotionIsABurst() throws IOException {
        assertThat(diagnose(promoting(300_000))).contains("promotion-burst");
        assertThat(diagnose(promoting(20_000))).doesNotContain("promotion-burst");
    }

    private static String cycles(int lastsMs, String collector, String cycle) {
        return "[0.001s][info][gc] Using "
                + collector
                + "\n[0.002s][info][gc,init] Concurrent Workers: 1\n"
                + times(
                        40,
                        i ->
                                text(
                                        "[%1$d.000s][info][gc] GC(%1$d) %2$s%n"
                                                + "[%1$d.%3$03ds][info][gc] GC(%1$d) %2$s%4$s%n",
                                        i + 1,
                                        cycle,
                                        lastsMs,
                                        cycle.startsWith("Conc")
                                                ? " " + lastsMs + ".000ms"
                                                : " 600M(60%)->300M(30%)"));
    }

    @Test
    void nearlyContinuousCyclesLeaveNoReserve() throws IOException {
        String z = "The Z Garbage Collector";
        assertThat(diagnose(cycles(900, z, "Major Collection (Proactive)")))
                .contains("cycles-back-to-back");
        assertThat(diagnose(cycles(400, z, "Major Collection (Proactive)")))
                .doesNotContain("cycles-back-to-back");
        assertThat(diagnose(cycles(900, "G1", "Concurrent Mark Cycle")))
                .contains("cycles-back-to-back");
    }

    @Test
    void cyclesWithoutLoggedEndAreNotEndless() throws IOException {
        String cms =
                times(
                        40,
                        i ->
                                text(
                                        "%d.000: [GC [1 CMS-initial-mark: 1000K(2000K)] 1000K(3000K),"
                                                + " 0.0010000 secs]%n",
                                        10 * i + 1));
        String shenandoah =
                "[0.001s][info][gc] Using Shenandoah\n"
                        + times(
                                40,
                                i ->
                                        text(
                                                "[%1$d.000s][info][gc] GC(%1$d) Concurrent reset"
                                                        + " 0.100ms%n[%1$d.200s][info][gc] GC(%1$d)"
                                                        + " Concurrent cleanup 90M->50M(100M)"
                                                        + " 0.100ms%n",
                                                i + 1));

        assertThat(diagnose(cms)).doesNotContain("cycles-back-to-back");
        assertThat(diagnose(shenandoah)).doesNotContain("cycles-back-to-back");
    }

    @Test
    void cycleAbortedByFullCollectionStartedTooLate() throws IOException {
        String cut =
                """
                [0.001s][info][gc] Using G1
                [1.000s][info][gc] GC(1) Concurrent Mark Cycle
                [1.100s][info][gc] GC(2) Pause Full (G1 Compaction Pause) 900M->200M(1024M) 900.0ms
                [2.000s][info][gc,marking] GC(1) Concurrent Mark Abort
                [2.001s][info][gc] GC(1) Concurrent Mark Cycle 1001.000ms
                """;

        assertThat(diagnose(cut)).contains("marking-too-late");
        assertThat(diagnose(cut.replace("Mark Abort", "Mark 1.0ms")))
                .doesNotContain("marking-too-late");
    }

    @Test
    void abortedMarkOfJdk8StartedTooLate() throws IOException {
        String cut =
                """
                1.000: [GC pause (young) (initial-mark) 600M->500M(1024M), 0.0100000 secs]
                1.010: [GC concurrent-root-region-scan-start]
                1.020: [GC concurrent-mark-start]
                1.500: [Full GC 900M->200M(1024M), 0.9000000 secs]
                2.400: [GC concurrent-mark-abort]
                """;

        assertThat(diagnose(cut)).contains("marking-too-late");
    }

    private static String marking(int mixed) {
        return "[0.001s][info][gc] Using G1\n"
                + times(
                        5,
                        i ->
                                text(
                                                "[%1$d.000s][info][gc] GC(%1$d) Concurrent Mark Cycle%n"
                                                        + "[%1$d.100s][info][gc] GC(%1$d) Concurrent Mark"
                                                        + " Cycle 100.000ms%n",
                                                10 * i + 1)
                                        + times(
                                                mixed,
                                                m ->
                                                        text(
                                                                "[%d.%d00s][info][gc] GC(%d) Pause Young"
                                                                        + " (Mixed) (G1 Evacuation Pause)"
                                                                        + " 700M->500M(1024M) 20.0ms%n",
                                                                10 * i + 1, m + 2, 10 * i + 2 + m)))
                + "[90.000s][info][gc] GC(90) Pause Full (G1 Compaction Pause) 1000M->300M(1024M)"
                + " 900.0ms\n";
    }

    @Test
    void markingWithoutMixedCollectionsLeadsToFullCollections() throws IOException {
        assertThat(diagnose(marking(0))).contains("mixed-behind");
        assertThat(diagnose(marking(4))).doesNotContain("mixed-behind");
    }

    private static String paced(int ms) {
        return "[0.001s][info][gc] Using Shenandoah\n"
                + times(
                        20,
                        i ->
                                text(
                                        """
                                        [%1$d.000s][info][gc,stats] Allocation pacing accrued:
                                        [%1$d.000s][info][gc,stats]   %2$5d of  1000 ms ( 10.0%%): http-1
                                        [%1$d.000s][info][gc,stats]   %2$5d of  1000 ms ( 10.0%%): <total>
                                        [%1$d.000s][info][gc,stats]   %2$5d of  1000 ms ( 10.0%%): <average total>
                                        """,
                                        i + 1, ms));
    }

    @Test
    void threadsHeldBackByShenandoahArePaced() throws IOException {
        assertThat(diagnose(paced(100))).contains("pacing");
        assertThat(diagnose(paced(0))).doesNotContain("pacing");
    }

    @Test
    void totalRowOfThePacingTableIsNoThread() throws IOException {
        Analysis a =
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(paced(100).getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);

        assertThat(a.stalls().count()).isEqualTo(20);
        assertThat(a.stopped().stallsMs()).isEqualTo(2000);
    }

    private static String generations(int youngK) {
        return times(
                20,
                i ->
                        text(
                                "%d.000: [GC %d.000: [ParNew: %dK->1K(%dK), 0.0010000 secs]"
                                        + " %dK->1001K(4000000K), 0.0010000 secs]%n%s",
                                20 * i + 1,
                                20 * i + 1,
                                youngK - 10,
                                youngK,
                                youngK + 990,
                                i == 19
                                        ? text(
                                                "500.0: [Full GC 500.0: [CMS: 1000K->1000K(%dK), 0.1"
                                                        + " secs] 1001K->1000K(4000000K), 0.1 secs]%n",
                                                4_000_000 - youngK)
                                        : ""));
    }

    @Test
    void youngGenerationOfFivePercentOfTheHeapIsReported() throws IOException {
        assertThat(diagnose(generations(200_000))).contains("generation-sizes");
        assertThat(diagnose(generations(1_000_000))).doesNotContain("generation-sizes");
    }

    private static String threads(int workers) {
        return "[0.001s][info][gc] Using G1\n[0.002s][info][gc,init] CPUs: 16 total, 16 available\n"
                + "[0.002s][info][gc,init] Parallel Workers: "
                + workers
                + "\n"
                + times(
                        20,
                        i ->
                                text(
                                        "[%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation"
                                                + " Pause) 300M->50M(1024M) 3.0ms%n",
                                        i + 1, i));
    }

    @Test
    void tooManyAndTooFewGcThreadsAreNamed() throws IOException {
        assertThat(diagnose(threads(2))).contains("gc-threads");
        assertThat(diagnose(threads(20))).contains("gc-threads");
        assertThat(diagnose(threads(13))).doesNotContain("gc-threads");
    }

    @Test
    void advisesZgcUncommitFlag() throws IOException {
        String log =
                "[0.001s][info][gc] Using The Z Garbage Collector\n"
                        + times(
                                40,
                                i ->
                                        text(
                                                "[%1$d.000s][info][gc] GC(%2$d) Major Collection"
                                                        + " (Timer)%n[%1$d.100s][info][gc,heap] GC(%2$d)"
                                                        + "  Capacity:   %3$dM (9%%)   %3$dM (9%%)%n"
                                                        + "[%1$d.200s][info][gc] GC(%2$d) Major"
                                                        + " Collection (Timer) 90M(9%%)->50M(5%%)%n",
                                                10 * i + 1, i, i % 2 == 0 ? 100 : 900));

        GcDiagnosis d =
                found(log).stream()
                        .filter(x -> x.id().equals("heap-resizing"))
                        .findFirst()
                        .orElseThrow();

        assertThat(String.join(" ", d.advice())).contains("-XX:-ZUncommit");
    }
}
