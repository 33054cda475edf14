package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Advice that would not help this log, and the advice that replaces it.
class CureTest {
    private static Optional<GcDiagnosis> find(String id, String log) throws IOException {
        Analysis a =
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);
        List<GcDiagnosis> all = Diagnoses.of(a, OptionalDouble.empty());
        return all.stream().filter(d -> d.id().equals(id)).findFirst();
    }

    private static GcDiagnosis get(String id, String log) throws IOException {
        return find(id, log).orElseThrow();
    }

    private static String times(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    private static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// CMS fails once a minute. Each full collection leaves this size of an old generation of 4 GB.
    private static String failing(long leftKilobytes) {
        return times(
                6,
                i ->
                        text(
                                "%1$d.000: [Full GC %1$d.000: [CMS (concurrent mode failure):"
                                        + " 3900000K->%2$dK(4000000K), 4.0 secs]"
                                        + " 4800000K->%2$dK(5000000K), 4.0100000 secs] [Times:"
                                        + " user=4.0 sys=0.0, real=4.01 secs]%n",
                                60 * (i + 1), leftKilobytes));
    }

    @Test
    void noEarlierCmsStartIfLiveSetFillsOld() throws IOException {
        assertThat(get("concurrent-mode-failure", failing(1_000_000)).advice().getFirst())
                .startsWith("start earlier");
        assertThat(get("concurrent-mode-failure", failing(3_600_000)).advice().getFirst())
                .startsWith("-Xmx8008m: 3.43 GiB alive fill 90 % of old (3.81 GiB)");
    }

    private static final String HEAD =
            "Java HotSpot(TM) 64-Bit Server VM (25.40-b25) for linux-amd64 JRE (1.8.0_40-b25)\n"
                    + "CommandLine flags: -XX:+UseConcMarkSweepGC";

    private static String remarks(String flags, String cpu) {
        return HEAD
                + flags
                + "\n"
                + times(
                        5,
                        i ->
                                text(
                                        "%1$d.000: [GC (CMS Final Remark) [YG occupancy: 10 K"
                                                + " (4660352 K)]%1$d.001: [Rescan (parallel) ,"
                                                + " 0.8000000 secs][1 CMS-remark: 1000K(90000K)]"
                                                + " 2000K(99000K), 0.9000000 secs] [Times: %2$s,"
                                                + " real=0.90 secs]%n",
                                        10 * i + 1, cpu));
    }

    @Test
    void remarkAdviceOmitsFlagsThatAreSet() throws IOException {
        String busy = "user=3.00 sys=0.01";

        assertThat(get("long-remark", remarks("", busy)).advice().getFirst())
                .startsWith("-XX:+ParallelRefProcEnabled");
        assertThat(
                        get(
                                        "long-remark",
                                        remarks(
                                                " -XX:+ParallelRefProcEnabled"
                                                        + " -XX:+CMSScavengeBeforeRemark",
                                                busy))
                                .advice())
                .noneMatch(text -> text.startsWith("-XX"));
        assertThat(get("long-remark", remarks("", "user=0.00 sys=0.90")).advice().getFirst())
                .isEqualTo("see the diagnosis system-time: the kernel took the time");
    }

    @Test
    void shortRemarksAreMinorFindings() throws IOException {
        String young =
                times(60, i -> text("%d.000: [GC pause (young), 0.2100000 secs]%n", 100 + 10 * i));
        String remark = times(5, i -> text("%d.000: [GC remark, 0.1500000 secs]%n", 1000 + 10 * i));

        assertThat(get("long-remark", young + remark).severity()).isEqualTo(Severity.INFO);
        assertThat(get("long-remark", remark).severity()).isEqualTo(Severity.WARNING);
    }

    private static String references(String head, double ms) {
        return head
                + times(
                        20,
                        i ->
                                text(
                                        "%d.000: [GC pause (G1 Evacuation Pause) (young), 0.1000000 secs]%n"
                                                + "   [Parallel Time: 30.0 ms, GC Workers: 2]%n"
                                                + "   [Other: 60.0 ms]%n"
                                                + "      [Ref Proc: %.1f ms]%n"
                                                + "      [Ref Enq: 1.0 ms]%n"
                                                + "   [Eden: 24.0M(24.0M)->0.0B(24.0M) Survivors:"
                                                + " 3072.0K->3072.0K Heap: 30.0M(256.0M)->8984.0K(256.0M)]%n",
                                        i + 1, ms));
    }

    @Test
    void reportsPausesOfReferenceProcessing() throws IOException {
        var d = get("reference-processing", references(HEAD + "\n", 39));

        assertThat(d.says()).isEqualTo("references take 40 % of the pauses, at most 39ms at once");
        assertThat(d.advice().getFirst()).startsWith("-XX:+ParallelRefProcEnabled");
        assertThat(
                        get(
                                        "reference-processing",
                                        references(HEAD + " -XX:+ParallelRefProcEnabled\n", 39))
                                .advice())
                .noneMatch(text -> text.startsWith("-XX:+Par"));
        assertThat(find("reference-processing", references(HEAD + "\n", 12))).isEmpty();
    }

    @Test
    void referencesAreReadFromUnifiedLogsToo() throws IOException {
        String log =
                times(
                        20,
                        i ->
                                text(
                                        "[%1$d.000s][debug][gc,phases] GC(%2$d)     Reference Processing:"
                                                + " 40.0ms%n"
                                                + "[%1$d.100s][info][gc] GC(%2$d) Pause Young (Normal)"
                                                + " (G1 Evacuation Pause) 24M->8M(256M) 100.000ms%n",
                                        i + 1, i));

        assertThat(get("reference-processing", log).evidence().getFirst().value())
                .isCloseTo(0.4, org.assertj.core.data.Offset.offset(1e-9));
    }

    private static String aborted(int beforeMegabytes) {
        return text(
                "20.000: [GC concurrent-mark-start]%n20.100: [Full GC (Allocation Failure) "
                        + " %dM->400M(4096M), 2.5000000 secs]%n22.600: [GC concurrent-mark-abort]%n"
                        + "90.000: [GC pause (young) 900M->400M(4096M), 0.0100000 secs]%n",
                beforeMegabytes);
    }

    @Test
    void markingIsNotLateInMostlyFreeHeap() throws IOException {
        assertThat(find("marking-too-late", aborted(4000))).isPresent();
        assertThat(find("marking-too-late", aborted(1300))).isEmpty();
    }

    private static String old(String generation) {
        return times(
                5,
                i ->
                        text(
                                "%d.000: [Full GC [PSYoungGen: 10K->0K(900000K)] [%s:"
                                        + " 3900000K->500000K(4000000K)] 3900010K->500000K(4900000K)"
                                        + " [PSPermGen: 10K->10K(90K)], 5.0100000 secs]%n",
                                1000 * (i + 1), generation));
    }

    @Test
    void recommendsParallelFlagForLongSerialFullCollections() throws IOException {
        assertThat(get("full-gc", old("PSOldGen")).advice())
                .anyMatch(text -> text.startsWith("-XX:+UseParallelOldGC"));
        // here the cause is the size of the live objects, not the number of threads
        assertThat(get("full-gc", old("PSOldGen").replace("->500000K", "->3600000K")).advice())
                .noneMatch(text -> text.contains("UseParallelOldGC"));
        assertThat(get("full-gc", old("ParOldGen")).advice())
                .noneMatch(text -> text.contains("UseParallelOldGC"));
    }

    private static String crowded(double pauseS) {
        return times(
                30,
                i ->
                        text(
                                "%1$d.000: [GC %1$d.000: [DefNew%nDesired survivor size 500000 bytes,"
                                        + " new threshold 1 (max 15)%n- age   1:  1000000 bytes, "
                                        + " 1000000 total%n: 9000K->1000K(10000K), %3$.7f secs]"
                                        + " %2$dK->%4$dK(90000K), %3$.7f secs]%n",
                                10 * (i + 1), 9000 + 500 * i, pauseS, 1500 + 500 * i));
    }

    @Test
    void prematurePromotionIsCriticalOnlyIfCostly() throws IOException {
        assertThat(get("premature-promotion", crowded(0.01)).severity())
                .isEqualTo(Severity.WARNING);
        assertThat(get("premature-promotion", crowded(0.6)).severity())
                .isEqualTo(Severity.CRITICAL);
    }

    private static String fulls(int ms) {
        return times(
                        5,
                        i ->
                                text(
                                        "[%d.000s][info][gc] GC(%d) Pause Full (Allocation Failure) 59M->6M(61M)"
                                                + " %d.000ms%n",
                                        10 * (i + 1), i, ms))
                + "[200.000s][info][gc] GC(9) Pause Young (Normal) (G1 Evacuation Pause)"
                + " 24M->8M(64M) 1.000ms\n";
    }

    @Test
    void cheapFullCollectionsAreNotCritical() throws IOException {
        assertThat(get("full-gc", "[0.010s][info][gc] Using G1\n" + fulls(14)).severity())
                .isEqualTo(Severity.WARNING);
        assertThat(get("full-gc", "[0.010s][info][gc] Using G1\n" + fulls(600)).severity())
                .isEqualTo(Severity.CRITICAL);
    }
}
