package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.Poll;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Operations whose effect is visible at the third poll (experiment E25).
class EffectTest {
    private static final int CHECKS = 3;
    private static final Duration EVERY = Duration.ofMillis(100);

    private final AtomicInteger jobs = new AtomicInteger();
    private final Map<String, AtomicInteger> looks = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> after = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(
                Executors.newCachedThreadPool(r -> Thread.ofPlatform().daemon().unstarted(r)));
        server.createContext("/jobs", this::answer);
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("POST")) {
            reply(exchange, 202, "{\"id\": \"j" + jobs.incrementAndGet() + "\"}");
        } else if (path.startsWith("/jobs/after")) {
            after.add(path);
            reply(exchange, 200, "{}");
        } else {
            int n = looks.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
            reply(exchange, n < CHECKS ? 404 : 200, "{\"state\": \"done\"}");
        }
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static Workload workload(Duration within, Check until, Step... more) {
        var poll = new Poll("GET", "/jobs/${id}", Map.of(), "", List.of(until), EVERY, within);
        Step start =
                new Step(
                                "job",
                                "POST",
                                "/jobs",
                                Map.of(),
                                "",
                                List.of(),
                                List.of(new Take.Json("id", "/id")))
                        .withPoll(poll);
        List<Step> steps = new java.util.ArrayList<>(List.of(start));
        steps.addAll(List.of(more));
        return new Workload(List.of(new Journey("j", 1, steps)), List.of(), RowOrder.SEQUENTIAL);
    }

    private LoadWindow load(Workload workload, Level level, long requests) {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        LoadSpec spec = LoadSpec.to(url).loops(1).workload(workload).mostRequests(requests).build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(level);
            return Taken.all(session);
        }
    }

    @Test
    void latencyLastsUntilEffectIsVisible() {
        LoadWindow w =
                load(
                        workload(Duration.ofMinutes(1), new Check.Status(200)),
                        new Level.Closed(2, Duration.ZERO),
                        6);

        assertThat(w.requests()).as("operations").isEqualTo(6);
        assertThat(w.errors()).isZero();
        assertThat(w.polls()).isEqualTo(6L * CHECKS);
        assertThat(w.statuses()).containsEntry(202, 6L).containsEntry(404, 12L);
        assertThat(w.latencyNanos().getMinValue())
                .isGreaterThan(CHECKS * EVERY.toNanos() * 99 / 100);
        var reply = Objects.requireNonNull(w.named().get("job: reply"));
        assertThat(reply.requests()).isEqualTo(6);
        assertThat(reply.latencyNanos().getMinValue())
                .isLessThan(w.latencyNanos().getMinValue() / 2);
        assertThat(looks).hasSize(6).containsKey("/jobs/j6");
    }

    @Test
    void lateEffectIsSeparateErrorAndEndsJourney() {
        Step next = new Step("after", "GET", "/jobs/after", Map.of(), "", List.of(), List.of());

        LoadWindow w =
                load(
                        workload(
                                // long enough for a first look on a busy machine
                                Duration.ofSeconds(5),
                                new Check.JsonEquals("/state", "never"),
                                next),
                        new Level.Closed(3, Duration.ZERO),
                        3);

        assertThat(w.requests()).isZero();
        assertThat(w.errorKinds()).containsExactlyEntriesOf(Map.of("effect-timeout", 3L));
        assertThat(after).isEmpty();
        assertThat(looks).hasSize(3);
    }

    @Test
    void eachArrivalOfTheOpenModelRunsAWholeJourney() {
        Step next =
                new Step("after", "GET", "/jobs/after/${id}", Map.of(), "", List.of(), List.of());

        LoadWindow w =
                load(
                        workload(Duration.ofMinutes(1), new Check.Contains("done"), next),
                        new Level.Open(4, 200, Arrivals.CONSTANT),
                        10);

        assertThat(w.requests()).isEqualTo(20);
        assertThat(w.errors()).isZero();
        assertThat(after).hasSize(10).contains("/jobs/after/j1", "/jobs/after/j10");
        assertThat(w.sendErrorNanos().getTotalCount() + w.backlogged())
                .as("arrivals")
                .isEqualTo(10);
    }
}
