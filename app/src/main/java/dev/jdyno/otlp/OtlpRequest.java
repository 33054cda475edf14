package dev.jdyno.otlp;

import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// One request to a collector: a POST on its own connection, without cookies, proxy and redirects.
final class OtlpRequest {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    /// Maximum number of bytes that are read of an answer.
    private static final int MAX_ANSWER = 64 << 10;

    /// Maximum number of characters that are shown of the collector's reason.
    private static final int MAX_REASON = 200;

    private static final int TOO_MANY_REQUESTS = 429;

    /// Statuses after which the protocol wants the same request again.
    private static final Set<Integer> RETRYABLE =
            Set.of(
                    TOO_MANY_REQUESTS,
                    HttpURLConnection.HTTP_BAD_GATEWAY,
                    HttpURLConnection.HTTP_UNAVAILABLE,
                    HttpURLConnection.HTTP_GATEWAY_TIMEOUT);

    private static final JsonNode NOTHING = JsonNodeFactory.instance.missingNode();

    private OtlpRequest() {}

    /// What became of a request.
    sealed interface Answer {
        /// @param rejected number of points that the collector did not accept
        /// @param why the collector's reason; empty if it accepted all points
        record Accepted(long rejected, String why) implements Answer {}

        /// The collector refuses this request, also if it is sent again.
        record Refused(String why) implements Answer {}

        /// The collector did not answer, or asks for the same request later.
        record Away(String why) implements Answer {}
    }

    static Answer send(OtlpEndpoint to, byte[] body) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) to.url().toURL().openConnection(Proxy.NO_PROXY);
            try {
                return send(connection, to, body);
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return new Answer.Away(
                    reason(e)
                            + (to.isPortOfGrpc()
                                    ? "; 4317 is the port of OTLP over gRPC, and 4318 that of OTLP"
                                            + " over HTTP"
                                    : ""));
        }
    }

    private static Answer send(HttpURLConnection connection, OtlpEndpoint to, byte[] body)
            throws IOException {
        connection.setConnectTimeout((int) CONNECT_LIMIT.toMillis());
        connection.setReadTimeout((int) ANSWER_LIMIT.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestMethod("POST");
        to.headers().forEach(connection::setRequestProperty);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Accept", "application/json");
        connection.setRequestProperty("User-Agent", "jdyno");
        connection.setRequestProperty("Connection", "close");
        connection.setDoOutput(true);
        // With a fixed length, the JDK does not repeat a request by itself.
        connection.setFixedLengthStreamingMode(body.length);
        try (var out = connection.getOutputStream()) {
            out.write(body);
        }
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        boolean good = status / 100 == 2;
        byte[] answer = read(good ? connection.getInputStream() : connection.getErrorStream());
        if (good) {
            return accepted(answer);
        }
        String why = "it answers HTTP " + status + message(answer).map(m -> ": " + m).orElse("");
        return RETRYABLE.contains(status) ? new Answer.Away(why) : new Answer.Refused(why);
    }

    private static byte[] read(@Nullable InputStream in) throws IOException {
        if (in == null) {
            return new byte[0];
        }
        try (in) {
            return in.readNBytes(MAX_ANSWER);
        }
    }

    /// Reads `{"partialSuccess": {"rejectedDataPoints": "3", "errorMessage": "…"}}`. An answer of
    /// another form is a success, because only its status counts.
    private static Answer accepted(byte[] answer) {
        JsonNode partial = tree(answer).map(t -> t.path("partialSuccess")).orElse(NOTHING);
        long rejected = partial.path("rejectedDataPoints").asLong(0);
        return new Answer.Accepted(
                Math.max(0, rejected), shown(partial.path("errorMessage").asString("")));
    }

    private static Optional<JsonNode> tree(byte[] answer) {
        try {
            return Optional.of(ForeignJson.tree(answer));
        } catch (Malformed notJson) {
            return Optional.empty();
        }
    }

    /// The collector's reason: `{"message": "…"}`, or the first line of a text.
    private static Optional<String> message(byte[] answer) {
        String text =
                tree(answer)
                        .map(t -> t.path("message").asString(""))
                        .orElseGet(() ->
                                new String(answer, StandardCharsets.UTF_8)
                                        .lines()
                                        .findFirst()
                                        .orElse(""));
        return Optional.of(shown(text)).filter(t -> !t.isEmpty());
    }

    private static String shown(String foreign) {
        String line = Secrets.text(Printable.line(foreign.strip()));
        return line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON) + "…";
    }

    private static String reason(IOException e) {
        return switch (e) {
            case UnknownHostException _ -> "the host is unknown";
            case SocketTimeoutException _ -> "no answer in time";
            default -> {
                String message = e.getMessage();
                yield message == null ? e.getClass().getSimpleName() : shown(message);
            }
        };
    }
}
