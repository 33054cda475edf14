package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcIllness;
import dev.jdyno.report.InOrder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GcPageTest {
    private static final Path LOGS = Path.of("../gclog/src/test/resources/gclog");

    static Stream<Path> logs() throws IOException {
        try (var files = Files.list(LOGS)) {
            return files.filter(f -> f.toString().endsWith(".log.gz")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void everyCollectorsLogGivesAPage(Path log) {
        Analysis analysis = read(log);

        String page = HtmlReport.render(page(analysis));

        assertThat(page)
                .contains("<p class=\"culprit\">" + analysis.collector().key())
                .contains("<td class=\"n\">" + analysis.pauses().count() + "</td>")
                .contains("The worst windows")
                .doesNotContain("NaN", "Optional[", "Optional.empty");
    }

    @Test
    void figuresHaveReadableUnits() {
        GcPage page = page(read(LOGS.resolve("jdk25-g1.log.gz")));

        assertThat(page.figure(1_288_490_189, "B")).isEqualTo("1.20 GiB");
        assertThat(page.figure(10_524_478, "B/s")).isEqualTo("10.0 MiB/s");
        assertThat(page.figure(403_282, "ms")).isEqualTo("6m 43s");
        assertThat(page.figure(3_712, "ms")).isEqualTo("3712 ms");
        assertThat(page.figure(5.5, "1/h")).isEqualTo("5.5 1/h");
        assertThat(page.figure(0.73, "")).isEqualTo("0.73");
    }

    @Test
    void windowsLongerThanTheLogAreNotShown() {
        GcPage page = page(read(LOGS.resolve("jdk25-g1.log.gz")));

        assertThat(page.analysis().stopped().worst()).isNotEmpty();
        assertThat(page.worst()).allMatch(w -> w.seconds() <= page.analysis().spanS());
    }

    @Test
    void drawsHeapBeforeAndAfterCollectionsInMebibytes() {
        Chart heap = GcCharts.heap(read(LOGS.resolve("jdk25-g1.log.gz")).collections(), true);

        assertThat(heap.series())
                .extracting(Chart.Series::name)
                .containsExactly("capacity", "before", "after");
        for (var series : heap.series()) {
            assertThat(series.points()).extracting(Chart.Point::x).isSorted();
            assertThat(series.points()).allMatch(p -> p.y() > 0 && p.y() < 4096);
        }
    }

    @Test
    void pausesAreDrawnOnceEachByTheirKind() {
        Analysis analysis = read(LOGS.resolve("jdk25-g1.log.gz"));

        Chart pauses = GcCharts.pauses(analysis.collections(), true);

        long drawn = pauses.series().stream().mapToLong(s -> s.points().size()).sum();
        assertThat(drawn)
                .isEqualTo(analysis.series().stream().filter(p -> p.pauseMs() > 0).count());
        assertThat(pauses.series().getFirst().name()).isEqualTo("young");
    }

    @Test
    void allocationPerRequestFollowsFromTheGivenQps() {
        Analysis analysis = read(LOGS.resolve("jdk25-g1.log.gz"));
        double alloc = analysis.allocBytesPerS().orElseThrow();

        var page = new GcPage(analysis, List.of(), OptionalDouble.of(100), "0.1.0");

        assertThat(page.requestBytes()).hasValue(alloc / 100);
    }

    @Test
    void aLogsHostileLinesAreShownAndNotObeyed() throws IOException {
        String evil = "<script>document.title='owned'</script>";
        String text =
                "[0.010s][info][gc] Using G1\n"
                        + "[1.000s][info][gc] GC(0) Pause Young (Normal) ("
                        + evil
                        + ") 24M->4M(256M) 3.000ms\n"
                        + "[2.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause)"
                        + " 24M->4M(256M) 3.000ms\n"
                        + "[2.100s][info][gc] GC(2) Pause "
                        + evil
                        + "\n";
        var in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        Analysis analysis = GcLog.read(evil, in, GcLog.Options.DEFAULT);

        String page = HtmlReport.render(page(analysis));

        assertThat(page).contains("&lt;script&gt;document").doesNotContain("<script>document");
    }

    @Test
    void listsDiagnosesWorstFirstWithFiguresAndLines() {
        var small = diagnosis(GcIllness.FLAGS, GcDiagnosis.Severity.INFO);
        var large = diagnosis(GcIllness.LEAK, GcDiagnosis.Severity.CRITICAL);
        var analysis = read(LOGS.resolve("jdk25-g1.log.gz"));

        String page =
                HtmlReport.render(
                        new GcPage(
                                analysis, List.of(small, large), OptionalDouble.empty(), "0.1.0"));

        assertThat(page)
                .has(
                        InOrder.of(
                                "<article class=\"finding critical\">",
                                "says leak &lt;b&gt;",
                                "<b>12.5 %</b></td><td class=\"n\">10 %</td>",
                                "7, 9",
                                "<li>raise -Xmn</li>",
                                "Predicted: half of it.",
                                "See that it helped: run again",
                                "<article class=\"finding info\">"));
    }

    private static GcDiagnosis diagnosis(GcIllness illness, GcDiagnosis.Severity severity) {
        var evidence = new GcDiagnosis.Evidence("share", 12.5, "%", 10, List.of(7L, 9L));
        return new GcDiagnosis(
                illness,
                severity,
                "says " + illness.key() + " <b>",
                "why",
                List.of(evidence),
                List.of(GcAdvice.words("raise -Xmn")),
                "run again",
                Optional.of("half of it"));
    }

    private static GcPage page(Analysis analysis) {
        return new GcPage(analysis, List.of(), OptionalDouble.empty(), "0.1.0");
    }

    private static Analysis read(Path log) {
        return GcLog.read(List.of(log), GcLog.Options.DEFAULT);
    }
}
