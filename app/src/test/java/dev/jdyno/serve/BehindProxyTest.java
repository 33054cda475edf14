package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.history.History;
import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.FreePort;
import dev.jdyno.report.html.Browser;
import dev.jdyno.trial.Silent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real nginx with default settings serves the pages below its own path. Skipped if nginx is not
/// installed.
@Timeout(300)
class BehindProxyTest {
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final Pattern LINK = Pattern.compile("(?:href|action|data-live)=\"([^\"#]*)\"");

    @TempDir private Path folder;

    private final Live live = new Live("shop", new Silent());
    private Optional<Server> server = Optional.empty();
    private Optional<Server> open = Optional.empty();
    private Optional<Process> nginx = Optional.empty();
    private int port;

    @BeforeEach
    void aProxyInFront() throws Exception {
        assumeTrue(Files.isExecutable(NGINX), "there is no " + NGINX + " (nginx-light)");
        Path files = Files.createDirectories(folder.resolve("out"));
        Files.writeString(files.resolve("report.html"), "<p>the report</p>");
        History history = Week.of("shop", folder.resolve("store/history.db"), files);
        server = Optional.of(serve(history, Optional.of(Server.randomToken()), Optional.of(live)));
        open = Optional.of(serve(history, Optional.empty(), Optional.empty()));
        port = FreePort.get();
        nginx = Optional.of(start());
        Eventually.until("nginx", this::listens);
    }

    private static Server serve(History history, Optional<String> token, Optional<Live> live) {
        return Server.start(
                "127.0.0.1",
                0,
                token,
                new Server.Shown(history, live, Optional.empty(), GcPages::html, "test"));
    }

    private Process start() throws IOException {
        Path conf = folder.resolve("nginx.conf");
        Files.writeString(
                conf,
                """
                daemon off; master_process off; pid DIR/pid; error_log DIR/error.log;
                events { }
                http { access_log off;
                  client_body_temp_path DIR/b; proxy_temp_path DIR/p; fastcgi_temp_path DIR/f;
                  uwsgi_temp_path DIR/u; scgi_temp_path DIR/s;
                  server { listen 127.0.0.1:PORT;
                    location /tools/jdyno/ { proxy_pass TOKEN; }
                    location /impatient/ { proxy_pass TOKEN; proxy_read_timeout 20s; }
                    location /open/ { proxy_pass OPEN; }
                    location /named/ { proxy_pass OPEN; proxy_set_header Host $host; } } }
                """
                        .replace("DIR", folder.toString())
                        .replace("PORT", Integer.toString(port))
                        .replace("TOKEN", server.orElseThrow().url())
                        .replace("OPEN", open.orElseThrow().url()));
        return new ProcessBuilder(
                        NGINX.toString(),
                        "-e",
                        folder.resolve("e.log").toString(),
                        "-c",
                        conf.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.log").toFile())
                .start();
    }

    private boolean listens() {
        assertThat(nginx.orElseThrow().isAlive()).as("%s", folder.resolve("nginx.log")).isTrue();
        try (var _ = new Socket(LOOPBACK, port)) {
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @AfterEach
    void close() throws Exception {
        server.ifPresent(Server::close);
        open.ifPresent(Server::close);
        if (nginx.isPresent()) {
            nginx.get().destroy();
            if (!nginx.get().waitFor(1, TimeUnit.MINUTES)) {
                Process _ = nginx.get().destroyForcibly();
            }
        }
    }

    /// The address of a page through the proxy, as another user opens it.
    private String at(String place, String path) {
        String link = server.orElseThrow().link(path);
        return "http://127.0.0.1:"
                + port
                + place
                + link.substring(server.orElseThrow().url().length());
    }

    private static HttpClient client() {
        return HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .cookieHandler(new CookieManager())
                .build();
    }

    private static HttpResponse<String> get(HttpClient client, URI uri, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everyLinkOfEveryPageLeadsOnBelowTheProxysPath() throws Exception {
        live.end("over: no GC log is shown before");
        HttpClient browser = client();
        Set<URI> asked = new LinkedHashSet<>();
        for (String path :
                List.of(
                        "",
                        "runs?plan=shop",
                        "runs/day-03",
                        "trend?plan=shop&figure=qps",
                        "live")) {
            HttpResponse<String> page = get(browser, URI.create(at("/tools/jdyno/", path)));
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(page.uri().toString())
                    .startsWith("http://127.0.0.1:" + port + "/tools/jdyno/")
                    .endsWith("/" + path)
                    .doesNotContain("token");
            Matcher links = LINK.matcher(page.body());
            while (links.find()) {
                URI link = page.uri().resolve(links.group(1).replace("&amp;", "&"));
                assertThat(link.getPath()).as(path).startsWith("/tools/jdyno/");
                if (!link.getPath().endsWith("/events") && asked.add(link)) {
                    // without two selected results, the page explains what is missing
                    assertThat(get(browser, link).statusCode())
                            .as("%s on %s", link, path)
                            .isEqualTo(link.toString().endsWith("/compare") ? 400 : 200);
                }
            }
        }
        assertThat(asked).hasSizeGreaterThan(15);
    }

    @Test
    void refusesForeignHostWithFixAndAcceptsToken() throws Exception {
        HttpClient client = client();
        URI root = URI.create("http://localhost:" + port + "/");
        assertThat(get(client, root.resolve("open/api/runs")).statusCode()).isEqualTo(200);
        assertThat(get(client, root.resolve("named/api/runs")).statusCode()).isEqualTo(200);
        try (var socket = new Socket(LOOPBACK, port)) {
            socket.getOutputStream()
                    .write(
                            "GET /named/api/runs HTTP/1.1\r\nHost: dyno.example\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 403")
                    .contains("localhost", "without --open", "Host")
                    .doesNotContain("day-");
        }
    }

    private static String next(BufferedReader events, String text) throws IOException {
        String line = events.readLine();
        while (line != null && !line.contains(text)) {
            line = events.readLine();
        }
        assertThat(line).as(text).isNotNull();
        return String.valueOf(line);
    }

    private BufferedReader events(String place) throws Exception {
        HttpClient browser = client();
        HttpResponse<String> page = get(browser, URI.create(at(place, "live")));
        HttpResponse<InputStream> events =
                browser.send(
                        HttpRequest.newBuilder(page.uri().resolve("live/events"))
                                .header("Accept", "text/event-stream")
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        assertThat(events.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8));
    }

    /// The test reads each event before it creates the next one, so nginx must not buffer them.
    @Test
    void proxyForwardsEventsAtOnce() throws Exception {
        try (BufferedReader events = events("/tools/jdyno/")) {
            for (int i = 0; i < 5; i++) {
                live.note("note " + i + ".");
                assertThat(next(events, "data:")).contains("note " + i + ".");
            }
        }
    }

    @Tag("full") // waits for as long as nginx takes for silence
    @Test
    void proxyThatClosesIdleConnectionsKeepsTheEventStream() throws Exception {
        try (BufferedReader events = events("/impatient/")) {
            next(events, "the run goes on");
            next(events, "the run goes on");
            live.note("after 30 s of silence");
            assertThat(next(events, "data:")).contains("after 30 s");
        }
    }

    @Test
    void runningMeasurementUpdatesInABrowserBehindTheProxy(@TempDir Path profile) throws Exception {
        Optional<Browser> chromium = Browser.start(profile);
        assumeTrue(chromium.isPresent(), "no chromium with chromedriver on the PATH");
        try (Browser browser = chromium.get()) {
            browser.open(at("/tools/jdyno/", "live"));
            assertThat(browser.url()).contains("/tools/jdyno/").doesNotContain("token");
            live.measuring("measuring with 8 in flight");
            live.progress(3, Optional.of(6.0), Optional.of(812.0));
            browser.until(b -> b.text("#qps").equals("812"));
            live.round(ResultFixture.e1().rounds().getFirst());
            browser.until(b -> b.count("#table tr") == 1);
            browser.click(".mark a");
            browser.until(b -> b.count("svg.spark") == 1);
            assertThat(browser.consoleErrors()).isEmpty();
        }
    }
}
