package dev.jdyno.trial.rounds;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.service.ServiceFigures;
import dev.jdyno.observe.metrics.ServiceMetrics;
import dev.jdyno.plan.MetricsPlan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoundFiguresTest {
    private static final int SECONDS = 10;

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private RoundFigures figures = RoundFigures.none();

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/metrics",
                exchange -> {
                    byte[] page =
                            """
                            http_server_requests_seconds_count{method="GET",status="200",uri="/a"} %1$d
                            http_server_requests_seconds_sum{method="GET",status="200",uri="/a"} %1$d
                            """
                                    .formatted(requests.get())
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "text/plain");
                    exchange.sendResponseHeaders(200, page.length);
                    exchange.getResponseBody().write(page);
                    exchange.close();
                });
        server.start();
        String page = "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
        figures = new RoundFigures(metrics(page));
    }

    private ServiceMetrics metrics(String url) throws InterruptedException {
        return RoundFigures.metrics(
                MetricsPlan.ofUrl(url), Optional.empty(), 0, List.of(), now::get);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /// A round in which the service reports this number of requests per second.
    private Round measured(int concurrency, double clientPerS, int servicePerS)
            throws InterruptedException {
        Round round = round(concurrency, clientPerS).build();
        assertThat(figures.begin()).isTrue();
        requests.addAndGet(servicePerS * SECONDS);
        now.addAndGet(SECONDS * 1_000_000_000L);
        figures.end(round);
        return round;
    }

    @Test
    void eachRoundHasTheFiguresOfItsOwnWindow() throws Exception {
        Round first = measured(1, 40, 40);
        Round left = measured(2, 90, 90);
        Round second = measured(4, 100, 100);

        List<ServiceFigures> read = figures.of(List.of(second, first));

        assertThat(read).extracting(ServiceFigures::concurrency).containsExactly(4, 1);
        assertThat(read.getFirst().perS()).isCloseTo(100, within(1e-6));
        assertThat(figures.of(List.of(left))).hasSize(1);
        assertThat(figures.means()).containsExactly("metrics");
        assertThat(figures.missing()).isEmpty();
    }

    @Test
    void countsThatDifferAreNotedWithBoth() throws Exception {
        ServiceFigures same = figures.of(List.of(measured(1, 100, 101))).getFirst();
        ServiceFigures more = figures.of(List.of(measured(2, 100, 103))).getFirst();

        assertThat(CountNote.of(same)).isEmpty();
        assertThat(CountNote.of(more).orElseThrow().says()).contains("103.0", "100.0");
        assertThat(CountNote.of(more).orElseThrow().spoils()).isFalse();
    }

    @Test
    void reportsLostMetricsOnceWithoutFigures() throws Exception {
        server.stop(0);
        Round round = round(1, 100).build();

        for (int i = 0; i < 2; i++) {
            figures.begin();
            figures.end(round);
        }

        assertThat(figures.of(List.of(round))).isEmpty();
        assertThat(figures.missing()).hasSize(1);
        assertThat(figures.means()).isEmpty();
    }

    @Test
    void readsNothingWithoutMetrics() throws Exception {
        var nothing =
                new RoundFigures(
                        RoundFigures.metrics(
                                MetricsPlan.NONE, Optional.empty(), 0, List.of(), now::get));

        assertThat(nothing.begin()).isFalse();
        assertThat(nothing.missing()).isEmpty();
    }
}
