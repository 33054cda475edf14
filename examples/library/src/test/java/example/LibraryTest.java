package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;

import dev.jdyno.junit.Dynamometer;
import dev.jdyno.junit.Dyno;
import dev.jdyno.junit.RunResult;
import dev.jdyno.load.statistics.LoadWindow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;

/// Uses the libraries as a project does that gets them from a repository.
class LibraryTest {
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(200, hello.length);
                        exchange.getResponseBody().write(hello);
                    }
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @Test
    void readsTheLogOfThisJvm() {
        System.gc();
        String summary = ReadGcLog.summary(Path.of(System.getProperty("gc.log")));
        System.out.print(summary);
        assertTrue(summary.contains(" pauses, p99 "), summary);
    }

    @Test
    void sendsALoad() throws InterruptedException {
        LoadWindow window = DriveLoad.load(URI.create(url()), 200, Duration.ofSeconds(2));
        System.out.printf("%.0f requests/s, p99 %.2f ms%n", window.qps(), window.latency().p99());
        assertEquals(0, window.errors());
        assertTrue(window.requests() > 100, () -> window.requests() + " requests");
    }

    @Test
    @Dyno
    void measuresTheServerOfThisTest(Dynamometer dynamometer) {
        RunResult result =
                dynamometer
                        .at(url())
                        .concurrency(1, 4)
                        .round(Duration.ofSeconds(2))
                        .warmup(Duration.ofSeconds(3))
                        .run();
        System.out.println("limited by " + result.bottleneck() + ": " + result.says());
        result.assertThat().errorShare().isAtMost(0.01);
    }
}
