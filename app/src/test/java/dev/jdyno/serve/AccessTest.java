package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.history.History;
import dev.jdyno.trial.Silent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other users of the machine, the service under test, and slow or greedy clients get no data. They
/// do not delay the run.
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class AccessTest {
    private static final String PLAN = "shop-of-ann";
    private static final List<String> PATHS =
            List.of(
                    "",
                    "runs/day-03",
                    "runs/day-03/report",
                    "runs/day-03/gc?file=gc.log",
                    "trend?plan=" + PLAN,
                    "compare?a=day-00&b=day-09",
                    "live",
                    "live/events",
                    "watch",
                    "watch/day?service=shop&day=2026-11-30",
                    "api/watch",
                    "api/runs",
                    "api/runs/day-03",
                    "api/openapi.json",
                    "metrics",
                    "nowhere",
                    "?token=",
                    "?token=0123456789abcdef0123456789abcdef",
                    "//metrics",
                    "api/../metrics",
                    "%61pi/runs");

    @TempDir private Path folder;

    private final Live live = new Live("shop", new Silent());
    private final String token = Server.randomToken();
    private Optional<Server> server = Optional.empty();

    @BeforeEach
    void aRunThatGoesOn() throws Exception {
        Path files = Files.createDirectories(folder.resolve("out"));
        Files.writeString(files.resolve("report.html"), "<p>the report of " + PLAN);
        History history = Week.of(PLAN, folder.resolve("store/history.db"), files);
        server =
                Optional.of(
                        Server.start(
                                "127.0.0.1",
                                0,
                                Optional.of(token),
                                new Server.Shown(
                                        history,
                                        Optional.of(live),
                                        Optional.empty(),
                                        GcPages::html,
                                        "test")));
    }

    @AfterEach
    void close() {
        server.ifPresent(Server::close);
    }

    private Server server() {
        return server.orElseThrow();
    }

    private int port() {
        return URI.create(server().url()).getPort();
    }

    @Test
    void otherUserGetsNoResults() throws Exception {
        assumeTrue(isRoot(), "only root can be another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl");
        for (String path : PATHS) {
            Process other =
                    new ProcessBuilder(
                                    "setpriv",
                                    "--reuid=65534",
                                    "--regid=65534",
                                    "--clear-groups",
                                    "/usr/bin/curl",
                                    "-sg",
                                    "--path-as-is",
                                    "-m",
                                    "60",
                                    "-w",
                                    "%{http_code}",
                                    server().url() + path)
                            .redirectErrorStream(true)
                            .start();
            String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).as(path).matches("(?s).*(400|401|403)");
            assertThat(said).as(path).doesNotContain(PLAN, "day-", "qps", "jdyno_figure");
        }
    }

    private static boolean isRoot() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    private String raw(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void tokenGrantsAccess() throws Exception {
        askWithTheToken();
    }

    private void askWithTheToken() throws IOException {
        for (String path : List.of("api/runs", "metrics", "api/openapi.json")) {
            String answer =
                    raw(
                            "GET /"
                                    + path
                                    + " HTTP/1.1\r\nHost: dyno\r\nConnection: close\r\n"
                                    + "Authorization: Bearer "
                                    + token
                                    + "\r\n\r\n");
            assertThat(answer).as(path).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void refusesRequestWithBodyOrLongHead() throws Exception {
        String begin = "GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\n";
        assertThat(raw(begin + "Content-Length: 1000000000\r\n\r\nx")).startsWith("HTTP/1.1 413");
        assertThat(raw(begin + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"))
                .startsWith("HTTP/1.1 413");
        assertThat(raw(begin + "X: " + "x".repeat(8 << 10) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
    }

    /// A browser sends a cookie to every port of its host.
    @Test
    void theServiceUnderTestOnTheSameHostGetsNoCookie() throws Exception {
        List<String> cookies = new CopyOnWriteArrayList<>();
        HttpServer service =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext(
                "/",
                exchange -> {
                    cookies.addAll(exchange.getRequestHeaders().getOrDefault("Cookie", List.of()));
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        service.start();
        try {
            HttpClient browser =
                    HttpClient.newBuilder()
                            .followRedirects(HttpClient.Redirect.NORMAL)
                            .cookieHandler(new CookieManager())
                            .build();
            HttpResponse<String> page = get(browser, server().link(""));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.uri().getPath()).isNotEqualTo("/");
            assertThat(get(browser, page.uri().resolve("runs/day-03").toString()).statusCode())
                    .isEqualTo(200);
            String at = "http://127.0.0.1:" + service.getAddress().getPort() + "/";
            for (String path : PATHS) {
                if (!path.startsWith("/")) {
                    get(browser, at + path);
                }
            }
            assertThat(cookies).isEmpty();
        } finally {
            service.stop(0);
        }
    }

    /// A redirect to a page whose address still has the token would lead to itself.
    @ParameterizedTest
    @ValueSource(strings = {"token", "%74oken", "t%6Fken"})
    void readsTokenFromEncodedAddress(String name) throws Exception {
        HttpClient browser =
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .cookieHandler(new CookieManager())
                        .build();

        HttpResponse<String> page =
                get(browser, server().url() + "trend?plan=" + PLAN + "&" + name + "=" + token);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.uri().getRawQuery()).isEqualTo("plan=" + PLAN);
    }

    private static HttpResponse<String> get(HttpClient client, String uri) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(uri)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private BufferedReader watch(Socket browser) throws IOException {
        browser.getOutputStream()
                .write(
                        ("GET /live/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                        + "Accept: text/event-stream\r\nAuthorization: Bearer "
                                        + token
                                        + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
        InputStream in = browser.getInputStream();
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    private static void until(BufferedReader events, String text) throws IOException {
        String line = events.readLine();
        while (line != null && !line.contains(text)) {
            line = events.readLine();
        }
        assertThat(line).as(text).isNotNull();
    }

    @Test
    void silentSocketsBlockNoOtherClient() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (var browser = new Socket(InetAddress.getLoopbackAddress(), port())) {
            BufferedReader events = watch(browser);
            until(events, "HTTP/1.1 200");
            for (int i = 0; i < 400; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), port());
                silent.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream().write("GET /li".getBytes(StandardCharsets.US_ASCII));
                }
            }
            live.note("after four hundred");
            until(events, "after four hundred");
            askWithTheToken();
            assertThat(silent.getFirst().getInputStream().readAllBytes())
                    .as("the oldest is let go")
                    .isEmpty();
        } finally {
            for (Socket s : silent) {
                s.close();
            }
        }
    }

    /// If one browser reads nothing, the run and another browser go on.
    @Test
    void slowBrowserDelaysNoOtherRequest() throws Exception {
        try (var slow = new Socket(InetAddress.getLoopbackAddress(), port());
                var browser = new Socket(InetAddress.getLoopbackAddress(), port())) {
            slow.setReceiveBufferSize(1024);
            until(watch(slow), "HTTP/1.1 200");
            BufferedReader events = watch(browser);
            until(events, "HTTP/1.1 200");
            String says = "x".repeat(1 << 16);
            for (int i = 0; i < 300; i++) {
                live.phase(i + says);
            }
            live.note("the last one");
            until(events, "the last one");
        }
    }

    /// If the server stopped while a browser was connected, it would answer the rest of that
    /// connection without end on one core. Two such browsers left no thread for others.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void releasesBrowsersBeforeServerStops(boolean reads) throws Exception {
        try (var browser = new Socket(InetAddress.getLoopbackAddress(), port())) {
            browser.setReceiveBufferSize(1024);
            BufferedReader events = watch(browser);
            until(events, "HTTP/1.1 200");
            String says = "x".repeat(reads ? 1 : 1 << 16);
            for (int i = 0; i < 300; i++) {
                live.phase(i + says);
            }
            if (reads) {
                until(events, "299");
            }
            server().close();

            live.note("the browsers have gone");
            assertThat(live.watched()).isZero();
        }
    }

    @Test
    void readsNoGcLogDuringRun() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest page =
                HttpRequest.newBuilder(URI.create(server().url() + "runs/day-03/gc?file=gc.log"))
                        .header("Authorization", "Bearer " + token)
                        .build();
        assertThat(client.send(page, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(503);
        live.end("over");
        assertThat(client.send(page, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }
}
