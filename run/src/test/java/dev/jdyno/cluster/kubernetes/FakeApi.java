package dev.jdyno.cluster.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The part of the Kubernetes API that `kubectl` needs for the commands that jdyno uses, over HTTP
/// on the loopback device.
final class FakeApi implements AutoCloseable {
    // /apis/batch/v1/namespaces/load/jobs/jdyno-0123456789abcdef
    private static final Pattern OBJECTS =
            Pattern.compile(
                    "/api(?:s/[a-z.]+)?/v1/namespaces/(?<namespace>[^/]+)/(?<kind>[a-z]+)(?:/(?<name>[^/]+))?(?:/(?<part>log|ephemeralcontainers))?");

    private final FakeCluster cluster;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    FakeApi(FakeCluster cluster) throws IOException {
        this.cluster = cluster;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /// A program that calls `kubectl` with a configuration for this server.
    ///
    /// @param home folder for the cache of `kubectl`
    Path kubectl(Path home) throws IOException {
        Path configuration =
                Files.writeString(
                        home.resolve("kubeconfig"),
                        """
                        apiVersion: v1
                        kind: Config
                        current-context: %1$s
                        contexts:
                          - {name: %1$s, context: {cluster: c, user: u, namespace: %2$s}}
                        clusters:
                          - {name: c, cluster: {server: "http://127.0.0.1:%3$d"}}
                        users:
                          - {name: u, user: {}}
                        """
                                .formatted(
                                        FakeCluster.CONTEXT,
                                        FakeCluster.NAMESPACE,
                                        server.getAddress().getPort()));
        Path program =
                Files.writeString(
                        home.resolve("kubectl"),
                        "#!/bin/sh\nHOME='%s' KUBECONFIG='%s' exec kubectl \"$@\"\n"
                                .formatted(home, configuration));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            try {
                send(exchange, 200, of(exchange, body));
            } catch (FakeCluster.Refused e) {
                ObjectNode status = FakeCluster.JSON.createObjectNode();
                status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
                status.put("code", e.code).put("reason", e.reason).put("message", e.getMessage());
                send(exchange, e.code, status);
            }
        }
    }

    private static void send(HttpExchange exchange, int code, JsonNode answer) throws IOException {
        byte[] bytes =
                (answer.isString() ? answer.stringValue() : answer.toString())
                        .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .set("Content-Type", answer.isString() ? "text/plain" : "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private JsonNode of(HttpExchange exchange, byte[] body) {
        URI uri = exchange.getRequestURI();
        Matcher objects = OBJECTS.matcher(uri.getPath());
        if (!objects.matches()) {
            return uri.getPath().endsWith("/selfsubjectaccessreviews")
                    ? review(body)
                    : discovery(uri.getPath());
        }
        String kind = objects.group("kind");
        String namespace = objects.group("namespace");
        String name = objects.group("name");
        String part = objects.group("part") == null ? "" : objects.group("part");
        if (part.equals("log")) {
            return FakeCluster.JSON.valueToTree(cluster.log(name, parameter(uri, "container")));
        }
        return switch (exchange.getRequestMethod()) {
            case "GET" ->
                    name == null
                            ? list(kind, namespace, parameter(uri, "labelSelector"))
                            : cluster.get(kind, name, part);
            case "PATCH" -> cluster.patched(name, part, FakeCluster.JSON.readTree(body));
            case "POST" ->
                    cluster.create(kind, namespace, (ObjectNode) FakeCluster.JSON.readTree(body));
            case "DELETE" -> {
                cluster.delete(kind, name);
                yield FakeCluster.JSON
                        .createObjectNode()
                        .put("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("status", "Success");
            }
            default -> throw notFound(kind, name);
        };
    }

    private static FakeCluster.Refused notFound(String kind, String name) {
        return new FakeCluster.Refused(404, "NotFound", kind + " \"" + name + "\" not found");
    }

    private static String parameter(URI uri, String name) {
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        return Arrays.stream(query.split("&"))
                .filter(p -> p.startsWith(name + "="))
                .map(p -> URLDecoder.decode(p.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }

    private JsonNode list(String kind, String namespace, String selector) {
        ObjectNode list = FakeCluster.JSON.createObjectNode();
        list.put("kind", FakeCluster.kind(kind) + "List");
        list.put("apiVersion", kind.equals("jobs") ? "batch/v1" : "v1");
        list.putObject("metadata").put("resourceVersion", "1");
        var items = list.putArray("items");
        cluster.list(kind, namespace, selector).forEach(items::add);
        return list;
    }

    /// Answers a SelfSubjectAccessReview, which `kubectl` before 1.30 or so sends as JSON, and
    /// later as protobuf.
    private JsonNode review(byte[] body) {
        boolean json = body[0] == '{';
        String verb;
        String kind;
        String part;
        if (json) {
            JsonNode asked =
                    FakeCluster.JSON.readTree(body).path("spec").path("resourceAttributes");
            verb = asked.path("verb").asString("");
            kind = asked.path("resource").asString("");
            part = asked.path("subresource").asString("");
        } else {
            // the bytes k8s\0, then nested fields: the envelope, its content, the spec, its
            // attributes
            byte[] asked = field(field(field(Arrays.copyOfRange(body, 4, body.length), 2), 2), 1);
            verb = new String(field(asked, 2), StandardCharsets.UTF_8);
            kind = new String(field(asked, 5), StandardCharsets.UTF_8);
            part = new String(field(asked, 6), StandardCharsets.UTF_8);
        }
        ObjectNode review = FakeCluster.JSON.createObjectNode();
        review.put("kind", "SelfSubjectAccessReview");
        review.put("apiVersion", "authorization.k8s.io/v1");
        review.putObject("metadata");
        review.putObject("spec");
        review.putObject("status")
                .put("allowed", cluster.may(verb, part.isEmpty() ? kind : kind + "/" + part));
        return review;
    }

    /// The first field with this number in a message of protobuf whose fields have a length.
    private static byte[] field(byte[] message, int number) {
        ByteBuffer from = ByteBuffer.wrap(message);
        while (from.hasRemaining()) {
            int tag = varint(from);
            if ((tag & 7) != 2) {
                throw new IllegalArgumentException("a field without a length");
            }
            byte[] value = new byte[varint(from)];
            from.get(value);
            if (tag >> 3 == number) {
                return value;
            }
        }
        return new byte[0];
    }

    private static int varint(ByteBuffer from) {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = from.get();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static JsonNode discovery(String path) {
        return switch (path) {
            case "/api" -> json("{'kind': 'APIVersions', 'versions': ['v1']}");
            case "/apis" ->
                    json(
                            "{'kind': 'APIGroupList', 'apiVersion': 'v1', 'groups': ["
                                    + group("batch")
                                    + ", "
                                    + group("authorization.k8s.io")
                                    + "]}");
            case "/api/v1" -> resources("v1", List.of("secrets", "services", "pods", "events"));
            case "/apis/batch/v1" -> resources("batch/v1", List.of("jobs"));
            case "/apis/authorization.k8s.io/v1" ->
                    json(
                            "{'kind': 'APIResourceList', 'apiVersion': 'v1', 'groupVersion':"
                                    + " 'authorization.k8s.io/v1', 'resources': [{'name':"
                                    + " 'selfsubjectaccessreviews', 'singularName': '', 'namespaced':"
                                    + " false, 'kind': 'SelfSubjectAccessReview', 'verbs':"
                                    + " ['create']}]}");
            default -> throw new FakeCluster.Refused(404, "NotFound", path + " not found");
        };
    }

    private static String group(String name) {
        String version = "{'groupVersion': '" + name + "/v1', 'version': 'v1'}";
        return "{'name': '"
                + name
                + "', 'versions': ["
                + version
                + "], 'preferredVersion': "
                + version
                + "}";
    }

    private static JsonNode resources(String version, List<String> names) {
        ObjectNode list = FakeCluster.JSON.createObjectNode();
        list.put("kind", "APIResourceList").put("apiVersion", "v1").put("groupVersion", version);
        var all = list.putArray("resources");
        for (String name : names) {
            ObjectNode one = all.addObject();
            one.put("name", name).put("singularName", "").put("namespaced", true);
            one.put("kind", FakeCluster.kind(name));
            one.putArray("verbs").add("create").add("delete").add("get").add("list").add("patch");
        }
        return list;
    }

    private static JsonNode json(String text) {
        return FakeCluster.JSON.readTree(text.replace('\'', '"'));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
