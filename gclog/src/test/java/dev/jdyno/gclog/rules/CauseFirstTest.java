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

/// Which diagnosis of a log comes first, and which claims are not made. Each case has the shape of
/// a real log that an earlier version judged wrongly.
class CauseFirstTest {
    private static List<GcDiagnosis> found(String log) throws IOException {
        Analysis a =
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);
        return Diagnoses.of(a, OptionalDouble.empty());
    }

    private static List<String> ids(String log) throws IOException {
        return found(log).stream().map(GcDiagnosis::id).toList();
    }

    private static Optional<GcDiagnosis> diagnosis(String log, String id) throws IOException {
        return found(log).stream().filter(d -> d.id().equals(id)).findFirst();
    }

    private static String times(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    private static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// A log with a full collection every `everyS` seconds.
    private static String fulls(int n, double everyS, double seconds, String cause) {
        return times(
                n,
                i ->
                        text(
                                "%1$.3f: [Full GC%3$s [PSYoungGen: 1000K->0K(90000K)] [ParOldGen:"
                                        + " 150000K->90000K(200000K)] 151000K->90000K(290000K),"
                                        + " %2$.7f secs] [Times: user=%2$.2f sys=0.00, real=%2$.2f"
                                        + " secs]%n",
                                1 + i * everyS, seconds, cause));
    }

    @Test
    void listsFullHeapBeforeItsPauses() throws IOException {
        String log =
                times(
                        60,
                        i ->
                                text(
                                        "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics)"
                                                + " 99M->98M(100M) 1500.0ms%n",
                                        2 * i + 2, i));

        assertThat(ids(log).getFirst()).isEqualTo("live-set");
        assertThat(ids(log)).contains("gc-overhead", "long-pause", "full-gc");
        assertThat(ids(log).indexOf("full-gc")).isLessThan(ids(log).indexOf("long-pause"));
    }

    @Test
    void reportsRareLongFullCollections() throws IOException {
        assertThat(ids(fulls(10, 1200, 4, ""))).contains("full-gc");
        assertThat(ids(fulls(10, 1200, 0.1, ""))).doesNotContain("full-gc");
        assertThat(diagnosis(fulls(10, 1200, 4, ""), "full-gc").orElseThrow().says())
                .isEqualTo("10 full collections, one every 18m, mostly: cause not in the log");
    }

    @Test
    void ignoresSingleShortFullCollection() throws IOException {
        assertThat(ids(fulls(1, 1, 0.05, ""))).doesNotContain("full-gc");
    }

    @Test
    void explicitCollectionsDoNotCountAsFull() throws IOException {
        String log = fulls(9, 5, 0.2, " (System.gc())") + fulls(4, 5, 0.2, " (Ergonomics)");

        assertThat(diagnosis(log, "full-gc").orElseThrow().says())
                .startsWith("4 full collections")
                .endsWith("mostly: Ergonomics");
    }

    @Test
    void severityOfSystemGcFollowsItsCost() throws IOException {
        String young =
                times(
                        40,
                        i ->
                                text(
                                        "%d.000: [GC (Allocation Failure) [PSYoungGen:"
                                                + " 90000K->0K(90000K)] 100000K->10000K(290000K),"
                                                + " 0.0010000 secs]%n",
                                        2000 + 60 * i));

        assertThat(
                        diagnosis(fulls(1, 1, 0.01, " (System.gc())") + young, "explicit-gc")
                                .orElseThrow()
                                .severity())
                .isNotEqualTo(Severity.CRITICAL);
        GcDiagnosis worst =
                found(fulls(1, 1, 26, " (System.gc())") + young).stream().findFirst().orElseThrow();
        assertThat(worst.id()).isEqualTo("explicit-gc");
        assertThat(worst.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(worst.says()).startsWith("System.gc() was called once, 26s of pauses");
    }

    @Test
    void aPauseThatWaitedForACpuIsNotCalledCopying() throws IOException {
        String log =
                times(
                        20,
                        i ->
                                text(
                                        "%1$d.000: [GC [PSYoungGen: 90000K->900K(90000K)]"
                                                + " 100000K->10000K(290000K), %2$.4f secs] [Times:"
                                                + " user=0.02 sys=0.01, real=%2$.2f secs]%n",
                                        100 * i + 1, i == 10 ? 22.79 : 0.02));

        assertThat(ids(log).getFirst()).isEqualTo("cpu-starved");
        assertThat(diagnosis(log, "long-pause").orElseThrow().advice().getFirst())
                .startsWith("see the diagnosis cpu-starved");
    }

    @Test
    void fullPermanentGenerationCausesFullCollection() throws IOException {
        String log =
                text(
                        "3.010: [Full GC 3.010: [CMS: 0K->4727K(2621440K), 0.2243070 secs]"
                                + " 553815K->4727K(4037056K), [CMS Perm : 21246K->21212K(21248K)],"
                                + " 0.2245780 secs]%n"
                                + "763.069: [GC 763.070: [ParNew: 1258368K->93915K(1415616K),"
                                + " 0.1425690 secs] 1264865K->100412K(4037056K), 0.1428770"
                                + " secs]%n");

        assertThat(ids(log)).contains("metaspace-gc").doesNotContain("full-gc");
        assertThat(diagnosis(log, "metaspace-gc").orElseThrow().advice().getFirst())
                .startsWith("-XX:PermSize=26m -XX:MaxPermSize=26m");
    }

    @Test
    void fullOldGenerationIsNoPermanentGenerationFault() throws IOException {
        String log =
                text(
                        "3.010: [Full GC 3.010: [CMS: 2600000K->2500000K(2621440K), 2.2243070 secs]"
                                + " 3553815K->2500000K(4037056K), [CMS Perm :"
                                + " 21246K->21212K(21248K)], 2.2245780 secs]%n");

        assertThat(ids(log)).contains("full-gc").doesNotContain("metaspace-gc");
    }

    @Test
    void classesLoadedAtStartAreNoLoaderLeak() throws IOException {
        String starting = metaspace(i -> i < 10 ? 10 * (i + 1) : 100);
        String leaking = metaspace(i -> 10 + 2 * i);

        assertThat(ids(starting)).doesNotContain("metaspace-gc");
        assertThat(diagnosis(leaking, "metaspace-gc").orElseThrow().severity())
                .isEqualTo(Severity.WARNING);
    }

    private static String metaspace(IntFunction<Integer> mebibytes) {
        return times(
                60,
                i ->
                        text(
                                "[%1$d.000s][info][gc,metaspace] GC(%2$d) Metaspace:"
                                        + " %3$dK(200000K)->%3$dK(200000K)%n"
                                        + "[%1$d.000s][info][gc] GC(%2$d) Pause Young (Normal) (G1"
                                        + " Evacuation Pause) 50M->10M(200M) 2.0ms%n",
                                60 * i + 1, i, 1024 * mebibytes.apply(i)));
    }

    @Test
    void parallelsOwnThresholdIsNoPrematurePromotion() throws IOException {
        assertThat(ids(promoting(30, 200))).doesNotContain("premature-promotion");
        assertThat(ids(promoting(30, 9000))).contains("premature-promotion");
        assertThat(ids(promoting(2, 9000))).doesNotContain("premature-promotion");
    }

    private static String promoting(int n, int kilobytesEach) {
        return times(
                n,
                i ->
                        text(
                                "%1$d.000: [GC%n"
                                        + "Desired survivor size 10000000 bytes, new threshold 7"
                                        + " (max 15)%n"
                                        + " [PSYoungGen: 90000K->1000K(90000K)]"
                                        + " %2$dK->%3$dK(9900000K), 0.0010000 secs]%n",
                                1 + 10 * i,
                                90_000 + i * kilobytesEach,
                                1_000 + (i + 1) * kilobytesEach));
    }

    @Test
    void advisedYoungGenerationHasAtMostAModerateSize() throws IOException {
        String log =
                times(
                        400,
                        i ->
                                text(
                                        "%1$.3f: [GC [PSYoungGen: 90000K->1000K(90000K)]"
                                                + " 91000K->2000K(290000K), 0.0020000 secs]%n",
                                        1 + 0.04 * i));

        GcDiagnosis d = diagnosis(log, "young-too-small").orElseThrow();

        // 25 collections a second take 5 % of the run. Two a second would need fifty times the
        // size.
        assertThat(d.advice().getFirst()).startsWith("-Xmn352m");
    }

    @Test
    void advisesFlagsOfJdk8ForItsLogs() throws IOException {
        String log = fulls(3, 100, 0.1, "");

        assertThat(found(log).stream().flatMap(d -> d.advice().stream()))
                .anyMatch(text -> text.contains("PrintGCApplicationStoppedTime"))
                .noneMatch(text -> text.contains("-Xlog"));
    }

    @Test
    void leakThatFillsTheHeapInDaysIsAWarning() throws IOException {
        assertThat(diagnosis(growing(2, 900), "leak").orElseThrow().severity())
                .isEqualTo(Severity.WARNING);
        assertThat(diagnosis(growing(20, 1600), "leak").orElseThrow().severity())
                .isEqualTo(Severity.CRITICAL);
    }

    /// A log with full collections every hour for two days. Each leaves this number of MiB more.
    private static String growing(int mebibytes, int heapMebibytes) {
        return times(
                48,
                i ->
                        text(
                                "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics) %dM->%dM(%dM)"
                                        + " 100.0ms%n",
                                3600 * (i + 1),
                                i,
                                450 + i * mebibytes,
                                400 + i * mebibytes,
                                heapMebibytes));
    }
}
