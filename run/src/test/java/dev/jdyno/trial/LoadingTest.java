package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.load.LoadSession;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadingTest {
    private static final int BEFORE = 8;
    private static final int STOP_MS = 1500;

    /// The service stops for 1.5 s with 8 in flight. Meanwhile, the load is reduced to one.
    @Test
    void roundExcludesRequestsOfEarlierLoad() throws Exception {
        var kept = new AtomicInteger();
        var allKept = new CountDownLatch(BEFORE);
        try (var threads = Executors.newCachedThreadPool()) {
            HttpServer server = server();
            server.setExecutor(threads);
            server.createContext(
                    "/",
                    exchange -> {
                        boolean stopped = kept.incrementAndGet() <= BEFORE;
                        allKept.countDown();
                        pause(stopped ? STOP_MS : 2);
                        exchange.sendResponseHeaders(204, -1);
                        exchange.close();
                    });
            server.start();
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            try (var session = LoadSession.start(LoadSpec.to(url).build(), NanoClock.SYSTEM)) {
                var trialSetup =
                        new TrialSetup(
                                Optional.empty(),
                                Optional.empty(),
                                session,
                                Optional.empty(),
                                ExclusiveTarget.withoutTarget());
                var loading = Loading.on(trialSetup, NanoClock.SYSTEM, 0, () -> false);
                session.apply(new Level.Closed(BEFORE, Duration.ZERO));
                assertThat(allKept.await(5, TimeUnit.MINUTES)).isTrue();

                loading.settle(new Level.Closed(1, Duration.ZERO), 0.1);
                loading.waitFor(2 * STOP_MS / 1000.0);
                LoadWindow round = session.take();

                assertThat(round.qps() * round.latency().mean() / 1000)
                        .as("Little: one in flight")
                        .isLessThan(1.2);
            } finally {
                server.stop(0);
            }
        }
    }

    private static HttpServer server() throws IOException {
        return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    private static void pause(int ms) {
        try {
            // sleeps: response time of the reply
            TimeUnit.MILLISECONDS.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
