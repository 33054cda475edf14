package dev.jdyno.otlp;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.FreePort;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class OtlpExportTest {
    private static final Instant FIRST_END = Instant.parse("2026-03-01T10:00:06.000000250Z");
    private static final Instant SECOND_END = FIRST_END.plusSeconds(10);
    private static final Instant RUN_END = FIRST_END.plusSeconds(30);
    private static final String NANOS_OF_FIRST_START = "1772359200000000250";
    private static final String NANOS_OF_FIRST_END = "1772359206000000250";
    private static final String NANOS_OF_SECOND_START = "1772359210000000250";
    private static final String NANOS_OF_SECOND_END = "1772359216000000250";
    private static final String NANOS_OF_RUN_END = "1772359236000000250";

    private final AtomicReference<Instant> now = new AtomicReference<>(FIRST_END);
    private final List<String> warnings = new ArrayList<>();
    private final List<Round> passedOn = new ArrayList<>();

    private OtlpExport export(OtlpEndpoint to) {
        InstantSource clock = now::get;
        return new OtlpExport(to, "jdyno", "shop", "1.2.3", clock, warnings::add);
    }

    private final TrialListener view =
            new TrialListener() {
                @Override
                public void phase(String says) {}

                @Override
                public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

                @Override
                public void round(Round round) {
                    passedOn.add(round);
                }

                @Override
                public void note(String says) {}
            };

    private static RunResult result() {
        return ResultJson.read(Path.of("../report/src/test/resources/report/json/complete.json"));
    }

    /// Two rounds and the result, sent to a collector.
    private void send(OtlpEndpoint to, Round first, Round second) {
        try (OtlpExport export = export(to)) {
            TrialListener listener = export.watching(view);
            listener.round(first);
            now.set(SECOND_END);
            listener.round(second);
            now.set(RUN_END);
            export.end(result());
        }
    }

    private static List<Double> values(Collector collector, String gauge) {
        return collector.points(gauge).stream().map(p -> p.get("asDouble").doubleValue()).toList();
    }

    private static Map<String, Double> byAttribute(List<JsonNode> points, String key) {
        var found = new TreeMap<String, Double>();
        points.forEach(p ->
                found.put(
                        Collector.attribute(p, key),
                        p.has("asInt")
                                ? Double.parseDouble(p.get("asInt").stringValue())
                                : p.get("asDouble").doubleValue()));
        return found;
    }

    @Test
    void roundsReachTheCollectorWithTheirFigures() throws IOException {
        Round first = round(2, 100).cores(0.5).client(0.1).others(0.2).build();
        Round second = round(8, 300).errors("timeout", 36).build();
        try (var collector = new Collector()) {
            send(OtlpEndpoint.parse(collector.url()), first, second);

            assertThat(values(collector, "jdyno.round.throughput")).containsExactly(100.0, 300.0);
            assertThat(values(collector, "jdyno.round.concurrency")).containsExactly(2.0, 8.0);
            // 2 in flight at 100 a second are 20 ms; the fixture's p99 is 1.5 times the mean
            Map<String, Double> times =
                    byAttribute(
                            collector.points("jdyno.round.response_time.quantile").subList(0, 5),
                            "quantile");
            assertThat(times).containsOnlyKeys("0.5", "0.9", "0.99", "0.999", "1");
            assertThat(times.get("0.99")).isCloseTo(0.030, within(1e-9));
            assertThat(times.get("1")).isCloseTo(0.060, within(1e-9));
            assertThat(
                            byAttribute(
                                    collector.points("jdyno.round.cpu.usage").subList(0, 3),
                                    "jdyno.cpu.user"))
                    .isEqualTo(Map.of("client", 0.1, "other", 0.2, "service", 0.5));
            assertThat(values(collector, "jdyno.round.cpu.per_request").getFirst())
                    .isCloseTo(0.005, within(1e-9));
            assertThat(values(collector, "jdyno.round.gc.pause.share").getFirst()).isEqualTo(0.002);
            assertThat(values(collector, "jdyno.round.error.share"))
                    .containsExactly(0.0, 36.0 / 1836);
        }
        assertThat(passedOn).containsExactly(first, second);
        assertThat(warnings).isEmpty();
    }

    @Test
    void timesAreNanosecondsAsTextsAndCountsGrowFromTheFirstStart() throws IOException {
        try (var collector = new Collector()) {
            send(
                    OtlpEndpoint.parse(collector.url()),
                    round(2, 100).errors("timeout", 4).build(),
                    round(8, 300).errors("status-500", 36).build());

            assertThat(collector.points("jdyno.round.throughput"))
                    .extracting(
                            p -> p.get("startTimeUnixNano").stringValue(),
                            p -> p.get("timeUnixNano").stringValue())
                    .containsExactly(
                            tuple(NANOS_OF_FIRST_START, NANOS_OF_FIRST_END),
                            tuple(NANOS_OF_SECOND_START, NANOS_OF_SECOND_END));
            List<JsonNode> counts = collector.points("jdyno.requests");
            assertThat(counts)
                    .extracting(p -> p.get("startTimeUnixNano").stringValue())
                    .containsOnly(NANOS_OF_FIRST_START);
            List<JsonNode> last =
                    counts.stream()
                            .filter(p ->
                                    p.get("timeUnixNano").stringValue().equals(NANOS_OF_SECOND_END))
                            .toList();
            assertThat(byAttribute(last, "error.type"))
                    .isEqualTo(Map.of("", 2400.0, "timeout", 4.0, "status-500", 36.0));
            assertThat(last)
                    .extracting(p -> Collector.attribute(p, "jdyno.outcome"))
                    .containsExactlyInAnyOrder("good", "failed", "failed");
        }
    }

    @Test
    void verdictIsAnAttribute() throws IOException {
        try (var collector = new Collector()) {
            send(OtlpEndpoint.parse(collector.url()), round(1, 10).build(), round(2, 20).build());

            JsonNode verdict = collector.points("jdyno.run.verdict.confidence").getFirst();
            assertThat(verdict.get("asDouble").doubleValue()).isEqualTo(0.94);
            assertThat(Collector.attribute(verdict, "jdyno.verdict")).isEqualTo("cpu");
            assertThat(Collector.attribute(verdict, "jdyno.verdict.where"))
                    .isEqualTo("dev.jdyno.lab.CpuBurner.burn");
            assertThat(verdict.get("timeUnixNano").stringValue()).isEqualTo(NANOS_OF_RUN_END);
            assertThat(values(collector, "jdyno.run.valid")).containsExactly(1.0);
            assertThat(values(collector, "jdyno.run.knee.concurrency")).containsExactly(20.0);
        }
    }

    @Test
    void requestsFollowTheProtocol() throws IOException {
        OtlpEndpoint with;
        try (var collector = new Collector()) {
            with =
                    OtlpEndpoint.parse(collector.url() + "/otlp/")
                            .withHeaders("Authorization=Bearer%20x1,X-Scope=a+b");
            send(with, round(1, 10).build(), round(2, 20).build());

            Set<String> instances = new HashSet<>();
            for (Collector.Received request : collector.received()) {
                assertThat(request.method()).isEqualTo("POST");
                assertThat(request.path()).isEqualTo("/otlp/v1/metrics");
                assertThat(request.headers().getFirst("Content-Type"))
                        .isEqualTo("application/json");
                assertThat(request.headers().getFirst("Authorization")).isEqualTo("Bearer x1");
                assertThat(request.headers().getFirst("X-Scope")).isEqualTo("a+b");
                JsonNode resource = request.body().at("/resourceMetrics/0/resource");
                assertThat(Collector.attribute(resource, "service.name")).isEqualTo("jdyno");
                assertThat(Collector.attribute(resource, "service.version")).isEqualTo("1.2.3");
                instances.add(Collector.attribute(resource, "service.instance.id"));
                for (JsonNode metric :
                        request.body().at("/resourceMetrics/0/scopeMetrics/0/metrics")) {
                    assertWhole(metric);
                }
            }
            assertThat(instances).hasSize(1).doesNotContain("");
        }
    }

    private static void assertWhole(JsonNode metric) {
        assertThat(metric.get("unit").stringValue()).isNotEmpty();
        assertThat(metric.get("description").stringValue()).isNotEmpty();
        assertThat(metric.has("sum")).isNotEqualTo(metric.has("gauge"));
        if (metric.has("sum")) {
            assertThat(metric.at("/sum/aggregationTemporality").intValue()).isEqualTo(2);
            assertThat(metric.at("/sum/isMonotonic").booleanValue()).isTrue();
        }
        for (JsonNode point : metric.get(metric.has("sum") ? "sum" : "gauge").get("dataPoints")) {
            assertThat(Collector.attribute(point, "jdyno.plan")).isEqualTo("shop");
            assertThat(point.has("asInt") ? point.get("asInt").isString() : point.has("asDouble"))
                    .isTrue();
        }
    }

    @Test
    void figuresThatALoadToolDoesNotReportHaveNoPoint() throws IOException {
        Round whole = round(2, 100).unseenCpu().build();
        Round round =
                new Round(
                        whole.concurrency(),
                        whole.ratePerS(),
                        whole.seconds(),
                        whole.qps(),
                        whole.qpsCi95(),
                        whole.requests(),
                        whole.errors(),
                        whole.errorKinds(),
                        whole.bytesRead(),
                        new Latency(20, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 50),
                        whole.client(),
                        whole.cpu(),
                        whole.threads(),
                        Optional.empty(),
                        whole.anatomy(),
                        whole.slices());
        try (var collector = new Collector()) {
            send(OtlpEndpoint.parse(collector.url()), round, round);

            assertThat(collector.points("jdyno.round.response_time.quantile"))
                    .extracting(p -> Collector.attribute(p, "quantile"))
                    .containsOnly("1");
            assertThat(collector.points("jdyno.round.response_time.mean")).hasSize(2);
            assertThat(collector.points("jdyno.round.cpu.usage")).isEmpty();
            assertThat(collector.points("jdyno.round.gc.pause.share")).isEmpty();
        }
    }

    @Test
    void valuesAreSentAgainAfterACollectorWasBusy() throws IOException {
        try (var collector =
                new Collector(n ->
                        n == 0
                                ? new Collector.Reply(503, "{\"message\": \"full\"}")
                                : Collector.Reply.ACCEPTED)) {
            send(OtlpEndpoint.parse(collector.url()), round(2, 100).build(), round(8, 300).build());

            List<JsonNode> accepted = new ArrayList<>();
            collector.received().stream()
                    .skip(1)
                    .flatMap(r -> r.body().findValues("timeUnixNano").stream())
                    .forEach(accepted::add);
            assertThat(accepted)
                    .extracting(JsonNode::stringValue)
                    .contains(NANOS_OF_FIRST_END, NANOS_OF_SECOND_END, NANOS_OF_RUN_END);
        }
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"400, no such field", "401, ''", "404, not here"})
    void refusedRoundsAreCountedAndNotSentAgain(int status, String reason) throws IOException {
        String body = "{\"message\": \"" + reason + "\"}";
        try (var collector = new Collector(_ -> new Collector.Reply(status, body))) {
            send(OtlpEndpoint.parse(collector.url()), round(2, 100).build(), round(8, 300).build());

            assertThat(collector.points("jdyno.round.throughput")).hasSize(2);
            assertThat(collector.points("jdyno.run.valid")).hasSize(1);
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains(collector.url(), "2 of 2 rounds", "verdict", "" + status, reason);
        }
    }

    @Test
    void rejectedValuesAreCounted() throws IOException {
        try (var collector =
                new Collector(_ ->
                        new Collector.Reply(
                                200,
                                """
                                {"partialSuccess": {"rejectedDataPoints": "3", "errorMessage": "too old"}}
                                """))) {
            send(OtlpEndpoint.parse(collector.url()), round(2, 100).build(), round(8, 300).build());

            int requests = collector.received().size();
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains(3 * requests + " values", "too old");
        }
    }

    @Test
    void anAbsentCollectorIsOneWarning() throws IOException {
        send(
                OtlpEndpoint.parse("http://127.0.0.1:" + FreePort.get()),
                round(2, 100).build(),
                round(8, 300).build());

        assertThat(warnings).singleElement().asString().contains("2 of 2 rounds", "verdict");
        assertThat(passedOn).hasSize(2);
    }

    @Test
    void aPeerThatDoesNotSpeakHttpIsOneWarning() throws IOException {
        try (var socket = new ServerSocket(0)) {
            Thread.ofVirtual().start(() -> answerWithoutHttp(socket));
            send(
                    OtlpEndpoint.parse("http://127.0.0.1:" + socket.getLocalPort()),
                    round(2, 100).build(),
                    round(8, 300).build());
        }

        assertThat(warnings).singleElement().asString().contains("2 of 2 rounds");
    }

    /// Answers each connection with the start of an HTTP/2 frame, until the socket is closed.
    private static void answerWithoutHttp(ServerSocket socket) {
        while (!socket.isClosed()) {
            try (var one = socket.accept()) {
                assertThat(one.getInputStream().read()).isNotNegative();
                one.getOutputStream().write(new byte[] {0, 0, 6, 4});
            } catch (IOException closed) {
                // the client or the test has closed it
            }
        }
    }

    @Test
    void aRunWithoutRoundsSendsNothing() throws IOException {
        try (var collector = new Collector()) {
            export(OtlpEndpoint.parse(collector.url())).close();

            assertThat(collector.received()).isEmpty();
        }
        assertThat(warnings).isEmpty();
    }

    @Tag("full") // waits for the limit of the end
    @Test
    void aCollectorThatDoesNotAnswerEndsNoRun() throws IOException {
        var answers = new CountDownLatch(1);
        try (var collector =
                new Collector(_ -> {
                    try {
                        answers.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Collector.Reply.ACCEPTED;
                })) {
            send(OtlpEndpoint.parse(collector.url()), round(2, 100).build(), round(8, 300).build());
            answers.countDown();
        }

        assertThat(warnings).singleElement().asString().contains("2 of 2 rounds", "verdict");
    }
}
