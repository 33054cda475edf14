package dev.jdyno.otlp;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A collector for tests: keeps what it receives, and answers as the test wants.
public final class Collector implements AutoCloseable {
    /// An answer of the collector.
    public record Reply(int status, String body) {
        public static final Reply ACCEPTED = new Reply(200, "{}");
    }

    /// A request that the collector got.
    public record Received(String method, String path, Headers headers, JsonNode body) {}

    private final HttpServer server;
    private final List<Received> received = new ArrayList<>();

    /// A collector that accepts all values.
    public Collector() throws IOException {
        this(_ -> Reply.ACCEPTED);
    }

    /// @param replies the answer to each request, by its number from 0
    public Collector(IntFunction<Reply> replies) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] body = exchange.getRequestBody().readAllBytes();
                    Reply reply;
                    synchronized (received) {
                        reply = replies.apply(received.size());
                        received.add(
                                new Received(
                                        exchange.getRequestMethod(),
                                        exchange.getRequestURI().toString(),
                                        exchange.getRequestHeaders(),
                                        JsonMapper.shared().readTree(body)));
                    }
                    byte[] answer = reply.body().getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "application/json");
                    exchange.sendResponseHeaders(reply.status(), answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<Received> received() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    /// All values of a metric, in the order in which they came.
    public List<JsonNode> points(String metric) {
        List<JsonNode> found = new ArrayList<>();
        for (Received request : received()) {
            for (JsonNode m : request.body().at("/resourceMetrics/0/scopeMetrics/0/metrics")) {
                if (m.get("name").stringValue().equals(metric)) {
                    m.path(m.has("sum") ? "sum" : "gauge").get("dataPoints").forEach(found::add);
                }
            }
        }
        return found;
    }

    /// The text of an attribute; empty if there is none.
    public static String attribute(JsonNode of, String key) {
        for (JsonNode attribute : of.get("attributes")) {
            if (attribute.get("key").stringValue().equals(key)) {
                return attribute.at("/value/stringValue").stringValue();
            }
        }
        return "";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
