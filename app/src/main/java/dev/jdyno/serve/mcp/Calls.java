package dev.jdyno.serve.mcp;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The calls of tools that run now. A client may cancel one (`notifications/cancelled`). The tool
/// then stops, and its answer is not sent, as the protocol requires. The protocol's library does
/// not support cancellation. So this class filters the messages before and after the library
/// handles them.
final class Calls {
    /// Key of the request's id in the metadata of a call: the library does not pass on the id.
    private static final String REQUEST = "dev.jdyno/request";

    private static final String META = "_meta";

    private static final int INVALID_REQUEST = -32_600;

    /// Whether each running call was cancelled, by the id of its request. The key is the id as
    /// JSON, because 7 and "7" are different ids.
    private final Map<String, AtomicBoolean> running = new ConcurrentHashMap<>();

    private final OutputStream out;

    /// @param out gets the messages for the client
    Calls(OutputStream out) {
        this.out = out;
    }

    /// Registers the call that a message begins, or cancels the call that it names. A call with the
    /// id of a running call is refused, because their answers could not be distinguished.
    ///
    /// @return the message for the library; empty if it is not for the library
    Optional<JsonNode> received(JsonNode message) throws IOException {
        String method = message.path("method").asString("");
        if (method.equals("notifications/cancelled")) {
            String id = message.at("/params/requestId").toString();
            Optional.ofNullable(running.get(id)).ifPresent(c -> c.set(true));
            return Optional.empty();
        }
        if (method.equals("tools/call")
                && message.has("id")
                && message.path("params") instanceof ObjectNode params) {
            String id = message.get("id").toString();
            if (running.putIfAbsent(id, new AtomicBoolean()) != null) {
                refuse(message.get("id"));
                return Optional.empty();
            }
            ObjectNode meta =
                    params.path(META) instanceof ObjectNode given ? given : params.putObject(META);
            meta.put(REQUEST, id);
        }
        return Optional.of(message);
    }

    /// Becomes true when the client cancels the call.
    ///
    /// @param meta of the call, as the library passes it on
    BooleanSupplier cancelled(Map<String, Object> meta) {
        String id = String.valueOf(meta.get(REQUEST));
        return Optional.ofNullable(running.get(id)).orElseGet(AtomicBoolean::new)::get;
    }

    /// Passes on the messages of the library, without answers of cancelled calls.
    OutputStream answers() {
        return new Answers();
    }

    private void refuse(JsonNode id) throws IOException {
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        answer.put("jsonrpc", "2.0").set("id", id);
        answer.putObject("error")
                .put("code", INVALID_REQUEST)
                .put("message", "a call with this id runs; use another id");
        send(answer.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /// Sends one message. Two threads send: that of the library, and that of the reader of
    /// requests.
    private void send(byte[] message) throws IOException {
        synchronized (out) {
            out.write(message);
            out.write('\n');
        }
    }

    /// @return true if the message is an answer that the client no longer wants
    private boolean isUnwanted(byte[] message) {
        JsonNode sent = JsonMapper.shared().readTree(new String(message, StandardCharsets.UTF_8));
        boolean answer = sent.has("id") && !sent.has("method");
        return answer
                && Optional.ofNullable(running.remove(sent.get("id").toString()))
                        .filter(AtomicBoolean::get)
                        .isPresent();
    }

    /// Splits the library's output into messages: the library writes one per line.
    private final class Answers extends FilterOutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        Answers() {
            super(Calls.this.out);
        }

        @Override
        public void write(int b) throws IOException {
            if (b != '\n') {
                line.write(b);
                return;
            }
            byte[] message = line.toByteArray();
            line.reset();
            if (!isUnwanted(message)) {
                send(message);
            }
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            for (int i = from; i < from + count; i++) {
                write(bytes[i]);
            }
        }
    }
}
