package dev.jdyno.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.load.statistics.ReportedWindow.Counts;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class CountingProxyTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void countsAnswersAndTheirStatus() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(HERE, 0), 0);
        try (var threads = Executors.newCachedThreadPool();
                var proxy =
                        CountingProxy.start(
                                0,
                                new InetSocketAddress(HERE, server.getAddress().getPort()),
                                NanoClock.SYSTEM)) {
            server.setExecutor(threads);
            server.createContext(
                    "/",
                    exchange -> {
                        exchange.getRequestBody().readAllBytes();
                        int status = exchange.getRequestURI().getPath().equals("/bad") ? 503 : 200;
                        byte[] body = new byte[40_000];
                        exchange.sendResponseHeaders(status, body.length);
                        exchange.getResponseBody().write(body);
                        exchange.close();
                    });
            server.start();
            var at = URI.create("http://127.0.0.1:" + proxy.port() + "/");
            try (var client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
                for (String path : new String[] {"good", "bad", "good", "good"}) {
                    client.send(
                            HttpRequest.newBuilder(at.resolve(path))
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[50_000]))
                                    .build(),
                            BodyHandlers.ofByteArray());
                }
            }
            server.stop(0);
            Counts counted = awaited(proxy, 3);

            assertThat(counted.requests()).isEqualTo(3);
            assertThat(counted.errorKinds()).isEqualTo(Map.of("status-503", 1L));
            assertThat(counted.latencyNanos().orElseThrow().getTotalCount()).isEqualTo(3);
            assertThat(counted.bytesRead()).isGreaterThan(4 * 40_000);
            assertThat(proxy.take().requests()).isZero();
        }
    }

    /// The last answer is counted when its connection ends, which the proxy notices a little later.
    private static Counts awaited(CountingProxy proxy, long requests) {
        Counts sum = proxy.take();
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (sum.requests() < requests && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            Counts more = proxy.take();
            if (more.requests() > 0) {
                more.latencyNanos().orElseThrow().add(sum.latencyNanos().orElseThrow());
                Map<String, Long> errors = new TreeMap<>(sum.errorKinds());
                more.errorKinds().forEach((k, n) -> errors.merge(k, n, Long::sum));
                sum =
                        new Counts(
                                sum.requests() + more.requests(),
                                errors,
                                sum.bytesRead() + more.bytesRead(),
                                more.latencyNanos(),
                                sum.latency());
            }
        }
        return sum;
    }

    @Test
    void aServerThatClosesWithoutAnAnswerIsAnError() throws Exception {
        try (var server = new ServerSocket(0, 10, HERE);
                var proxy =
                        CountingProxy.start(
                                0,
                                new InetSocketAddress(HERE, server.getLocalPort()),
                                NanoClock.SYSTEM);
                var client = new Socket(HERE, proxy.port())) {
            byte[] request = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            client.getOutputStream().write(request);
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInputStream().readNBytes(request.length)).isEqualTo(request);
            }
            assertThat(client.getInputStream().read()).isEqualTo(-1);

            assertThat(proxy.take().errorKinds()).containsEntry("closed", 1L);
        }
    }

    @Test
    void refusesPortInUse() throws IOException {
        try (var taken = new ServerSocket(0, 1, HERE)) {
            assertThatThrownBy(() ->
                            CountingProxy.start(
                                    taken.getLocalPort(),
                                    new InetSocketAddress(HERE, 1),
                                    NanoClock.SYSTEM))
                    .isInstanceOf(UserError.class);
        }
    }
}
