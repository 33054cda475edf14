package dev.jdyno.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.service.EndpointFigures;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.observe.sockets.Sockets.Loopback;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ServiceMetricsTest {
    private static final String TEXT = "text/plain;version=0.0.4;charset=utf-8";

    private final AtomicLong now = new AtomicLong();
    private final NanoClock clock = now::get;
    private final Map<String, Page> pages = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;

    private record Page(int status, String type, String text) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path);
        Page page = pages.getOrDefault(path, new Page(404, "text/plain", "no such page"));
        byte[] body = page.text().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", page.type());
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        exchange.sendResponseHeaders(page.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private ServiceMetrics at(String path) {
        return ServiceMetrics.at(URI.create("http://127.0.0.1:" + port() + path), clock);
    }

    private ServiceMetrics searched() throws InterruptedException {
        return ServiceMetrics.search(
                ProcFs.SYSTEM, ProcessHandle.current().pid(), port(), List.of(), clock);
    }

    /// Figures from two pages of metrics that were read ten seconds apart.
    private Optional<ServiceFigures> between(ServiceMetrics metrics, String path, Page... two)
            throws InterruptedException {
        pages.put(path, two[0]);
        MetricsReading before = metrics.read().orElseThrow();
        pages.put(path, two[1]);
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        MetricsReading after = metrics.read().orElseThrow();
        return metrics.between(before, after, 8, Optional.of(20.0));
    }

    private static Page text(String lines) {
        return new Page(200, TEXT, lines);
    }

    private static String spring(int orders, double orderSeconds, int items, double itemSeconds) {
        return """
        # TYPE http_server_requests_seconds summary
        http_server_requests_seconds_count{error="none",exception="none",method="GET",outcome="SUCCESS",status="200",uri="/orders/{id}"} %d
        http_server_requests_seconds_sum{error="none",exception="none",method="GET",outcome="SUCCESS",status="200",uri="/orders/{id}"} %s
        http_server_requests_seconds_count{error="none",exception="none",method="GET",outcome="SUCCESS",status="201",uri="/items"} %d
        http_server_requests_seconds_sum{error="none",exception="none",method="GET",outcome="SUCCESS",status="201",uri="/items"} %s
        http_server_requests_seconds_count{error="none",exception="none",method="GET",outcome="SUCCESS",status="200",uri="/actuator/prometheus"} 7
        http_server_requests_seconds_sum{error="none",exception="none",method="GET",outcome="SUCCESS",status="200",uri="/actuator/prometheus"} 9.5
        """
                .formatted(orders, orderSeconds, items, itemSeconds);
    }

    @Test
    void figuresOfEndpointAreDifferenceOfTwoReadings() throws Exception {
        ServiceFigures figures =
                between(
                                at("/actuator/prometheus"),
                                "/actuator/prometheus",
                                text(spring(100, 1, 50, 2)),
                                text(spring(200, 9, 150, 4)))
                        .orElseThrow();

        assertThat(figures.endpoints())
                .extracting(EndpointFigures::name, EndpointFigures::status)
                .containsExactly(tuple("GET /orders/{id}", "2xx"), tuple("GET /items", "2xx"));
        EndpointFigures first = figures.endpoints().getFirst();
        assertThat(first.requests()).isEqualTo(100);
        assertThat(first.perS()).isCloseTo(10, within(1e-9));
        assertThat(first.meanMs()).isCloseTo(80, within(1e-9));
        assertThat(first.timeShare()).isCloseTo(0.8, within(1e-9));
        assertThat(figures.limiting().orElseThrow().endpoint()).isEqualTo("GET /orders/{id}");
        // 20 requests/s by both counts
        assertThat(figures.countsDiffer()).isEmpty();
    }

    @Test
    void countsThatDifferByMoreThanTwoPercentAreNoted() throws Exception {
        ServiceFigures figures =
                between(
                                at("/actuator/prometheus"),
                                "/actuator/prometheus",
                                text(spring(100, 1, 50, 2)),
                                text(spring(205, 9, 150, 4)))
                        .orElseThrow();

        assertThat(figures.countsDiffer().orElseThrow()).isCloseTo(1.025, within(1e-9));
        assertThat(figures.at(8, Optional.empty()).countsDiffer()).isEmpty();
    }

    @Test
    void resetCounterGivesNoFigures() throws Exception {
        ServiceMetrics metrics = at("/actuator/prometheus");

        assertThat(
                        between(
                                metrics,
                                "/actuator/prometheus",
                                text(spring(100, 1, 50, 2)),
                                text(spring(10, 0.1, 60, 3))))
                .isEmpty();
        assertThat(metrics.missing()).hasSize(1);
        assertThat(metrics.means()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "+Inf", "-5"})
    void aValueThatIsNoCountIsLeftOut(String value) throws Exception {
        String other =
                "http_server_requests_seconds_count{method=\"GET\",status=\"500\",uri=\"/x\"} "
                        + value
                        + "\n";

        ServiceFigures figures =
                between(
                                at("/m"),
                                "/m",
                                text(spring(1, 1, 1, 1) + other),
                                text(spring(2, 2, 2, 2) + other))
                        .orElseThrow();

        assertThat(figures.endpoints()).extracting(EndpointFigures::uri).doesNotContain("/x");
    }

    @Test
    void ignoresValuesWithInfiniteSum() throws Exception {
        String huge =
                """
                http_server_requests_seconds_count{method="GET",status="500",uri="/x"} 1e308
                http_server_requests_seconds_count{method="GET",status="501",uri="/x"} 1e308
                http_server_requests_seconds_sum{method="GET",status="500",uri="/x"} 1e308
                http_server_requests_seconds_sum{method="GET",status="501",uri="/x"} 1e308
                hikaricp_connections_active{pool="a",shard="1"} 1e308
                hikaricp_connections_active{pool="a",shard="2"} 1e308
                hikaricp_connections_active{pool="b"} 3
                hikaricp_connections_max{pool="b"} 4
                """;
        String idle =
                "hikaricp_connections_active{pool=\"b\"} 3\nhikaricp_connections_max{pool=\"b\"} 4\n";

        ServiceFigures figures =
                between(
                                at("/m"),
                                "/m",
                                text(spring(1, 1, 1, 1) + idle),
                                text(spring(2, 2, 2, 2) + huge))
                        .orElseThrow();

        assertThat(figures.endpoints())
                .extracting(EndpointFigures::uri)
                .containsExactlyInAnyOrder("/orders/{id}", "/items");
        assertThat(figures.endpoints().stream().mapToDouble(EndpointFigures::timeShare).sum())
                .isCloseTo(1, within(1e-9));
        assertThat(figures.pools())
                .extracting(ServicePool::pool, ServicePool::use)
                .containsExactly(tuple("b", Optional.of(0.75)), tuple("a", Optional.empty()));
    }

    /// Names and labels of frameworks other than Spring Boot.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http_server_requests_seconds_%s{method=\"GET\",status=\"200\",uri=\"/a\"} %s",
                "http_server_request_duration_seconds_%s{http_request_method=\"GET\",http_response_status_code=\"200\",http_route=\"/a\"} %s",
                "ktor_http_server_requests_seconds_%s{address=\"h:1\",method=\"GET\",route=\"/a\",status=\"200\",throwable=\"n/a\"} %s",
                "vertx_http_server_response_time_seconds_%s{code=\"200\",method=\"GET\",path=\"/a\"} %s"
            })
    void eachFrameworkHasItsNames(String line) throws Exception {
        ServiceFigures figures =
                between(
                                at("/m"),
                                "/m",
                                text(line.formatted("count", 1) + "\n" + line.formatted("sum", 1)),
                                text(line.formatted("count", 5) + "\n" + line.formatted("sum", 3)))
                        .orElseThrow();

        assertThat(figures.endpoints())
                .extracting(EndpointFigures::name, EndpointFigures::status, EndpointFigures::meanMs)
                .containsExactly(tuple("GET /a", "2xx", 500.0));
    }

    @Test
    void aResourceMethodOfMicroProfileIsAnEndpoint() throws Exception {
        String line =
                "REST_request_seconds_%s{class=\"com.acme.Shop\",method=\"all\",mp_scope=\"base\",} %s\n";

        ServiceFigures figures =
                between(
                                at("/metrics"),
                                "/metrics",
                                text(line.formatted("count", 1) + line.formatted("sum", 1)),
                                text(line.formatted("count", 3) + line.formatted("sum", 2)))
                        .orElseThrow();

        assertThat(figures.endpoints())
                .extracting(EndpointFigures::name)
                .containsExactly("com.acme.Shop.all");
    }

    @Test
    void poolsHaveTheNamesOfTheService() throws Exception {
        String hikari =
                """
                hikaricp_connections_max{pool="orders"} 10.0
                hikaricp_connections_active{pool="orders"} 10.0
                hikaricp_connections_pending{pool="orders"} 54.0
                hikaricp_connections_acquire_seconds_count{pool="orders"} %1$d
                hikaricp_connections_acquire_seconds_sum{pool="orders"} %2$s
                hikaricp_connections_usage_seconds_count{pool="orders"} %1$d
                hikaricp_connections_usage_seconds_sum{pool="orders"} %3$s
                hikaricp_connections_timeout_total{pool="orders"} 2.0
                jdbc_connections_active{name="dataSource"} 10.0
                executor_active_threads{name="applicationTaskExecutor"} 0.0
                executor_pool_max_threads{name="applicationTaskExecutor"} 2.147483647E9
                tomcat_threads_busy_threads{name="http-nio-8080"} 64.0
                tomcat_threads_config_max_threads{name="http-nio-8080"} 200.0
                """;

        List<ServicePool> pools =
                between(
                                at("/m"),
                                "/m",
                                text(hikari.formatted(100, 5.0, 8.0)),
                                text(hikari.formatted(1100, 505.0, 106.0)))
                        .orElseThrow()
                        .pools();

        assertThat(pools)
                .extracting(ServicePool::pool)
                .containsExactly("orders", "http-nio-8080", "applicationTaskExecutor");
        ServicePool orders = pools.getFirst();
        assertThat(orders.inUse().orElseThrow()).isCloseTo(9.8, within(1e-9));
        assertThat(orders.waiting().orElseThrow()).isCloseTo(50, within(1e-9));
        assertThat(orders.waitMs().orElseThrow()).isCloseTo(500, within(1e-9));
        assertThat(orders.heldMs().orElseThrow()).isCloseTo(98, within(1e-9));
        assertThat(orders.timeouts()).contains(0L);
        assertThat(pools.get(1).inUse()).contains(64.0);
        assertThat(pools.get(2).max()).isEmpty();
        assertThat(pools.get(2).works()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/prometheus",
                "/q/metrics",
                "/prometheus",
                "/metrics",
                "/observe/metrics"
            })
    void metricsAreFoundOnThePortsOfTheProcessItself(String path) throws Exception {
        pages.put(path, text(spring(1, 1, 1, 1)));

        ServiceMetrics found = searched();

        assertThat(found.found()).isTrue();
        assertThat(found.read()).isPresent();
        assertThat(asked).containsSubsequence(path, path);
    }

    @Test
    void refusesPageThatIsNoMetricsText() throws Exception {
        pages.put("/actuator/prometheus", new Page(200, "text/html", "<html></html>"));
        pages.put("/q/metrics", new Page(200, "text/plain", "ok"));
        pages.put("/prometheus", new Page(302, TEXT, ""));
        pages.put("/metrics", new Page(200, "application/json", "{}"));
        pages.put("/observe/metrics", text("# no samples yet\n"));

        ServiceMetrics nothing = searched();

        assertThat(nothing.found()).isFalse();
        assertThat(nothing.read()).isEmpty();
        assertThat(nothing.missing()).isEmpty();
        assertThat(asked).containsExactlyElementsOf(ServiceMetrics.PATHS);
    }

    /// The metrics page of a Micrometer service before its first request.
    @Test
    void metricsWithoutARequestYetAreFound() throws Exception {
        pages.put("/metrics", text("jvm_threads_live_threads 20\n"));
        ServiceMetrics found = searched();

        MetricsReading before = found.read().orElseThrow();
        assertThat(found.missing()).hasSize(1);
        pages.put("/metrics", text(spring(200, 8, 100, 2)));
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        MetricsReading after = found.read().orElseThrow();

        assertThat(found.between(before, after, 8, Optional.empty()).orElseThrow().endpoints())
                .extracting(EndpointFigures::uri, EndpointFigures::requests)
                .contains(tuple("/orders/{id}", 200L), tuple("/items", 100L));
        assertThat(found.missing()).isEmpty();
    }

    @Test
    void metricsOfRequestsComeBeforeOthers() throws Exception {
        pages.put("/prometheus", text("jvm_threads_live_threads 20\n"));
        pages.put("/metrics", text(spring(1, 1, 1, 1)));

        assertThat(searched().read().orElseThrow().path()).isEqualTo("/metrics");
    }

    @Test
    void metricsThatAskForCredentialsAreMissingByName() throws Exception {
        pages.put("/actuator/prometheus", new Page(401, "text/plain", ""));

        assertThat(searched().missing()).singleElement().asString().contains("401", "--metrics");
    }

    @Test
    void queriesPortWithoutHttpOnce() throws Exception {
        try (var other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var accepted = new AtomicLong();
            Thread.ofVirtual()
                    .start(() -> {
                        while (!other.isClosed()) {
                            try (var s = other.accept()) {
                                accepted.incrementAndGet();
                                s.getOutputStream()
                                        .write("JDWP\n".getBytes(StandardCharsets.US_ASCII));
                            } catch (IOException closed) {
                                return;
                            }
                        }
                    });

            ServiceMetrics nothing =
                    ServiceMetrics.search(
                            List.of(new Loopback("127.0.0.1", other.getLocalPort())), clock);

            assertThat(nothing.found()).isFalse();
            // the JDK repeats a request whose connection ends without an answer
            assertThat(accepted.get()).isBetween(1L, 2L);
        }
    }

    @Test
    void peerThatNeverAnswersIsAbandoned() throws Exception {
        try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/m");

            assertThatThrownBy(() -> MetricsPage.get(uri, Duration.ofMillis(300)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        pages.put("/m", new Page(302, TEXT, ""));
        pages.put("/elsewhere", text(spring(1, 1, 1, 1)));
        ServiceMetrics metrics = at("/m");

        assertThat(metrics.read()).isEmpty();
        assertThat(metrics.missing()).singleElement().asString().contains("302");
        assertThat(asked).containsExactly("/m");
    }

    /// Each byte arrives within the read timeout of the socket, but the answer never ends.
    @Test
    void peerWithAnEndlessSlowAnswerIsAbandoned() throws Exception {
        try (var slow = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try (var s = slow.accept()) {
                            OutputStream out = s.getOutputStream();
                            out.write(
                                    ("HTTP/1.1 200 OK\r\nContent-Type: " + TEXT + "\r\n\r\n")
                                            .getBytes(StandardCharsets.US_ASCII));
                            while (!slow.isClosed()) {
                                out.write('\n');
                                out.flush();
                                // sleeps: interval between the bytes of an endless answer
                                Thread.sleep(20);
                            }
                        } catch (IOException | InterruptedException left) {
                            Thread.currentThread().interrupt();
                        }
                    });
            URI uri = URI.create("http://127.0.0.1:" + slow.getLocalPort() + "/m");

            assertThatThrownBy(() -> MetricsPage.get(uri, Duration.ofMillis(300)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("0.3 s");
        }
    }

    @Test
    void stopsReadingTooLongReply() throws Exception {
        pages.put("/m", text("#" + "x".repeat(MetricsPage.MAX_BYTES)));
        ServiceMetrics metrics = at("/m");

        assertThat(metrics.read()).isEmpty();
        assertThat(metrics.missing()).singleElement().asString().contains("MiB");
    }

    @Test
    void reportsUnreachableAddressOnce() throws Exception {
        int port = port();
        server.stop(0);
        ServiceMetrics metrics =
                ServiceMetrics.at(
                        URI.create("http://user:secret@127.0.0.1:" + port + "/m?token=x"), clock);

        assertThat(metrics.read()).isEmpty();
        assertThat(metrics.read()).isEmpty();
        assertThat(metrics.missing())
                .singleElement()
                .asString()
                .contains("127.0.0.1:" + port + "/m")
                .doesNotContain("secret", "token");
    }

    @Test
    void endpointsBeyondTheFirstHundredShareOneRow() throws Exception {
        var before = new StringBuilder();
        var after = new StringBuilder();
        for (int i = 0; i < 130; i++) {
            String line =
                    "http_server_requests_seconds_%s{method=\"GET\",status=\"200\",uri=\"/"
                            + i
                            + "\"} %s\n";
            before.append(line.formatted("count", 0)).append(line.formatted("sum", 0));
            after.append(line.formatted("count", 10)).append(line.formatted("sum", 1));
        }

        ServiceFigures figures =
                between(at("/m"), "/m", text(before.toString()), text(after.toString()))
                        .orElseThrow();

        assertThat(figures.endpoints()).hasSize(101);
        assertThat(figures.perS()).isCloseTo(130, within(1e-6));
        assertThat(figures.endpoints().getLast().requests()).isEqualTo(300);
        assertThat(figures.endpoints().stream().mapToDouble(EndpointFigures::timeShare).sum())
                .isCloseTo(1, within(1e-9));
        assertThat(figures.limiting()).isEmpty();
    }
}
