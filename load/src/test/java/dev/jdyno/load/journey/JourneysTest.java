package dev.jdyno.load.journey;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.load.LoadSession;
import dev.jdyno.load.ScriptedServer;
import dev.jdyno.load.Taken;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.RowOrder;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JourneysTest {
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(
                Executors.newCachedThreadPool(r -> Thread.ofPlatform().daemon().unstarted(r)));
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().toString();
                    seen.add(exchange.getRequestMethod() + " " + path);
                    byte[] body =
                            ("{\"token\": \"t-" + path.length() + "\", \"state\": \"open\"}")
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().add("X-Id", "h7");
                    // chunked, so that values are extracted across chunks
                    exchange.sendResponseHeaders(path.startsWith("/gone") ? 404 : 200, 0);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    private static Step step(String name, String path, List<Check> checks, List<Take> takes) {
        return new Step(name, "GET", path, Map.of(), "", checks, takes);
    }

    private static Workload of(Step... steps) {
        return new Workload(
                List.of(new Journey("j", 1, List.of(steps))), List.of(), RowOrder.SEQUENTIAL);
    }

    private static LoadWindow.NamedRequests named(LoadWindow w, String name) {
        return Objects.requireNonNull(w.named().get(name), name);
    }

    private LoadWindow load(Workload workload, int users, long requests) {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        return load(url, workload, users, requests);
    }

    private static LoadWindow load(URI url, Workload workload, int users, long requests) {
        LoadSpec spec = LoadSpec.to(url).loops(1).workload(workload).mostRequests(requests).build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(users, Duration.ZERO));
            return Taken.all(session);
        }
    }

    /// A value from a reply is inserted into the next request and must not leave its place there.
    @Test
    void aValueOfAReplyCannotAddHeadersOrRequests() throws IOException {
        String body = "{\"token\": \"a\\r\\nInjected: yes\\r\\n\\r\\nGET /evil HTTP/1.1\\r\\n\"}";
        List<String> lines = new CopyOnWriteArrayList<>();
        try (var hostile =
                new ScriptedServer((request, out) -> {
                    lines.add(request);
                    out.write(
                            ("HTTP/1.1 200 OK\r\nContent-Length: "
                                            + body.length()
                                            + "\r\n\r\n"
                                            + body)
                                    .getBytes(StandardCharsets.ISO_8859_1));
                    return true;
                })) {
            Workload workload =
                    of(
                            step(
                                    "login",
                                    "/login",
                                    List.of(),
                                    List.of(new Take.Json("token", "/token"))),
                            new Step(
                                    "order",
                                    "GET",
                                    "/order?t=${token}",
                                    Map.of("X-Token", "${token}"),
                                    "",
                                    List.of(),
                                    List.of()));
            LoadWindow w = load(hostile.url(), workload, 1, 10);

            assertThat(w.errors()).isZero();
            assertThat(lines).hasSize(10);
            assertThat(lines)
                    .allSatisfy(l -> assertThat(l).startsWith("GET /").endsWith(" HTTP/1.1"))
                    .noneSatisfy(l -> assertThat(l).startsWith("GET /evil"))
                    .anySatisfy(l -> assertThat(l).contains("?t=a%0D%0AInjected: yes%0D%0A"));
        }
    }

    @Test
    void unsuitableBodyIsAFailedCheck() throws IOException {
        String body = "ab".repeat(200_000);
        try (var hostile =
                ScriptedServer.saying(
                        "HTTP/1.1 200 OK\r\nContent-Length: "
                                + body.length()
                                + "\r\n\r\n"
                                + body)) {
            for (String endless : List.of("(?:a|b)*c", "((?:ab)+)+c", "(?:.*b){30}c")) {
                Take take = new Take.Regex("v", Pattern.compile(endless));
                Workload workload = of(step("x", "/", List.of(), List.of(take)));

                LoadWindow w = load(hostile.url(), workload, 1, 3);

                assertThat(w.errorKinds()).containsOnly(Map.entry("check", 3L));
                assertThat(w.failures())
                        .as("the limit that ended %s", endless)
                        .extracting(FailureCount::reason)
                        .containsAnyOf(
                                FailureReason.EXPRESSION_STEPS_TOO_MANY,
                                FailureReason.EXPRESSION_TOO_DEEP);
            }
        }
    }

    @Test
    void insertsReplyValuesIntoLaterRequests() {
        LoadWindow w =
                load(
                        of(
                                step(
                                        "login",
                                        "/login",
                                        List.of(),
                                        List.of(
                                                new Take.Json("token", "/token"),
                                                new Take.Header("id", "x-id"),
                                                new Take.Regex(
                                                        "state",
                                                        Pattern.compile("\"state\": \"(\\w+)\"")))),
                                step(
                                        "order",
                                        "/order?t=${token}&i=${id}&s=${state}&u=${user}",
                                        List.of(),
                                        List.of())),
                        1,
                        10);

        assertThat(w.requests()).isEqualTo(10);
        assertThat(seen).containsOnly("GET /login", "GET /order?t=t-6&i=h7&s=open&u=0");
        assertThat(w.named()).containsOnlyKeys("login", "order");
        assertThat(named(w, "order").requests()).isEqualTo(5);
        assertThat(named(w, "order").latencyNanos().getTotalCount()).isEqualTo(5);
    }

    @Test
    void aFailedCheckIsAnErrorAndEndsTheJourney() {
        LoadWindow w =
                load(
                        of(
                                step(
                                        "first",
                                        "/first",
                                        List.of(new Check.JsonEquals("/state", "shut")),
                                        List.of()),
                                step("second", "/second", List.of(), List.of())),
                        1,
                        6);

        assertThat(w.requests()).isZero();
        assertThat(w.errorKinds()).containsExactlyEntriesOf(Map.of("check", 6L));
        assertThat(seen).containsOnly("GET /first");
        assertThat(named(w, "first").errors()).isEqualTo(6);
    }

    @Test
    void acceptsPassedChecksAndExpectedStatus() {
        LoadWindow w =
                load(
                        of(
                                step(
                                        "gone",
                                        "/gone",
                                        List.of(
                                                new Check.Status(404),
                                                new Check.Contains("open"),
                                                new Check.BodyAtLeast(10)),
                                        List.of())),
                        1,
                        5);

        assertThat(w.requests()).isEqualTo(5);
        assertThat(w.errors()).isZero();
    }

    @Test
    void missingValueIsAFailedCheck() {
        LoadWindow w =
                load(of(step("a", "/a", List.of(), List.of(new Take.Json("x", "/no/such")))), 1, 3);

        assertThat(w.errorKinds()).containsExactlyEntriesOf(Map.of("check", 3L));
    }

    @Test
    void journeysAreChosenByWeight() {
        var workload =
                new Workload(
                        List.of(
                                new Journey(
                                        "often",
                                        3,
                                        List.of(step("often", "/o", List.of(), List.of()))),
                                new Journey(
                                        "rare",
                                        1,
                                        List.of(step("rare", "/r", List.of(), List.of())))),
                        List.of(),
                        RowOrder.SEQUENTIAL);

        LoadWindow w = load(workload, 2, 1000);

        // Binomial(1000, 0.25) has mean 250 and standard deviation 13.7. The range is 5 deviations.
        assertThat(named(w, "rare").requests()).isBetween(181L, 319L);
    }

    @Test
    void distributesRowsInOrderOrPerUser() {
        List<Map<String, String>> rows =
                List.of(Map.of("name", "ann"), Map.of("name", "bob"), Map.of("name", "cy"));
        List<Journey> journey =
                List.of(new Journey("j", 1, List.of(step("s", "/${name}", List.of(), List.of()))));

        load(new Workload(journey, rows, RowOrder.SEQUENTIAL), 1, 4);
        assertThat(seen).containsExactly("GET /ann", "GET /bob", "GET /cy", "GET /ann");
        seen.clear();
        load(new Workload(journey, rows, RowOrder.UNIQUE), 1, 3);
        assertThat(seen).containsExactly("GET /ann", "GET /ann", "GET /ann");
    }
}
