package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.watch.WatchFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class WebhookTest {
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile int status = 204;
    private volatile boolean slow;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String body =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    try {
                        if (slow) {
                            open.await();
                        }
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                    received.add(exchange.getRequestMethod() + " " + body);
                    exchange.getResponseHeaders().set("Location", "/elsewhere");
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Webhook hook() {
        return hook(Duration.ofHours(1), Optional::empty);
    }

    private Webhook hook(Duration again, Supplier<Optional<String>> state) {
        return new Webhook(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/?token=hunter2"),
                new Webhook.Times(Duration.ofMillis(1), again),
                state,
                notes::add);
    }

    @Test
    void presentStateIsSentAgainWithoutEvent() {
        var state = new AtomicInteger();
        try (Webhook _ = hook(Duration.ofMillis(1), () -> Optional.of("" + state.get()))) {
            Eventually.until("the first state", () -> received.contains("POST 0"));
            state.set(1);
            Eventually.until("the next state", () -> received.contains("POST 1"));
        }

        assertThat(notes).isEmpty();
    }

    /// A receiver that was away gets the alert, and later its end.
    @Test
    void receiverOfAlertsLearnsStateAfterItWasAway() {
        var alerts = new AlertState(Optional.of("web1"));
        var now = new AtomicReference<>(WatchFixture.START);
        status = 503;
        try (Webhook hook = hook(Duration.ofMillis(1), () -> alerts.document(now.get()))) {
            alerts.add(
                    new WatchEvent.BottleneckChanged(
                            now.get(),
                            "shop",
                            Optional.empty(),
                            WatchFixture.minute(0).named(Bottleneck.CPU).made().verdict()));
            alerts.document(now.get()).ifPresent(hook::offer);
            Eventually.until("the receiver is away", () -> !notes.isEmpty());
            received.clear();
            status = 200;
            Eventually.until("the alert", () -> received.stream().anyMatch(r -> !ended(r)));
            now.set(now.get().plusSeconds(60));
            alerts.add(
                    new WatchEvent.BottleneckChanged(
                            now.get(),
                            "shop",
                            Optional.of(Bottleneck.CPU),
                            WatchFixture.minute(1).made().verdict()));
            Eventually.until("its end", () -> received.stream().anyMatch(WebhookTest::ended));
        }

        assertThat(notes).hasSize(1);
    }

    private static boolean ended(String received) {
        return JsonMapper.shared()
                .readTree(received.substring("POST ".length()))
                .get(0)
                .has("endsAt");
    }

    @Test
    void eventsAreSentInOrderBeforeEnd() {
        try (Webhook hook = hook()) {
            List.of("{1}", "{2}", "{3}").forEach(hook::offer);
            while (!received.contains("POST {3}") && notes.isEmpty()) {
                Thread.onSpinWait();
            }
        }

        // an event is sent again if its answer was lost
        assertThat(received.stream().distinct())
                .containsExactly("POST {1}", "POST {2}", "POST {3}");
        assertThat(notes).isEmpty();
    }

    @Test
    void redirectIsNotFollowedAndFailureIsReportedOnceWithoutAddress() throws Exception {
        status = 302;
        try (Webhook hook = hook()) {
            hook.offer("{1}");
            hook.offer("{2}");
            while (!received.contains("POST {2}")) {
                Thread.onSpinWait();
            }
        }

        assertThat(received).containsOnly("POST {1}", "POST {2}");
        assertThat(notes).hasSize(1).noneMatch(n -> n.contains("hunter2"));
    }

    @Test
    void closedReceiverIsReportedOnce() {
        server.stop(0);
        try (Webhook hook = hook()) {
            hook.offer("{1}");
            hook.offer("{2}");
        }

        assertThat(notes).hasSize(1);
    }

    @Test
    void eventsBeyondLimitAreDroppedAndReported() {
        slow = true;
        try (Webhook hook = hook()) {
            for (int i = 0; i < Webhook.MAX_WAITING + 5; i++) {
                hook.offer("{" + i + "}");
            }
            // the sender may have taken the first event
            assertThat(notes).hasSizeBetween(4, 5);
            slow = false;
            open.countDown();
        }
    }
}
