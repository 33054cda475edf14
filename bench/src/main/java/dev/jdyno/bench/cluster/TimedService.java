package dev.jdyno.bench.cluster;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/// A service that records when the last request for each path arrived; its argument is `HOST`. It
/// prints its port. For each path in its input, it prints the number of requests and the time of
/// the last one, on the machine's monotonic clock.
final class TimedService {
    private record Seen(long count, long lastNanos) {
        Seen and(Seen later) {
            return new Seen(count + later.count, Math.max(lastNanos, later.lastNanos));
        }
    }

    private TimedService() {}

    public static void main(String[] args) throws IOException {
        Map<String, Seen> seen = new ConcurrentHashMap<>();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName(args[0]), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    seen.merge(
                            exchange.getRequestURI().getPath(),
                            new Seen(1, System.nanoTime()),
                            Seen::and);
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        server.start();
        System.out.println(server.getAddress().getPort());
        var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path = asked.readLine(); path != null; path = asked.readLine()) {
            Seen its = seen.getOrDefault(path, new Seen(0, 0));
            System.out.println(its.count() + " " + its.lastNanos());
        }
        System.exit(0);
    }
}
