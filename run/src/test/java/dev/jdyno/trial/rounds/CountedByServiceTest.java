package dev.jdyno.trial.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.driver.ServiceCounts.Served;
import dev.jdyno.plan.InsidePlan;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.plan.Plan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountedByServiceTest {
    private static final int SECONDS = 10;

    /// Each request takes 1 s in the service.
    private static final String WITH_STATUS =
            """
            http_server_requests_seconds_count{method="GET",status="200",uri="/a"} %1$d
            http_server_requests_seconds_sum{method="GET",status="200",uri="/a"} %1$d
            http_server_requests_seconds_count{method="GET",status="503",uri="/a"} %2$d
            http_server_requests_seconds_sum{method="GET",status="503",uri="/a"} %2$d
            """;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong good = new AtomicLong(7);
    private final AtomicLong bad = new AtomicLong(3);
    private volatile String page = "";
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/metrics",
                exchange -> {
                    byte[] body =
                            page.formatted(good.get(), bad.get()).getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "text/plain");
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /// @param metrics place of the service's metrics
    private CountedByService counts(MetricsPlan metrics) {
        Plan plan =
                Plan.of("shop", URI.create("http://127.0.0.1:1/"), new Plan.TargetPlan.None())
                        .withInside(
                                new InsidePlan(false, List.of(), Optional.empty(), true, metrics));
        return new CountedByService(plan, Optional.empty(), now::get);
    }

    private CountedByService counts() {
        return counts(
                MetricsPlan.ofUrl(
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics"));
    }

    /// Serves requests in a window of 10 s.
    private Optional<Served> window(CountedByService counts, int goodPerS, int badPerS) {
        counts.begin();
        good.addAndGet((long) goodPerS * SECONDS);
        bad.addAndGet((long) badPerS * SECONDS);
        now.addAndGet(SECONDS * 1_000_000_000L);
        return counts.end();
    }

    @Test
    void requestsOfTheWindowAreCountedWithTheirMeanTime() {
        page = WITH_STATUS;
        try (var counts = counts()) {
            Served first = window(counts, 40, 2).orElseThrow();
            assertThat(first.source()).isEqualTo("metrics");
            assertThat(first.requests()).isEqualTo(400);
            assertThat(first.failed()).isEqualTo(20);
            assertThat(first.seconds()).isEqualTo(SECONDS, within(1e-9));
            assertThat(first.meanMs().orElseThrow()).isEqualTo(1000, within(1e-6));
            assertThat(first.missing()).hasSize(2).anyMatch(m -> m.startsWith("percentiles"));

            good.addAndGet(1000); // between the windows
            assertThat(window(counts, 80, 0).orElseThrow().requests()).isEqualTo(800);
        }
    }

    @Test
    void missingStatusIsNamed() {
        page =
                """
                REST_request_seconds_count{class="Shop",method="a"} %1$d
                REST_request_seconds_sum{class="Shop",method="a"} %1$d
                """;
        try (var counts = counts()) {
            Served seen = window(counts, 40, 0).orElseThrow();

            assertThat(seen.requests()).isEqualTo(400);
            assertThat(seen.missing()).anyMatch(m -> m.startsWith("failed requests"));
        }
    }

    @Test
    void serviceWithoutCountersHasAReason() {
        page = "jvm_threads_live_threads 12\n";
        try (var counts = counts()) {
            assertThat(window(counts, 40, 0)).isEmpty();
            assertThat(counts.failures()).anyMatch(f -> f.contains("no metrics of requests"));
        }
        try (var counts = counts(MetricsPlan.NONE)) {
            assertThat(window(counts, 40, 0)).isEmpty();
        }
    }

    @Test
    void countThatBeganAgainIsNoCount() {
        page = WITH_STATUS;
        try (var counts = counts()) {
            assertThat(window(counts, 40, 0)).isPresent();
            counts.begin();
            good.set(0);
            now.addAndGet(SECONDS * 1_000_000_000L);

            assertThat(counts.end()).isEmpty();
            assertThat(counts.failures()).isNotEmpty();
        }
    }
}
