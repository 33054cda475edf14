package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.Store;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.TrialListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ServerTest {
    /// A plan's name that would run in a page that does not escape it.
    private static final String HOSTILE = "shop<script>alert(1)</script>\"";

    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private History history = History.open(new Store.File(Path.of("target/unused/history.db")));
    private Server server = start(Optional.empty(), Optional.empty());

    private Server start(Optional<String> token, Optional<Live> live) {
        return Server.start("127.0.0.1", 0, token, history, live, "test");
    }

    @BeforeEach
    void aWeek() throws Exception {
        server.close();
        history = History.open(new Store.File(folder.resolve("store/history.db")));
        Path files = Files.createDirectories(folder.resolve("out"));
        Files.writeString(files.resolve("report.html"), "<p>the report</p>");
        for (int day = 0; day < 12; day++) {
            history.add(day(day, day < 8 ? 100 : 120, files));
        }
        server = start(Optional.empty(), Optional.empty());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static Entry day(int day, double qps, Path files) throws Exception {
        byte[] report = Files.readAllBytes(files.resolve("report.html"));
        return new Entry(
                "day-%02d".formatted(day),
                Kind.RUN,
                HOSTILE,
                Optional.empty(),
                Instant.parse("2026-11-01T00:00:00Z").plus(Duration.ofDays(day)),
                60,
                Optional.empty(),
                Entries.machine(),
                "cpu",
                Optional.of("cpu"),
                true,
                Optional.of(files.toString()),
                "jdyno run shop.yaml",
                List.of(new Entry.Figure("qps", "requests/s", qps + day % 3, Optional.empty())),
                List.of(new Entry.Part(Entry.PartKind.METHOD, "com.acme.Shop.<init>", 1, 9)),
                List.of(
                        new Entry.Artifact(
                                "report.html",
                                report.length,
                                HexFormat.of()
                                        .formatHex(
                                                MessageDigest.getInstance("SHA-256")
                                                        .digest(report)))));
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.url()).resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode json(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    @Test
    void pagesOpenAndRunNothingOfOthers() throws Exception {
        for (String path :
                List.of(
                        "/",
                        "/runs/day-03",
                        "/runs/latest",
                        "/trend?plan=" + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8),
                        "/compare?a=day-03&b=day-09",
                        "/live")) {
            HttpResponse<String> page = get(path);
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(page.body()).as(path).doesNotContain("<script>alert");
            assertThat(page.headers().firstValue("content-security-policy").orElse(""))
                    .contains("default-src 'none'", "frame-ancestors 'none'");
            assertThat(page.headers().firstValue("x-content-type-options")).contains("nosniff");
        }
    }

    @Test
    void givesTheSameAsJson() throws Exception {
        assertThat(json("/api/runs").get("all").asInt()).isEqualTo(12);
        assertThat(json("/api/runs?from=10").get("results").size()).isEqualTo(2);
        assertThat(json("/api/runs/day-03").get("parts").size()).isEqualTo(1);
        JsonNode trend =
                json(
                        "/api/trend?figure=qps&plan="
                                + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8));
        assertThat(trend.get("points").size()).isEqualTo(12);
        assertThat(trend.get("changePoints").size()).isEqualTo(1);
        assertThat(trend.get("changePoints").get(0).get("id").asString()).isEqualTo("day-08");
        JsonNode described = json("/api/openapi.json").get("paths");
        assertThat(described.propertyNames())
                .contains("/api/runs", "/api/runs/{id}", "/api/trend", "/metrics");
    }

    @Test
    void metricsAreThoseOfTheNewestResult() throws Exception {
        HttpResponse<String> answer = get("/metrics");
        assertThat(answer.headers().firstValue("content-type").orElse(""))
                .startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(answer.body()).endsWith("# EOF\n");
        assertThat(answer.body().lines().filter(l -> l.startsWith("jdyno_figure{")))
                .singleElement()
                .satisfies(l -> assertThat(l).endsWith(" 122.0").contains("\\\""));
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        assertThat(get("/runs/nothing").statusCode()).isEqualTo(404);
        assertThat(get("/runs/day-").statusCode()).as("several").isEqualTo(404);
        assertThat(get("/trend").statusCode()).isEqualTo(400);
        assertThat(get("/api/runs?from=x").statusCode()).isEqualTo(400);
        assertThat(get("/nowhere").statusCode()).isEqualTo(404);
        int port = URI.create(server.url()).getPort();
        assertThatThrownBy(() ->
                        Server.start(
                                "127.0.0.1",
                                port,
                                Optional.empty(),
                                history,
                                Optional.empty(),
                                "test"))
                .isInstanceOf(UserError.class);
    }

    @Test
    void nothingCanBeChanged() throws Exception {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
            var request =
                    HttpRequest.newBuilder(URI.create(server.url()).resolve("/runs/day-03"))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .as(method)
                    .isGreaterThanOrEqualTo(400);
        }
    }

    @Test
    void showsAReportOnlyAsItWasStored() throws Exception {
        HttpResponse<String> report = get("/runs/day-03/report");
        assertThat(report.body()).isEqualTo("<p>the report</p>");
        assertThat(report.headers().firstValue("content-security-policy").orElse(""))
                .contains("sandbox");
        Files.writeString(folder.resolve("out/report.html"), "<p>another</p>");
        assertThat(get("/runs/day-03/report").statusCode()).isEqualTo(404);
    }

    @Test
    void aNameThatPointsHereFromElsewhereGetsNothing() throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort())) {
            socket.getOutputStream()
                    .write(
                            "GET /api/runs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("results");
        }
    }

    @Test
    void whoHasTheTokenReads() throws Exception {
        server.close();
        server = start(Optional.of(TOKEN), Optional.empty());
        assertThat(get("/api/runs").statusCode()).isEqualTo(401);
        assertThat(
                        get("/api/runs", "Authorization", "Bearer " + TOKEN.replace('0', '1'))
                                .statusCode())
                .isEqualTo(401);
        assertThat(get("/api/runs", "Authorization", "Bearer " + TOKEN).statusCode())
                .isEqualTo(200);
        HttpResponse<String> first = get("/?token=" + TOKEN);
        assertThat(first.statusCode()).isEqualTo(302);
        String cookie = first.headers().firstValue("set-cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
        assertThat(get("/", "Cookie", cookie.substring(0, cookie.indexOf(';'))).statusCode())
                .isEqualTo(200);
    }

    @Test
    void eventsOfARunArriveAsTheyHappen() throws Exception {
        server.close();
        var live = new Live("shop", new Silent());
        server = start(Optional.empty(), Optional.of(live));
        live.note("before the browser came");
        HttpResponse<InputStream> events =
                client.send(
                        HttpRequest.newBuilder(URI.create(server.url()).resolve("/live/events"))
                                .header("Accept", "text/event-stream")
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (var body =
                new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
            assertThat(next(body, "note")).contains("before the browser came");
            live.phase("measuring with 8 in flight");
            assertThat(next(body, "phase")).contains("8 in flight");
            live.progress(3, Optional.of(6.0), Optional.of(812.5));
            assertThat(next(body, "progress")).contains("812.5");
            live.end("CPU limits the service");
            assertThat(next(body, "end")).contains("CPU limits");
        }
    }

    /// The data of the next event of this kind.
    private static String next(BufferedReader events, String kind) throws IOException {
        String line;
        boolean wanted = false;
        while ((line = events.readLine()) != null) {
            if (line.startsWith("event:")) {
                wanted = line.substring("event:".length()).strip().equals(kind);
            } else if (wanted && line.startsWith("data:")) {
                return line;
            }
        }
        throw new AssertionError("no " + kind);
    }

    private static final class Silent implements TrialListener {
        @Override
        public void phase(String says) {}

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {}
    }
}
