package dev.jdyno.trial.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.metrics.ServiceMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// The metrics of a simulated service, with a clock of its own: a count of requests, and a pool of
/// four connections of which one is in use.
final class MetricsServer implements AutoCloseable {
    private static final String POOL =
            """
            hikaricp_connections_max{pool="orders"} 4
            hikaricp_connections_active{pool="orders"} 1
            """;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong requests = new AtomicLong(1);
    private final AtomicLong readings = new AtomicLong();
    private final AtomicLong readingNanos = new AtomicLong();
    private final AtomicBoolean counts = new AtomicBoolean(true);
    private final AtomicBoolean fails = new AtomicBoolean();
    private final HttpServer server;

    private static String requests(long n) {
        return """
        http_server_requests_seconds_count{method="GET",status="200",uri="/"} %1$d
        http_server_requests_seconds_sum{method="GET",status="200",uri="/"} %1$d
        """
                .formatted(n);
    }

    MetricsServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", this::answer);
        server.start();
    }

    NanoClock clock() {
        return now::get;
    }

    OwnMetrics metrics() {
        URI page = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics");
        return new OwnMetrics(ServiceMetrics.at(page, clock()), clock());
    }

    /// Lets time pass.
    ///
    /// @param count requests that end in it
    void pass(double seconds, long count) {
        now.addAndGet(Math.round(seconds * 1e9));
        requests.addAndGet(count);
    }

    /// Sets the time that each reading takes.
    void take(double seconds) {
        readingNanos.set(Math.round(seconds * 1e9));
    }

    void fail(boolean wanted) {
        fails.set(wanted);
    }

    /// From now on, the metrics have the pool only.
    void countNoRequests() {
        counts.set(false);
    }

    /// Number of readings so far.
    long readings() {
        return readings.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        readings.incrementAndGet();
        now.addAndGet(readingNanos.get());
        String page = (counts.get() ? requests(requests.get()) : "") + POOL;
        byte[] body = page.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
        exchange.sendResponseHeaders(fails.get() ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
