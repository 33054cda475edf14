package dev.jdyno.target;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// A real service in its own JVM, for tests. Each request holds one of {@link #SIZE} connections
/// for {@link #HELD_MS}. It exposes its requests and its pool under Micrometer's names, or its
/// requests as one count, as Helidon SE does.
public final class MeteredVictim {
    public static final int SIZE = 4;
    public static final long HELD_MS = 20;

    private static final String ONE_COUNT = "one-count";

    private MeteredVictim() {}

    /// Runs in the child JVM, which has no other class of jdyno.
    static final class Service {
        private static final int THREADS = 200;
        private static final double NANOS = 1e9;

        private final Semaphore pool = new Semaphore(SIZE, true);
        private final AtomicLong requests = new AtomicLong();
        private final AtomicLong requestNanos = new AtomicLong();
        private final AtomicLong waitNanos = new AtomicLong();
        private final AtomicLong heldNanos = new AtomicLong();
        private final AtomicLong readings = new AtomicLong();
        private final boolean oneCount;

        private Service(boolean oneCount) {
            this.oneCount = oneCount;
        }

        public static void main(String[] args) throws IOException {
            Service service = new Service(args.length > 0);
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newFixedThreadPool(THREADS));
            server.createContext("/", service::page);
            server.createContext("/metrics", service::metrics);
            server.start();
            System.out.println("ready " + server.getAddress().getPort());
            System.out.flush();
        }

        private void page(HttpExchange exchange) throws IOException {
            long start = System.nanoTime();
            pool.acquireUninterruptibly();
            long got = System.nanoTime();
            try {
                // sleeps: time for which a connection is held
                TimeUnit.MILLISECONDS.sleep(HELD_MS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                pool.release();
            }
            long end = System.nanoTime();
            waitNanos.addAndGet(got - start);
            heldNanos.addAndGet(end - got);
            requestNanos.addAndGet(end - start);
            requests.incrementAndGet();
            answer(exchange, "page");
        }

        private String counts(long count) {
            return oneCount
                    // readings of the metrics are in it
                    ? "requests_count_total{scope=\"vendor\"} " + (count + readings.get()) + "\n"
                    : """
                    http_server_requests_seconds_count{method="GET",status="200",uri="/"} %d
                    http_server_requests_seconds_sum{method="GET",status="200",uri="/"} %s
                    """
                            .formatted(count, requestNanos.get() / NANOS);
        }

        private void metrics(HttpExchange exchange) throws IOException {
            readings.incrementAndGet();
            long count = requests.get();
            String pools =
                    """
                    hikaricp_connections_max{pool="orders"} %d
                    hikaricp_connections_active{pool="orders"} %d
                    hikaricp_connections_pending{pool="orders"} %d
                    hikaricp_connections_acquire_seconds_count{pool="orders"} %d
                    hikaricp_connections_acquire_seconds_sum{pool="orders"} %s
                    hikaricp_connections_usage_seconds_count{pool="orders"} %d
                    hikaricp_connections_usage_seconds_sum{pool="orders"} %s
                    """
                            .formatted(
                                    SIZE,
                                    SIZE - pool.availablePermits(),
                                    pool.getQueueLength(),
                                    count,
                                    waitNanos.get() / NANOS,
                                    count,
                                    heldNanos.get() / NANOS);
            answer(exchange, counts(count) + pools);
        }

        private static void answer(HttpExchange exchange, String text) throws IOException {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }
    }

    /// Starts a service and waits until it listens. {@link Victims#port} returns its port.
    public static Target launch(Path dir)
            throws IOException, InterruptedException, URISyntaxException {
        return launch(dir, List.of());
    }

    /// The same, with one count of all requests and no times by endpoint.
    public static Target launchWithOneCount(Path dir)
            throws IOException, InterruptedException, URISyntaxException {
        return launch(dir, List.of(ONE_COUNT));
    }

    private static Target launch(Path dir, List<String> words)
            throws IOException, InterruptedException, URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx128m",
                        "-cp",
                        Path.of(
                                        Service.class
                                                .getProtectionDomain()
                                                .getCodeSource()
                                                .getLocation()
                                                .toURI())
                                .toString(),
                        Service.class.getName()));
        command.addAll(words);
        return Victims.await(Target.launch(command, Victims.output(dir), Victims.limit()), dir);
    }
}
