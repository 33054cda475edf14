package dev.jdyno.gclog.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcIllness;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DiagnosesTest {
    private static final Path FIXTURES = Path.of("src/test/resources/gclog");

    static Stream<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(FIXTURES)) {
            return files.filter(f -> f.toString().endsWith(".gz")).sorted().toList().stream();
        }
    }

    private static Analysis analysis(String text) throws IOException {
        return GcLog.read(
                "test",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                GcLog.Options.DEFAULT);
    }

    private static List<GcDiagnosis> diagnose(String text) throws IOException {
        return Diagnoses.of(analysis(text), OptionalDouble.empty());
    }

    private static String times(int n, IntFunction<String> line) {
        return IntStream.range(0, n).mapToObj(line).collect(Collectors.joining());
    }

    private static String text(String format, Object... args) {
        return String.format(java.util.Locale.ROOT, format, args);
    }

    @ParameterizedTest
    @MethodSource("logs")
    void everyRuleGivesPlausibleResultOnEveryLog(Path log) {
        Analysis a = GcLog.read(List.of(log), GcLog.Options.DEFAULT);

        assertThat(Diagnoses.findings(a, OptionalDouble.of(100)))
                .hasSize(GcIllness.values().length);
        for (GcDiagnosis d : Diagnoses.of(a, OptionalDouble.of(100))) {
            String all = d.says() + d.why() + d.advice() + d.verify() + d.evidence();
            assertThat(all).doesNotContain("NaN", "Infinity", "-Xmx0", "-Xmn0", "=0m", "Optional");
            assertThat(d.evidence()).as(d.id()).isNotEmpty();
            assertThat(d.advice()).as(d.id()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void adviceNamesNoFlagOfAnotherCollector(Path log) {
        Analysis a = GcLog.read(List.of(log), GcLog.Options.DEFAULT);

        for (GcDiagnosis d : Diagnoses.of(a, OptionalDouble.empty())) {
            String advice = String.join(" ", d.advice());
            switch (a.collector()) {
                case G1 ->
                        assertThat(advice)
                                .doesNotContain("NewRatio=", "-Xmn1", "CMSInit", "Shenandoah");
                case ZGC -> assertThat(advice).doesNotContain("SurvivorRatio", "G1", "-Xmn", "CMS");
                case SHENANDOAH ->
                        assertThat(advice).doesNotContain("SurvivorRatio", "G1H", "-Xmn", "CMS");
                default -> assertThat(advice).doesNotContain("G1HeapRegionSize", "Shenandoah");
            }
        }
    }

    @Test
    void quietLogHasNoFindings() throws IOException {
        String log =
                "[0.001s][info][gc,init] CPUs: 4 total, 4 available\n"
                        + "[0.001s][info][gc] Using G1\n"
                        + times(
                                60,
                                i ->
                                        text(
                                                "[%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1"
                                                        + " Evacuation Pause) 300M->50M(1024M)"
                                                        + " 3.0ms\n",
                                                1 + 10 * i, i));

        assertThat(diagnose(log)).extracting(GcDiagnosis::id).containsOnly("log");
    }

    @Test
    void onlyRisingFloorsAreALeak() throws IOException {
        IntFunction<String> growing =
                i ->
                        text(
                                "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics) %dM->%dM(1024M)"
                                        + " 50.0ms\n",
                                100 * (i + 1), i, 600 + 20 * i, 200 + 20 * i);
        IntFunction<String> level =
                i ->
                        text(
                                "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics)"
                                        + " 600M->%dM(1024M) 50.0ms\n",
                                100 * (i + 1), i, 200 + 7 * (i % 3));

        assertThat(diagnose(times(20, growing))).extracting(GcDiagnosis::id).contains("leak");
        assertThat(diagnose(times(20, level))).extracting(GcDiagnosis::id).doesNotContain("leak");
        Analysis a = analysis(times(20, growing));
        assertThat(a.heap().trend().orElseThrow().perS())
                .isCloseTo(
                        20.0 * (1 << 20) / 100, org.assertj.core.data.Percentage.withPercentage(1));
    }

    @Test
    void leakIsStillNamedWhenTheHeapIsFull() throws IOException {
        String log =
                times(
                        60,
                        i ->
                                text(
                                        "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics)"
                                                + " 1000M->%dM(1024M) 50.0ms\n",
                                        10 * (i + 1), i, Math.min(990, 200 + 50 * i)));

        GcDiagnosis leak =
                diagnose(log).stream().filter(d -> d.id().equals("leak")).findFirst().orElseThrow();

        assertThat(leak.says()).contains("the heap is nearly full since line 14");
    }

    @Test
    void heapFullFromStartIsNoLeak() throws IOException {
        IntFunction<String> full =
                i ->
                        text(
                                "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics)"
                                        + " 1000M->%dM(1024M) 50.0ms\n",
                                10 * (i + 1), i, 980 + i % 3);

        assertThat(diagnose(times(60, full))).extracting(GcDiagnosis::id).doesNotContain("leak");
    }

    @Test
    void fullCollectionsOfParallelAreNotExplainedByCms() throws IOException {
        String log =
                times(
                        30,
                        i ->
                                text(
                                        "%1$d.000: [GC-- [PSYoungGen: 90000K->90000K(100000K)]"
                                                + " 300000K->310000K(400000K), 0.1000000 secs]%n"
                                                + "%1$d.500: [Full GC [PSYoungGen: 90000K->0K(100000K)]"
                                                + " [ParOldGen: 210000K->150000K(300000K)]"
                                                + " 300000K->150000K(400000K), 0.3000000 secs]%n",
                                        10 + i));

        GcDiagnosis full =
                diagnose(log).stream()
                        .filter(d -> d.id().equals("full-gc"))
                        .findFirst()
                        .orElseThrow();

        assertThat(full.advice().toString())
                .contains("promotion failed")
                .doesNotContain("concurrent-mode-failure");
    }

    @Test
    void stallsAreNamedAlthoughPausesAreExcellent() throws IOException {
        String log =
                "[0.001s][info][gc] Using The Z Garbage Collector\n"
                        + times(
                                20,
                                i ->
                                        text(
                                                "[%d.000s][info][gc] Allocation Stall (http-%d)"
                                                        + " 48.5ms\n",
                                                1 + i, i));

        List<GcDiagnosis> found = diagnose(log);

        assertThat(found.getFirst().id()).isEqualTo("allocation-stall");
        assertThat(found.getFirst().evidence().getFirst().lines()).contains(2L);
    }

    @Test
    void survivorsThatDoNotFitCausePrematurePromotion() throws IOException {
        String log =
                times(
                        30,
                        i ->
                                text(
                                        """
                                        %1$d.000: [GC (Allocation Failure) %1$d.000: [ParNew
                                        Desired survivor size 150000000 bytes, new threshold 1 (max 6)
                                        - age   1:  289000000 bytes,  289000000 total
                                        : 900000K->290000K(1000000K), 0.1000000 secs] %2$dK->%3$dK(4000000K), 0.1010000 secs] [Times: user=0.40 sys=0.00, real=0.10 secs]
                                        """,
                                        10 + 10 * i, 1000000 + 50000 * i, 440000 + 50000 * i));

        List<GcDiagnosis> found = diagnose(log);

        assertThat(found).extracting(GcDiagnosis::id).contains("premature-promotion");
    }

    @Test
    void mostlyTornLogGetsNoDiagnosis() throws IOException {
        String log =
                times(
                        10,
                        i ->
                                text(
                                        "[%d.0s][info][gc] GC(%d) Pause Full (Ergonomics) 9M->8M(10M)"
                                                + " 900.0ms\n[%d.5s][info][gc] GC(%d) Pause You\n",
                                        i, i, i, i));

        Analysis a = analysis(log);

        assertThat(Diagnoses.isWithheld(a)).isTrue();
        assertThat(Diagnoses.of(a, OptionalDouble.empty())).isEmpty();
    }

    @Test
    void everyRuleHasItsOwnName() {
        assertThat(GcIllness.values()).extracting(GcIllness::key).doesNotHaveDuplicates();
    }
}
