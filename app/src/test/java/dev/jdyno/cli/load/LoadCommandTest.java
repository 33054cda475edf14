package dev.jdyno.cli.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.cli.Main;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LoadCommandTest {
    private record Outcome(int exit, String out, String err) {
        JsonNode json() {
            return JsonMapper.shared().readTree(out);
        }
    }

    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private String url;

    @TempDir Path folder;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String body =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    seen.add(
                            exchange.getRequestMethod()
                                    + " "
                                    + exchange.getRequestURI()
                                    + " "
                                    + exchange.getRequestHeaders().getFirst("X-Probe")
                                    + " "
                                    + body);
                    int status = exchange.getRequestURI().getPath().equals("/sick") ? 500 : 200;
                    exchange.sendResponseHeaders(status, 2);
                    exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
                    exchange.close();
                });
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    private static Outcome run(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exit = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Outcome(exit, out.toString(), err.toString());
    }

    @Test
    void theJsonDocumentHasTheContractsKeys() {
        Outcome o = run("load", url, "-c", "2", "-n", "40", "--json", "--anyway");

        assertThat(o.exit()).as("%s", o).isZero();
        JsonNode json = o.json();
        assertThat(json.propertyNames())
                .contains("requests", "qps", "errors", "errorKinds", "bytes", "rtMs", "model")
                .contains("sendErrorUs", "client", "validity");
        assertThat(json.get("rtMs").propertyNames())
                .containsExactly("mean", "p50", "p90", "p99", "p999", "max");
        assertThat(json.get("client").propertyNames())
                .contains("cpuS", "loops", "busiestLoopPct", "gcMs", "saturated", "why");
        assertThat(json.get("requests").asInt()).isEqualTo(40);
        assertThat(json.get("model").asString()).isEqualTo("closed");
        assertThat(json.get("sendErrorUs").isNull()).isTrue();
        assertThat(json.get("validity").get("ok").asBoolean()).isTrue();
        assertThat(seen).hasSize(40);
    }

    /// A plain HTTP server that replies 400 to anything, as most servers do to TLS.
    private static ServerSocket badRequests() throws IOException {
        var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    while (!listener.isClosed()) {
                        try (Socket socket = listener.accept()) {
                            socket.getInputStream().read(new byte[4096]);
                            socket.getOutputStream()
                                    .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                            socket.shutdownOutput();
                            socket.getInputStream().readAllBytes();
                        } catch (IOException clientGone) {
                            // the next client is served
                        }
                    }
                });
        return listener;
    }

    @Test
    void documentAndErrorGiveReasonsOfFailures() throws IOException {
        Outcome o;
        try (ServerSocket plain = badRequests()) {
            String tls = "https://127.0.0.1:" + plain.getLocalPort() + "/";
            o = run("load", tls, "-c", "1", "-n", "2", "--json");
        }

        assertThat(o.exit()).isEqualTo(1);
        JsonNode detail = o.json().at("/errorDetails/0");
        assertThat(detail.propertyNames())
                .containsExactly("kind", "reason", "count", "example", "says", "fix");
        assertThat(detail.at("/kind").asString()).isEqualTo("tls");
        assertThat(detail.at("/reason").asString()).isEqualTo("tls-port-speaks-http");
        assertThat(detail.at("/count").asInt()).isEqualTo(2);
        assertThat(o.json().at("/errorReasons/tls").asString()).isNotBlank();
        assertThat(o.err()).contains(FailureText.says(FailureReason.TLS_PORT_SPEAKS_HTTP));
    }

    /// The error comes before any process or connection is started.
    @Test
    void unreadableCertificateFileIsUsageError(@TempDir Path folder) {
        Path started = folder.resolve("started");
        String missing = folder.resolve("missing.pem").toString();

        Outcome load = run("load", "https://127.0.0.1:1/", "-n", "1", "--cacert", missing);
        Outcome launched =
                run(
                        "run",
                        "https://127.0.0.1:1/",
                        "--launch",
                        "touch " + started,
                        "--out",
                        folder.resolve("out").toString(),
                        "--cacert",
                        missing);

        assertThat(load.exit()).isEqualTo(2);
        assertThat(load.err()).contains("missing.pem");
        assertThat(launched.exit()).isEqualTo(2);
        assertThat(launched.err()).contains("missing.pem");
        assertThat(started).doesNotExist();
    }

    @Test
    void explainsRunWithoutResponses(@TempDir Path folder) throws IOException {
        Outcome o;
        try (ServerSocket plain = badRequests()) {
            String tls = "https://127.0.0.1:" + plain.getLocalPort() + "/";
            String out = folder.resolve("out").toString();
            o = run("run", tls, "--no-target", "--out", out);
        }

        assertThat(o.exit()).isEqualTo(1);
        assertThat(o.err())
                .contains(
                        FailureText.says(FailureReason.TLS_PORT_SPEAKS_HTTP),
                        FailureText.advice(FailureReason.TLS_PORT_SPEAKS_HTTP).orElseThrow());
    }

    @Test
    void sentRequestIsThatOfTheOptions() {
        Outcome o =
                run(
                        "load",
                        url + "/order?id=1",
                        "-n",
                        "3",
                        "-c",
                        "1",
                        "-m",
                        "PUT",
                        "-H",
                        "X-Probe: yes",
                        "-b",
                        "{}",
                        "--quiet",
                        "--anyway");

        assertThat(o.exit()).as("%s", o).isZero();
        assertThat(seen).hasSize(3).containsOnly("PUT /order?id=1 yes {}");
        assertThat(o.out()).contains("closed model: 1 connections", "3 good", "errors      none");
    }

    @Test
    void openModelReportsItsNameAndSendError() {
        // long compared with a stop of the machine, whose requests are missing at the end
        Outcome o = run("load", url, "-c", "4", "-r", "200..400", "-d", "8s", "--json", "--anyway");

        JsonNode json = o.json();
        assertThat(json.get("model").asString()).isEqualTo("open");
        assertThat(json.get("sendErrorUs").propertyNames()).containsExactly("p50", "p99", "max");
        assertThat(json.get("requests").asInt()).isBetween(8 * 200, 8 * 400);
    }

    @Test
    void anOperationIsFollowedUntilItsEffectIsSeen() {
        Outcome o =
                run(
                        "load",
                        url + "/jobs",
                        "-b",
                        "{}",
                        "-n",
                        "4",
                        "-c",
                        "1",
                        "--json",
                        "--anyway",
                        "--take",
                        "said=regex (o.)",
                        "--poll",
                        "/jobs/${said}",
                        "--until",
                        "status 200",
                        "--until",
                        "contains ok",
                        "--poll-every",
                        "1ms");

        assertThat(o.exit()).as("%s", o).isZero();
        assertThat(o.json().get("requests").asInt()).isEqualTo(4);
        assertThat(o.json().get("polls").asInt()).isEqualTo(4);
        assertThat(o.json().get("named").propertyNames())
                .containsExactly("request", "request: reply");
        assertThat(seen).contains("POST /jobs null {}", "GET /jobs/ok null ");
    }

    @Test
    void aLogIsReplayedAtASpeedAndItsBadLinesAreShown() throws IOException {
        String line = "127.0.0.1 - - [10/Oct/2025:13:55:%d +0000] \"GET /r%d HTTP/1.1\" 200 5\n";
        Path log =
                Files.writeString(
                        folder.resolve("access.log"),
                        line.formatted(36, 1) + "garbage\n" + line.formatted(38, 2));

        Outcome o =
                run("load", url, "--replay", log.toString(), "--speed", "4", "--anyway", "--json");

        assertThat(o.exit()).isZero();
        assertThat(seen).containsExactlyInAnyOrder("GET /r1 null ", "GET /r2 null ");
        assertThat(o.json().path("model").asString()).isEqualTo("open");
        assertThat(o.json().path("seconds").asDouble()).isGreaterThanOrEqualTo(0.5);
        JsonNode replay = o.json().path("replay");
        assertThat(replay.path("speed").asDouble()).isEqualTo(4);
        assertThat(replay.path("linesUnread").asInt()).isEqualTo(1);
        assertThat(replay.path("firstUnread").get(0).asString()).isEqualTo("line 2: garbage");
        assertThat(o.err()).contains("1 of 3 lines", "line 2: garbage");
    }

    @Test
    void reportsMistakesAboutReplay() {
        assertThat(run("load", url, "--speed", "2").err()).contains("nothing is replayed");
        assertThat(run("load", url, "--replay", "x", "--speed", "2", "-r", "5").err())
                .contains("--speed, --rate");
        assertThat(run("load", url, "--replay", "no.log", "--speed", "fast").err())
                .contains("--speed fast");
        assertThat(run("load", url, "--replay", "no.log").err()).contains("no.log");
    }

    @Tag("full") // measures processes under load
    @Test
    void processesShareTheLoadAndTheirFiguresAddUp() {
        Outcome o =
                run(
                        "load",
                        url,
                        "-n",
                        "41",
                        "-c",
                        "3",
                        "--processes",
                        "2",
                        "--json",
                        "--anyway",
                        "--quiet");

        assertThat(o.exit()).as("%s", o).isZero();
        assertThat(o.json().get("requests").asInt()).isEqualTo(41);
        assertThat(o.json().get("client").get("processes").asInt()).isEqualTo(2);
        assertThat(seen).hasSize(41);
    }

    @Test
    void reportsMistakesAboutManyAndSlowConnections() {
        Outcome o =
                run(
                        "load",
                        url,
                        "--active",
                        "0%",
                        "--slow-clients",
                        "x",
                        "--read-rate",
                        "fast",
                        "--processes",
                        "0");

        assertThat(o.exit()).isEqualTo(2);
        assertThat(o.err())
                .contains(
                        "4 mistakes",
                        "no connection would send a request",
                        "--slow-clients x",
                        "--read-rate fast")
                .contains("--processes 0");
    }

    @Test
    void aPollWithoutAConditionIsAMistake() {
        assertThat(run("load", url, "--poll", "/x").err()).contains("--until", "json /state=done");
        assertThat(run("load", url, "--poll", "/x", "--until", "soon").err())
                .contains("--until soon", "does not say what to look for");
    }

    @Test
    void errorsAboveTheLimitMakeTheResultInvalid() {
        Outcome o = run("load", url + "/sick", "-n", "10", "-c", "1", "--json");

        assertThat(o.exit()).as("no good request at all: the target failed").isEqualTo(1);
        assertThat(o.json().get("errorKinds").get("status-500").asInt()).isEqualTo(10);
        assertThat(o.json().get("validity").get("ok").asBoolean()).isFalse();
        assertThat(o.err()).contains("no request succeeded", "status-500 10");
    }

    @Test
    void writesHdrHistogramLogAndCsvRowPerSecond() throws IOException {
        Path hlog = folder.resolve("a.hlog");
        Path csv = folder.resolve("a.csv");
        long from = System.nanoTime();

        Outcome o =
                run(
                        "load",
                        url,
                        "-c",
                        "2",
                        "-n",
                        "50",
                        "--json",
                        "--anyway",
                        "--hlog",
                        hlog.toString(),
                        "--csv",
                        csv.toString());

        assertThat(o.exit()).as("%s", o).isZero();
        double atMost = (System.nanoTime() - from) / 1e9;
        // the run takes more than a second if the machine is slow
        List<Long> counts = new ArrayList<>();
        try (var in = Files.newInputStream(hlog)) {
            var reader = new HistogramLogReader(in);
            while (reader.nextIntervalHistogram() instanceof Histogram second) {
                counts.add(second.getTotalCount());
            }
        }
        assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(50);
        assertThat(counts.size() - 1.0).as("whole seconds").isLessThanOrEqualTo(atMost);
        assertThat(Files.readAllLines(csv)).hasSize(1 + counts.size());
        assertThat(Files.readAllLines(csv).getFirst()).startsWith("second,seconds,qps,errors");
    }

    @Test
    void reportsAllMistakesWithExitCode2() {
        Outcome o =
                run(
                        "load",
                        url,
                        "-c",
                        "0",
                        "-d",
                        "2x",
                        "-r",
                        "fast",
                        "-H",
                        "no-colon",
                        "--source",
                        "here",
                        "-b",
                        "@/no/such/file");

        assertThat(o.exit()).isEqualTo(2);
        assertThat(o.err())
                .contains("6 mistakes", "-c 0", "-d 2x", "-r fast", "no-colon", "here", "/no/such");
        assertThat(o.out()).isEmpty();
    }

    @Test
    void stopFileEndsRunAndMarksResultPartial() throws IOException {
        Path stop = Files.createFile(folder.resolve("stop"));

        Outcome o =
                run(
                        "load",
                        url,
                        "-d",
                        "60s",
                        "-c",
                        "1",
                        "--json",
                        "--anyway",
                        "--stop-file",
                        stop.toString());

        assertThat(o.json().get("partial").asBoolean()).isTrue();
        assertThat(o.json().get("seconds").asDouble()).as("of 60").isLessThan(60);
    }
}
