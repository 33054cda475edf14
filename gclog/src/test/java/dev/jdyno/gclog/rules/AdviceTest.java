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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The severity that a rule gives its finding, and whether its advice fits the heap of the log.
class AdviceTest {
    private static List<GcDiagnosis> found(String log) throws IOException {
        return Diagnoses.of(
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT),
                OptionalDouble.empty());
    }

    private static Optional<GcDiagnosis> diagnosis(String log, String id) throws IOException {
        return found(log).stream().filter(d -> d.id().equals(id)).findFirst();
    }

    private static GcDiagnosis only(String log, String id) throws IOException {
        return diagnosis(log, id).orElseThrow();
    }

    private static String times(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    private static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// A young collection of 392 MB of Eden every ten seconds. Each leaves `left` KiB.
    private static String parNew(int n, IntFunction<Integer> left) {
        return times(
                n,
                i ->
                        text(
                                "%1$d.000: [GC %1$d.000: [ParNew: 440896K->%2$dK(440896K), 0.1000000"
                                        + " secs] %3$dK->%4$dK(4145344K), 0.1010000 secs]%n",
                                10 * (i + 1),
                                left.apply(i),
                                600_000 + 10_000 * i,
                                220_000 + 10_000 * i));
    }

    @Test
    void equallyFullSurvivorSpacesCountAsFullWithoutAgeTable() throws IOException {
        GcDiagnosis d = only(parNew(20, i -> 48_960 - i % 2), "survivor-overflow");

        assertThat(d.says()).contains("100 %");
        assertThat(d.advice()).anySatisfy(a -> assertThat(a).contains("(now 47.8 MiB)"));
    }

    @Test
    void varyingSurvivorsOrFewCollectionsShowNoFullSpace() throws IOException {
        assertThat(diagnosis(parNew(20, i -> 30_000 + 700 * i % 9_000), "survivor-overflow"))
                .isEmpty();
        assertThat(diagnosis(parNew(9, i -> 48_960), "survivor-overflow")).isEmpty();
        // Parallel changes the size of its survivor spaces
        assertThat(
                        diagnosis(
                                times(
                                        20,
                                        i ->
                                                text(
                                                        "%d.000: [GC [PSYoungGen:"
                                                                + " 440896K->48960K(440896K)]"
                                                                + " %dK->%dK(4145344K), 0.1 secs]%n",
                                                        10 * (i + 1),
                                                        600_000 + 10_000 * i,
                                                        220_000 + 10_000 * i)),
                                "survivor-overflow"))
                .isEmpty();
    }

    private static String fulls(int n, double everyS, double ms, String others) {
        return times(
                n,
                i ->
                        text(
                                "%.3f: [Full GC [PSYoungGen: 400000K->0K(900000K)] [ParOldGen:"
                                        + " 2900000K->100000K(3000000K)] 3300000K->100000K(3900000K),"
                                        + " %.7f secs]%n%s",
                                everyS * (i + 1), ms / 1000, others));
    }

    @Test
    void cheapFrequentFullCollectionsAreNotCritical() throws IOException {
        assertThat(only(fulls(16, 14, 50, ""), "full-gc").severity()).isEqualTo(Severity.WARNING);
        assertThat(only(fulls(16, 14, 300, ""), "full-gc").severity()).isEqualTo(Severity.CRITICAL);
    }

    @Test
    void doesNotReportUnpromotedBytesAsFillingOld() throws IOException {
        String little =
                times(
                        20,
                        i ->
                                text(
                                        "%d.000: [GC [PSYoungGen: 500000K->1000K(900000K)]"
                                                + " 600000K->101010K(3900000K), 0.0100000 secs]%n",
                                        i + 1));
        String log =
                little
                        + "21.000: [Full GC [PSYoungGen: 400000K->0K(900000K)] [ParOldGen:"
                        + " 2900000K->100000K(3000000K)] 3300000K->100000K(3900000K), 1.2 secs]\n";

        assertThat(only(log, "full-gc").advice().getFirst())
                .contains("promoted only")
                .contains("arrays too large for Eden");
    }

    /// A young collection of 300 MB every 100 ms, each of which takes `ms`; 20 MB are live.
    private static String young(double ms) {
        return times(
                        100,
                        i ->
                                text(
                                        "%.3f: [GC [PSYoungGen: 307200K->1000K(308224K)]"
                                                + " 327200K->21000K(458752K), %.7f secs]%n",
                                        1 + 0.1 * i, ms / 1000))
                + "11.5: [Full GC [PSYoungGen: 1000K->0K(308224K)] [ParOldGen:"
                + " 20000K->20000K(150528K)] 21000K->20000K(458752K), 0.01 secs]\n";
    }

    @Test
    void smallYoungGenerationNeedsCostlyCollections() throws IOException {
        assertThat(only(young(2), "young-too-small").severity()).isEqualTo(Severity.INFO);
        assertThat(only(young(8), "young-too-small").severity()).isEqualTo(Severity.WARNING);
    }

    @Test
    void aLargerYoungGenerationLeavesOldItsSize() throws IOException {
        String advice = only(young(8), "young-too-small").advice().getFirst();

        var sizes = java.util.regex.Pattern.compile("-Xmn(\\d+)m -Xmx(\\d+)m").matcher(advice);
        assertThat(sizes.find()).as(advice).isTrue();
        assertThat(Integer.parseInt(sizes.group(2)) - Integer.parseInt(sizes.group(1)))
                .isBetween(110, 150);
    }

    @ParameterizedTest
    @CsvSource({"1100, 330, true", "1100, 3, false", "20, 1.9, false", "20, 2.1, true"})
    void aFullCollectionSlowerThanADiskIsSwapping(long megabytes, double seconds, boolean paged)
            throws IOException {
        long before = megabytes * 1000;
        String log =
                fulls(1, 10, 500, "")
                        + text(
                                "%1$d.000: [Full GC [PSYoungGen: 10K->0K(900000K)] [PSOldGen:"
                                        + " %2$dK->100K(3000000K)] %2$dK->100K(3900000K), %3$.7f"
                                        + " secs]%n",
                                1000, before, seconds);

        assertThat(diagnosis(log, "physical-memory").isPresent()).isEqualTo(paged);
    }

    @Test
    void slowFullCollectionWithFullCpuUseDidNotSwap() throws IOException {
        String slow =
                "1000.000: [Full GC [PSYoungGen: 10K->0K(900000K)] [PSOldGen:"
                        + " 1100000K->100K(3000000K)] 1100010K->100K(3900000K), 330.0000000 secs]";

        assertThat(
                        diagnosis(
                                slow + " [Times: user=329.00 sys=0.20, real=330.00 secs]\n",
                                "physical-memory"))
                .isEmpty();
        assertThat(
                        diagnosis(
                                slow + " [Times: user=3.00 sys=6.20, real=330.00 secs]\n",
                                "physical-memory"))
                .isPresent();
    }

    @Test
    void countsSystemGcOnceDespiteTwoCollections() throws IOException {
        String log =
                times(
                        5,
                        i ->
                                text(
                                        "%1$d.000: [GC (System.gc()) [PSYoungGen:"
                                                + " 1000K->100K(76800K)] 5000K->4100K(251392K),"
                                                + " 0.0010000 secs]%n%1$d.002: [Full GC (System.gc())"
                                                + " [PSYoungGen: 100K->0K(76800K)] [ParOldGen:"
                                                + " 4000K->4000K(174592K)] 4100K->4000K(251392K),"
                                                + " 0.0200000 secs]%n",
                                        10 * (i + 1)));

        assertThat(only(log, "explicit-gc").says()).contains("called 5 times");
    }

    @Test
    void showsMedianPauseNextToLongestIfLong() throws IOException {
        assertThat(only(parNewPauses(1.4, 1.5), "long-pause").says()).contains("half of all 1.4s");
        assertThat(only(parNewPauses(0.02, 1.5), "long-pause").says()).doesNotContain("half");
    }

    private static String parNewPauses(double usual, double longest) {
        return times(
                20,
                i ->
                        text(
                                "%1$d.000: [GC %1$d.000: [ParNew: 440896K->%2$dK(440896K), 0.1 secs]"
                                        + " 600000K->220000K(4145344K), %3$.7f secs]%n",
                                100 * (i + 1), 30_000 + 500 * i, i == 10 ? longest : usual));
    }

    @Test
    void slowStartIsNotCritical() throws IOException {
        GcDiagnosis start = only(fulls(10, 0.4, 150, ""), "gc-overhead");

        assertThat(start.severity()).isEqualTo(Severity.WARNING);
        assertThat(start.says()).contains("of the 3.75s").contains("that the log covers");
        assertThat(only(fulls(20, 0.4, 150, ""), "gc-overhead").severity())
                .isEqualTo(Severity.CRITICAL);
    }

    private static String aging(int max, long ageOne, long older, int threshold) {
        return times(
                30,
                i ->
                        text(
                                "%1$d.000: [GC %1$d.000: [ParNew%nDesired survivor size 70000000"
                                        + " bytes, new threshold %2$d (max %3$d)%n- age 1: %4$d bytes,"
                                        + " 1 total%n- age 2: %5$d bytes, 1 total%n:"
                                        + " 1100000K->80000K(1258304K), 0.1 secs]"
                                        + " %6$dK->%7$dK(4054528K), 0.1010000 secs]%n",
                                10 * (i + 1),
                                threshold,
                                max,
                                ageOne,
                                older,
                                1_100_000 + 30_000 * i,
                                140_000 + 30_000 * i));
    }

    @Test
    void neverShrinksSurvivorsAgainstPrematurePromotion() throws IOException {
        GcDiagnosis older = only(aging(4, 30_000_000, 60_000_000, 2), "premature-promotion");

        assertThat(older.advice())
                .anySatisfy(a -> assertThat(a).contains("survivors of 267 MiB (now 134 MiB)"));
        GcDiagnosis young = only(aging(4, 90_000_000, 20_000_000, 1), "premature-promotion");
        assertThat(young.advice())
                .anySatisfy(a -> assertThat(a).contains("survivors of 172 MiB (now 134 MiB)"));
    }

    @Test
    void capsTenuringThresholdAtFifteen() throws IOException {
        assertThat(diagnosis(aging(32, 30_000_000, 60_000_000, 16), "premature-promotion"))
                .isEmpty();
    }

    @Test
    void fewAgeTablesGiveNoSurvivorAdvice() throws IOException {
        String all = aging(4, 90_000_000, 60_000_000, 1);

        assertThat(diagnosis(all, "survivor-overflow")).isPresent();
        assertThat(diagnosis(all.substring(0, all.indexOf("50.000:")), "survivor-overflow"))
                .isEmpty();
    }

    @Test
    void permanentGenerationGetsNoMetaspaceFlags() throws IOException {
        String log =
                times(
                        20,
                        i ->
                                text(
                                        "%1$d.000: [Full GC [PSYoungGen: 10K->0K(900000K)]"
                                                + " [PSOldGen: 5000K->5000K(3000000K)]"
                                                + " 5010K->5000K(3900000K) [PSPermGen:"
                                                + " %2$dK->%2$dK(400000K)], 0.1000000 secs]%n",
                                        100 * (i + 1), 50_000 + 10_000 * i));

        GcDiagnosis d = only(log, "metaspace-gc");

        assertThat(d.says()).startsWith("the permanent generation grew");
        assertThat(d.advice().getFirst()).startsWith("-XX:PermSize=");
    }

    @Test
    void recommendsLargerInitialHeapIfHeapDidNotGrow() throws IOException {
        String head =
                "Java HotSpot(TM) 64-Bit Server VM (25.5-b02) for linux-amd64 JRE (1.8.0_05-b13),"
                        + " built on Mar 18 2014\nCommandLine flags: -XX:InitialHeapSize=268435456"
                        + " -XX:MaxHeapSize=4294967296 -XX:+PrintGC -XX:+UseParallelGC\n";
        String log =
                head
                        + times(
                                20,
                                i ->
                                        text(
                                                "%d.000: [Full GC (Ergonomics) [PSYoungGen:"
                                                        + " 50000K->0K(60000K)] [ParOldGen:"
                                                        + " 190000K->80000K(200000K)]"
                                                        + " 240000K->80000K(260000K), 0.5000000 secs]%n",
                                                i + 1));

        GcDiagnosis d = only(log, "gc-overhead");

        assertThat(d.advice()).anySatisfy(a -> assertThat(a).contains("-Xms430m"));
        assertThat(d.heapBytes().orElseThrow()).isLessThan(1e9);
    }
}
