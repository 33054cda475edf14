package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.otlp.Collector;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `run --otlp` as a user types it.
class OtlpRunTest {
    /// Prints the output of wrk without sending a request.
    private static final String TOOL =
            "sleep {seconds}; echo 'Running 1s test @ x'; echo ' Latency 2.00ms 1.00ms 9.00ms 70.00%';"
                    + " echo '  500 requests in 1.00s, 1.00KB read'; : {n}";

    @TempDir private Path folder;
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer service;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext(
                "/",
                exchange -> {
                    requests.incrementAndGet();
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        service.start();
    }

    @AfterEach
    void end() {
        service.stop(0);
    }

    private CliOutput run(String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                "http://127.0.0.1:" + service.getAddress().getPort() + "/",
                                "--no-target",
                                "--no-store",
                                "--quiet",
                                "--name",
                                "shop",
                                "--warmup",
                                "1s",
                                "--round",
                                "2s",
                                "--concurrency",
                                "1,2",
                                "--out",
                                folder.toString()));
        args.addAll(Arrays.asList(more));
        return CliOutput.jdyno(args.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "grpc://127.0.0.1:4317", "http://u:p@127.0.0.1"})
    void aBadAddressEndsTheRunBeforeTheLoad(String url) {
        CliOutput ended = run("--otlp", url);

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("--otlp").doesNotContain(":p@");
        assertThat(requests).hasValue(0);
        assertThat(folder).isEmptyDirectory();
    }

    @Tag("full") // a whole run
    @Test
    void roundsAndVerdictOfARunAreSent() throws IOException {
        try (var collector = new Collector()) {
            CliOutput ended = run("--otlp", collector.url());

            RunResult result = ResultJson.read(folder.resolve("result.json"));
            assertSent(collector, result);
            assertThat(ended.err()).doesNotContain("OpenTelemetry");
        }
    }

    @Tag("full") // a whole run
    @Test
    void roundsOfALoadToolAreSent() throws IOException {
        try (var collector = new Collector()) {
            run("--drive", TOOL, "--otlp", collector.url());

            RunResult result = ResultJson.read(folder.resolve("result.json"));
            assertSent(collector, result);
            assertThat(collector.points("jdyno.round.throughput"))
                    .allSatisfy(p ->
                            assertThat(p.get("asDouble").doubleValue())
                                    .isCloseTo(500, withinPercentage(1)));
            assertThat(collector.points("jdyno.round.response_time.quantile"))
                    .extracting(p -> Collector.attribute(p, "quantile"))
                    .doesNotContain("0.99");
        }
    }

    private static void assertSent(Collector collector, RunResult result) {
        assertThat(collector.points("jdyno.round.throughput"))
                .extracting(p -> p.get("asDouble").doubleValue())
                .containsAll(result.rounds().stream().map(Round::qps).toList());
        assertThat(collector.points("jdyno.run.verdict.confidence"))
                .extracting(p -> Collector.attribute(p, "jdyno.verdict"))
                .containsExactly(result.verdict().bottleneck().key());
    }

    @Tag("full") // a whole run
    @Test
    void anAbsentCollectorChangesNeitherResultNorExitCode() {
        service.createContext("/v1/metrics", exchange -> exchange.close());
        CliOutput ended = run("--otlp", "http://127.0.0.1:" + service.getAddress().getPort() + "/");

        assertThat(ended.code()).isIn(0, 3);
        assertThat(ResultJson.read(folder.resolve("result.json")).rounds()).isNotEmpty();
        assertThat(ended.err().lines().filter(l -> l.contains("OpenTelemetry"))).hasSize(1);
    }
}
