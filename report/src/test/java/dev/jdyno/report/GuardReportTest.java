package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Note.NotInBudget.Step;
import dev.jdyno.guard.FigureRow;
import dev.jdyno.guard.Guarded;
import dev.jdyno.guard.Verdict;
import dev.jdyno.history.Commit;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Bottleneck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GuardReportTest {
    private static FigureRow row(Metric metric, double ratio, Verdict verdict) {
        return new FigureRow(
                metric,
                Optional.of(2 * ratio),
                Optional.of(2.0),
                Optional.of(ratio),
                Optional.of(new Interval(ratio * 0.98, ratio * 1.02)),
                verdict,
                verdict == Verdict.WORSE
                        ? Optional.of(
                                new FigureRow.Since(
                                        Optional.of("20261108-060000-aaaa"),
                                        Instant.parse("2026-11-08T06:00:00Z"),
                                        Optional.of(new Commit("b".repeat(40), Optional.empty())),
                                        Optional.of(new Commit("a".repeat(40), Optional.empty()))))
                        : Optional.empty());
    }

    private static Guarded guarded(
            Guarded.Overall verdict, Optional<Bottleneck> movedFrom, FigureRow... rows) {
        return new Guarded(
                "shop <&\" \u001b[31m",
                verdict,
                Guarded.Mode.HISTORY,
                List.of(rows),
                Optional.of(Bottleneck.LOCK),
                movedFrom,
                List.of(new Guarded.Grew("com.acme.Price.of", 1, 1.5)),
                List.of(new Guarded.Allocates("com.acme.Page.render", 20_000, 28_000)),
                8,
                true,
                List.of(new Guarded.Measurement(1.9, List.of(Map.of(Metric.CPU, 2.625)))),
                Optional.of(1.1),
                false,
                120,
                List.of());
    }

    private static Document xml(Guarded g) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(
                        new ByteArrayInputStream(
                                GuardReport.junit(g).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void junitHasOneCasePerFigureAndFailsRegressions() throws Exception {
        Document xml =
                xml(
                        guarded(
                                Guarded.Overall.REGRESSION,
                                Optional.empty(),
                                row(Metric.CPU, 1.05, Verdict.WORSE),
                                row(Metric.QPS, 1, Verdict.OK),
                                row(Metric.P99, 1, Verdict.UNCLEAR)));
        Element suite = xml.getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("4");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(xml.getElementsByTagName("testcase").getLength()).isEqualTo(4);
        assertThat(xml.getElementsByTagName("failure").getLength()).isEqualTo(1);
    }

    @Test
    void suspectFigureWithoutTimeToMeasureAgainIsSkipped() throws Exception {
        Guarded g = withoutTime(Step.SECOND, false, row(Metric.CPU, 1.054, Verdict.SUSPECT));

        Element suite = xml(g).getDocumentElement();
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(GuardReport.terminal(g)).contains("× 1.054", "--budget 19m", "suspect");
        JsonNode json = JsonMapper.shared().readTree(GuardReport.json(g));
        assertThat(json.get("verdict").asString()).isEqualTo("unclear");
        assertThat(json.get("confirmed").asBoolean()).isFalse();
        assertThat(json.get("figures").get(0).get("verdict").asString()).isEqualTo("suspect");
    }

    @Test
    void budgetTooShortForAVerdictIsNamedWithABudgetThatSuffices() {
        Guarded g = withoutTime(Step.FIRST, true);

        assertThat(GuardReport.terminal(g)).contains("6m", "--budget 19m");
        assertThat(GuardReport.markdown(g)).contains("--budget 19m");
    }

    private static Guarded withoutTime(Step step, boolean partial, FigureRow... rows) {
        return new Guarded(
                "shop",
                Guarded.Overall.UNCLEAR,
                Guarded.Mode.REFERENCE,
                List.of(rows),
                partial ? Optional.empty() : Optional.of(Bottleneck.LOCK),
                Optional.empty(),
                List.of(),
                List.of(),
                0,
                false,
                List.of(),
                Optional.empty(),
                partial,
                120,
                List.of(
                        new Note.NotInBudget(
                                step, 4, Duration.ofMinutes(6), Duration.ofMinutes(19))));
    }

    @Test
    void changedBottleneckFailsItsOwnCase() throws Exception {
        Document xml =
                xml(
                        guarded(
                                Guarded.Overall.REGRESSION,
                                Optional.of(Bottleneck.CPU),
                                row(Metric.CPU, 1, Verdict.OK)));
        assertThat(xml.getDocumentElement().getAttribute("failures")).isEqualTo("1");
        var failed = (Element) xml.getElementsByTagName("failure").item(0);
        assertThat(((Element) failed.getParentNode()).getAttribute("name")).isEqualTo("bottleneck");
    }

    @Test
    void verdictHasTheRatioOfTheTable() {
        String terminal =
                GuardReport.terminal(
                        guarded(
                                Guarded.Overall.REGRESSION,
                                Optional.empty(),
                                row(Metric.CPU, 1.054, Verdict.WORSE)));
        assertThat(terminal.lines().findFirst().orElseThrow()).containsPattern("× 1\\.054(?!x)");
    }

    @Test
    void jsonHasKeysOfContract() throws IOException {
        Guarded g =
                guarded(
                        Guarded.Overall.REGRESSION,
                        Optional.empty(),
                        row(Metric.CPU, 1.05, Verdict.WORSE));
        Golden.assertMatches("documents/guard.json", GuardReport.json(g));
        JsonNode json = JsonMapper.shared().readTree(GuardReport.json(g));
        assertThat(json.get("schema").asString()).isEqualTo("jdyno/guard/1");
        assertThat(json.get("verdict").asString()).isEqualTo("regression");
        assertThat(json.get("mode").asString()).isEqualTo("history");
        assertThat(json.get("confirmed").asBoolean()).isTrue();
        JsonNode cpu = json.get("figures").get(0);
        assertThat(cpu.get("name").asString()).isEqualTo("cpuMsPerRequest");
        assertThat(cpu.get("ratio").asDouble()).isEqualTo(1.05);
        assertThat(cpu.get("ci95").size()).isEqualTo(2);
        assertThat(cpu.get("since").get("run").asString()).isEqualTo("20261108-060000-aaaa");
        assertThat(cpu.get("since").get("commit").asString()).isEqualTo("b".repeat(40));
        assertThat(json.get("grew").get(0).get("method").asString()).isEqualTo("com.acme.Price.of");
    }

    @Test
    void controlCharactersOfForeignTextsAreEscaped() {
        Guarded g = guarded(Guarded.Overall.OK, Optional.empty(), row(Metric.CPU, 1, Verdict.OK));
        assertThat(GuardReport.terminal(g)).doesNotContain("\u001b");
        assertThat(GuardReport.junit(g)).doesNotContain("\u001b");
    }
}
