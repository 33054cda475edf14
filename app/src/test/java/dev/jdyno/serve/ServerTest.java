package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.history.History;
import dev.jdyno.history.Store;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.Silent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ServerTest {
    /// A plan name that contains a script. The script would run in a page that does not escape the
    /// name.
    private static final String HOSTILE = "shop<script>alert(1)</script>\"";

    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private History history = History.open(new Store.File(Path.of("target/unused/history.db")));
    private Server server = start(Optional.empty(), Optional.empty());

    private Server start(Optional<String> token, Optional<Live> live) {
        return start("127.0.0.1", token, live);
    }

    private Server start(String host, Optional<String> token, Optional<Live> live) {
        return Server.start(host, 0, token, shown(history, live));
    }

    private static Server.Shown shown(History history, Optional<Live> live) {
        return new Server.Shown(history, live, Optional.empty(), GcPages::html, "test");
    }

    @BeforeEach
    void aWeek() throws Exception {
        server.close();
        Path files = Files.createDirectories(folder.resolve("out"));
        Files.writeString(files.resolve("report.html"), "<p>the report</p>");
        history = Week.of(HOSTILE, folder.resolve("store/history.db"), files);
        server = start(Optional.empty(), Optional.empty());
    }

    @AfterEach
    void close() {
        server.close();
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
    void pagesLoadAndRunNoForeignContent() throws Exception {
        for (String path :
                List.of(
                        "/",
                        "/?q=SHOP",
                        "/?q=" + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8),
                        "/runs",
                        "/runs?plan=" + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8),
                        "/runs/day-03",
                        "/runs/latest",
                        "/trend?plan=" + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8),
                        "/compare?a=day-03&b=day-09",
                        "/compare?id=day-09&id=day-03",
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
    void firstPageHasARowForEachPlan() throws Exception {
        String page = get("/").body();
        assertThat(page.split("<svg class=\"spark\"", -1)).as("one line").hasSize(2);
        assertThat(page).contains("× 1.20", "runs/day-11", "&amp;figure=qps");
        assertThat(count(page, "name=\"id\"")).as("the newest results").isEqualTo(12);
        assertThat(count(get("/?q=nowhere").body(), "class=\"spark\"")).isZero();
        assertThat(count(get("/runs?q=label+of+DAY+3").body(), "name=\"id\"")).isEqualTo(1);
        assertThat(get("/?q=" + "x".repeat(201)).statusCode()).isEqualTo(400);
        assertThat(count(get("/runs?from=50").body(), "name=\"id\"")).isZero();
    }

    private static int count(String page, String part) {
        return page.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void twoTickedResultsAreComparedTheEarlierFirst() throws Exception {
        assertThat(get("/compare?id=day-09&id=day-03").body())
                .isEqualTo(get("/compare?a=day-03&b=day-09").body());
        for (String ticked : List.of("", "?id=day-01", "?id=day-01&id=day-02&id=day-03")) {
            HttpResponse<String> answer = get("/compare" + ticked);
            assertThat(answer.statusCode()).as(ticked).isEqualTo(400);
            assertThat(answer.body()).contains("href=\"runs\"");
        }
    }

    @Test
    void emptyStoreListsCommandsThatFillTheStore() throws Exception {
        server.close();
        history = History.open(new Store.File(folder.resolve("empty/history.db")));
        server = start(Optional.empty(), Optional.empty());
        assertThat(get("/").body())
                .contains("jdyno demo", "jdyno run ", "jdyno history import", "empty/history.db");
        assertThat(get("/runs").statusCode()).isEqualTo(200);
        assertThat(get("/trend?plan=shop").statusCode()).isEqualTo(200);
    }

    @Test
    void jsonHasTheResultsOfThePages() throws Exception {
        assertThat(json("/api/runs").get("all").asInt()).isEqualTo(12);
        assertThat(json("/api/runs?from=10").get("results").size()).isEqualTo(2);
        assertThat(json("/api/runs/day-03").get("parts").size()).isEqualTo(2);
        JsonNode trend =
                json(
                        "/api/trend?figure=qps&plan="
                                + URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8));
        assertThat(trend.get("points").size()).isEqualTo(12);
        assertThat(trend.get("changePoints").size()).isEqualTo(1);
        JsonNode pair = json("/api/compare?a=day-00&b=day-09");
        assertThat(pair.get("figures").get(0).get("ratio").asDouble()).isEqualTo(1.2);
        assertThat(trend.get("changePoints").get(0).get("id").asString()).isEqualTo("day-08");
        JsonNode described = json("/api/openapi.json").get("paths");
        assertThat(described.propertyNames())
                .contains("/api/runs", "/api/runs/{id}", "/api/trend", "/api/compare", "/metrics");
    }

    @Test
    void metricsAreOfTheNewestResult() throws Exception {
        HttpResponse<String> answer = get("/metrics");
        assertThat(answer.headers().firstValue("content-type").orElse(""))
                .startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(answer.body()).endsWith("# EOF\n");
        assertThat(answer.body().lines().filter(l -> l.startsWith("jdyno_figure{")))
                .singleElement()
                .satisfies(l -> assertThat(l).endsWith(" 122.0").contains("\\\""));
    }

    @Test
    void explainsInvalidRequests() throws Exception {
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
                                shown(history, Optional.empty())))
                .isInstanceOf(UserError.class);
    }

    @Test
    void refusesRequestsThatChangeData() throws Exception {
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
    void showsStoredReportUnchanged() throws Exception {
        HttpResponse<String> report = get("/runs/day-03/report");
        assertThat(report.body()).isEqualTo("<p>the report</p>");
        assertThat(report.headers().firstValue("content-security-policy").orElse(""))
                .contains("sandbox");
        Files.writeString(folder.resolve("out/report.html"), "<p>another</p>");
        assertThat(get("/runs/day-03/report").statusCode()).isEqualTo(404);
    }

    @Test
    void showsStoredGcLogUnchanged() throws Exception {
        HttpResponse<String> page = get("/runs/day-03/gc?file=gc.log");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("data-chart=\"heap\"", "data-chart=\"pauses\"");
        assertThat(get("/runs/day-03").body()).contains("\"day-03/gc?file=gc.log\"");
        assertThat(get("/runs/day-03/gc?file=../store/history.db").statusCode()).isEqualTo(404);
        assertThat(get("/runs/day-03/gc?file=report.html").statusCode())
                .as("no GC log")
                .isEqualTo(404);
        Files.writeString(folder.resolve("out/gc.log"), "another");
        assertThat(get("/runs/day-03/gc?file=gc.log").statusCode()).isEqualTo(404);
    }

    @Test
    void listensAtAnIpv6Address() throws Exception {
        assumeTrue(hasIpv6(), "this machine has no IPv6");
        server.close();
        server = start("::1", Optional.empty(), Optional.empty());
        assertThat(server.url()).startsWith("http://[::1]:");
        assertThat(get("/api/runs").statusCode()).isEqualTo(200);
    }

    private static boolean hasIpv6() {
        byte[] loopback = new byte[16];
        loopback[15] = 1;
        try (var _ = new ServerSocket(0, 1, InetAddress.getByAddress(loopback))) {
            return true;
        } catch (IOException none) {
            return false;
        }
    }

    @Test
    void refusesForeignHostName() throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort())) {
            socket.getOutputStream()
                    .write(
                            "GET /api/runs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 403")
                    .contains("127.0.0.1", "without --open")
                    .doesNotContain("day-");
        }
    }

    @Test
    void tokenGivesReadAccess() throws Exception {
        server.close();
        server = start(Optional.of(TOKEN), Optional.empty());
        assertThat(get("/api/runs").statusCode()).isEqualTo(401);
        assertThat(
                        get("/api/runs", "Authorization", "Bearer " + TOKEN.replace('0', '1'))
                                .statusCode())
                .isEqualTo(401);
        assertThat(get("/api/runs", "Authorization", "Bearer " + TOKEN).statusCode())
                .isEqualTo(200);
        HttpResponse<String> first = get("/runs/day-03?token=" + TOKEN + "&q=a%20b");
        assertThat(first.statusCode()).isEqualTo(302);
        assertThat(first.headers().firstValue("set-cookie")).isEmpty();
        URI folder = first.uri().resolve(location(first));
        HttpResponse<String> second = get(folder.toString());
        assertThat(second.statusCode()).isEqualTo(302);
        String cookie = second.headers().firstValue("set-cookie").orElseThrow();
        assertThat(cookie)
                .contains("HttpOnly", "SameSite=Strict")
                .doesNotContain(TOKEN)
                .doesNotContainIgnoringCase("Path=")
                .doesNotContainIgnoringCase("Domain=");
        URI of = second.uri().resolve(location(second));
        assertThat(of.toString())
                .endsWith("/runs/day-03?q=a%20b")
                .startsWith(folder.resolve(".").toString())
                .doesNotContain(TOKEN);
        String page = of.toString();
        String pair = cookie.substring(0, cookie.indexOf(';'));
        assertThat(get(page, "Cookie", pair).statusCode()).isEqualTo(200);
        assertThat(get(page).statusCode()).as("the path alone").isEqualTo(401);
        for (String path : List.of("/", "/api/runs", "/metrics", "/nowhere", "/live")) {
            assertThat(get(path, "Cookie", pair).statusCode())
                    .as("the cookie alone, %s", path)
                    .isEqualTo(401);
        }
    }

    /// The redirect target. It must be relative, so that it works behind a proxy with its own path.
    private static String location(HttpResponse<String> redirect) {
        String to = redirect.headers().firstValue("location").orElseThrow();
        assertThat(URI.create(to).isAbsolute()).as(to).isFalse();
        assertThat(to).doesNotStartWith("/");
        return to;
    }

    @Test
    void pageAfterTheTokenBelongsToThisServer() throws Exception {
        server.close();
        server = start(Optional.of(TOKEN), Optional.empty());
        String folder = get("/?token=" + TOKEN).headers().firstValue("location").orElseThrow();
        String to = "/" + folder.substring(0, folder.indexOf('?')) + "?token=" + TOKEN + "&page=";
        for (String page : List.of("https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "a%3Ab")) {
            HttpResponse<String> sent = get(to + page);
            URI next = sent.uri().resolve(location(sent));
            assertThat(next.getAuthority()).as(page).isEqualTo(sent.uri().getAuthority());
        }
        for (String page : List.of("a%0D%0AX%3A1", "a%20b", "%5C%5Cevil.example", "%C3%A9")) {
            assertThat(get(to + page).statusCode()).as(page).isEqualTo(400);
        }
    }

    @Test
    void eventsOfRunArriveAtOnce() throws Exception {
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
            live.measuring("measuring with 8 in flight");
            assertThat(next(body, "phase")).contains("8 in flight");
            live.progress(3, Optional.of(6.0), Optional.of(812.5));
            assertThat(next(body, "progress")).contains("812.5");
            live.knee(7.5, new Interval(6.9, 8.2), 830);
            assertThat(next(body, "knee")).contains("7.5", "6.9", "8.2", "830");
            live.end("CPU limits the service");
            assertThat(next(body, "end")).contains("CPU limits");
        }
    }

    /// The events stay available until the server is closed.
    @Test
    void lateBrowserGetsEventsOfFinishedRun() throws Exception {
        server.close();
        var live = new Live("shop", new Silent());
        server = start(Optional.empty(), Optional.of(live));
        live.note("before the end");
        live.end("CPU limits the service");
        live.note("after the end");
        live.end("again");
        assertThat(live.goesOn()).isFalse();

        for (int i = 0; i < 3; i++) {
            String events = get("/live/events", "Accept", "text/event-stream").body();

            assertThat(events)
                    .contains("before the end", "CPU limits the service")
                    .doesNotContain("after the end", "again");
        }
    }

    /// The data of the next event with this name.
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
}
