package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EndpointTextTest {
    private static EndpointFigures endpoint(String uri, double share) {
        return new EndpointFigures("GET", uri, "2xx", 400, 40, 50 * share, share);
    }

    private static ServiceFigures figures(int concurrency, EndpointFigures... endpoints) {
        return new ServiceFigures(
                concurrency,
                10,
                0.01,
                "http://127.0.0.1:8080/actuator/prometheus",
                Optional.of(80.0),
                List.of(endpoints),
                Optional.empty(),
                List.of(
                        new ServicePool(
                                "orders",
                                "HikariCP",
                                Optional.of(10.0),
                                Optional.of(9.8),
                                Optional.of(54.0),
                                Optional.of(410.0),
                                Optional.of(80.0),
                                Optional.of(3L)),
                        new ServicePool(
                                "idle",
                                "executor",
                                Optional.empty(),
                                Optional.of(0.0),
                                Optional.of(0.0),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())));
    }

    private static RunResult with(ServiceFigures... read) {
        RunResult run = ResultFixture.small();
        return run.withInsight(run.insight().withService(List.of(read)));
    }

    @Test
    void endpointWithMostTimeIsTheLimit() {
        assertThat(EndpointText.limiting(figures(8, endpoint("/a", 0.8), endpoint("/b", 0.2))))
                .hasValueSatisfying(says -> assertThat(says).contains("GET /a"));
        assertThat(EndpointText.limiting(figures(8, endpoint("/a", 0.4), endpoint("/b", 0.3))))
                .isEmpty();
        assertThat(EndpointText.limiting(figures(8, endpoint("/a", 1)))).isEmpty();
    }

    @Test
    void aTableHasTheFirstEndpointsAndThePoolsThatWork() {
        List<String> lines =
                EndpointText.lines(
                        figures(
                                8,
                                IntStream.range(0, 9)
                                        .mapToObj(i -> endpoint("/" + i, 1.0 / 9))
                                        .toArray(EndpointFigures[]::new)));

        assertThat(lines).filteredOn(l -> l.contains(" GET /")).hasSize(7);
        assertThat(lines).filteredOn(l -> l.contains("orders")).hasSize(1);
        assertThat(lines).noneMatch(l -> l.contains("idle"));
        assertThat(EndpointText.sentence(figures(8))).isEmpty();
    }

    @Test
    void aTableWithoutEndpointsHasTheCountOfAllRequests() {
        ServiceFigures counted =
                new ServiceFigures(
                        8,
                        10,
                        0.01,
                        "http://127.0.0.1:8080/observe/metrics",
                        Optional.empty(),
                        List.of(),
                        Optional.of(195.0),
                        List.of());

        assertThat(EndpointText.lines(counted))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("195 "));
    }

    @Test
    void thePageHasTheEndpointsAndPools() {
        RunResult run = with(figures(20, endpoint("/a<b>", 0.8), endpoint("/b", 0.2)));

        assertThat(HtmlReport.render(run, List.of()))
                .contains("GET /a&lt;b", "orders")
                .doesNotContain("/a<b>");
        assertThat(HtmlReport.render(ResultFixture.small(), List.of()))
                .doesNotContain("id=\"endpoints\"");
    }

    @Test
    void theDocumentIsReadBack() {
        RunResult run = with(figures(20, endpoint("/a", 0.8), endpoint("/b", 0.2)));

        RunResult read =
                ResultJson.read(
                        Path.of("result.json"),
                        ResultJson.toString(run).getBytes(StandardCharsets.UTF_8));

        assertThat(read.insight().service()).isEqualTo(run.insight().service());
        String older = ResultJson.toString(run).replaceFirst("\\s*\"totalPerS\" ?: ?null,", "");
        assertThat(older).doesNotContain("totalPerS");
        assertThat(
                        ResultJson.read(
                                        Path.of("result.json"),
                                        older.getBytes(StandardCharsets.UTF_8))
                                .insight()
                                .service())
                .isEqualTo(run.insight().service());
    }
}
