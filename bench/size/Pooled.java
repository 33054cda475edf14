import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// A service whose requests each hold one of `-Dpool.size` connections for 40 ms. It has the metrics of HikariCP at `/metrics`.
///
///     java -Dpool.size=8 -cp DIR Pooled PORT
class Pooled {
    private static final int HELD_MS = 40;
    private static final int SIZE = Integer.getInteger("pool.size", 20);
    private static final Semaphore POOL = new Semaphore(SIZE, true);
    private static final AtomicInteger ACTIVE = new AtomicInteger();
    private static final LongAdder USES = new LongAdder();
    private static final LongAdder HELD_NANOS = new LongAdder();

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 1024);
        server.createContext("/metrics", exchange -> answer(exchange, metrics()));
        server.createContext("/", exchange -> {
            try {
                hold();
                answer(exchange, "ok\n");
            } catch (InterruptedException ended) {
                exchange.close();
            }
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    private static void hold() throws InterruptedException {
        POOL.acquire();
        long start = System.nanoTime();
        ACTIVE.incrementAndGet();
        try {
            Thread.sleep(HELD_MS);
        } finally {
            ACTIVE.decrementAndGet();
            HELD_NANOS.add(System.nanoTime() - start);
            USES.increment();
            POOL.release();
        }
    }

    private static String metrics() {
        return String.format(
                Locale.ROOT,
                """
                hikaricp_connections_max{pool="orders"} %d
                hikaricp_connections_active{pool="orders"} %d
                hikaricp_connections_pending{pool="orders"} %d
                hikaricp_connections_usage_seconds_count{pool="orders"} %d
                hikaricp_connections_usage_seconds_sum{pool="orders"} %.6f
                """,
                SIZE, ACTIVE.get(), POOL.getQueueLength(), USES.sum(), HELD_NANOS.sum() / 1e9);
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
