package dev.jdyno.measure.load;

import java.util.Arrays;
import java.util.Map;

/// Why a request did not count as good, except for an answer with another status.
public enum ErrorKind implements RequestError {
    /// No process listens on the port (ECONNREFUSED).
    CONNECT_REFUSED("connect-refused"),
    /// No connection within the connect timeout.
    CONNECT_TIMEOUT("connect-timeout"),
    /// This machine has no ephemeral port left for the address (EADDRNOTAVAIL).
    CONNECT_NO_PORT("connect-no-port"),
    /// Any other failure to connect: no route, reset while connecting, …
    CONNECT_FAILED("connect-failed"),
    /// The TLS handshake failed.
    TLS("tls"),
    /// The request was sent, but no complete reply came within the request timeout.
    TIMEOUT("timeout"),
    /// The server closed the connection before the reply was complete.
    CLOSED("closed"),
    /// The server reset the connection before the reply was complete (ECONNRESET, EPIPE).
    RESET("reset"),
    /// The reply is not HTTP, or breaks its framing rules.
    MALFORMED("malformed"),
    /// HTTP/2: the server cancelled the stream (RST_STREAM).
    STREAM_RESET("stream-reset"),
    /// HTTP/2: the server repeatedly refused the request without processing it (REFUSED_STREAM,
    /// GOAWAY).
    STREAM_REFUSED("stream-refused"),
    /// HTTP/2: the server ended the connection with an error (GOAWAY).
    GOAWAY("goaway"),
    /// A redirect that is not followed: too many in a row, or to another server.
    REDIRECT("redirect"),
    /// The reply is longer than the session allows.
    TOO_LARGE("too-large"),
    /// An arrival of the open model that found no free connection within the request timeout.
    NOT_SENT("not-sent"),
    /// An arrival of the open model that found the backlog full.
    DROPPED("dropped"),
    /// The reply came, but a check of the workload failed.
    CHECK("check"),
    /// The reply came, but the effect of the operation did not appear in time.
    EFFECT_TIMEOUT("effect-timeout"),

    // gRPC: the status with which the service ended the call, in the order of its codes from 1
    GRPC_CANCELLED("grpc-cancelled", 1),
    GRPC_UNKNOWN("grpc-unknown", 2),
    GRPC_INVALID_ARGUMENT("grpc-invalid-argument", 3),
    GRPC_DEADLINE_EXCEEDED("grpc-deadline-exceeded", 4),
    GRPC_NOT_FOUND("grpc-not-found", 5),
    GRPC_ALREADY_EXISTS("grpc-already-exists", 6),
    GRPC_PERMISSION_DENIED("grpc-permission-denied", 7),
    GRPC_RESOURCE_EXHAUSTED("grpc-resource-exhausted", 8),
    GRPC_FAILED_PRECONDITION("grpc-failed-precondition", 9),
    GRPC_ABORTED("grpc-aborted", 10),
    GRPC_OUT_OF_RANGE("grpc-out-of-range", 11),
    GRPC_UNIMPLEMENTED("grpc-unimplemented", 12),
    GRPC_INTERNAL("grpc-internal", 13),
    GRPC_UNAVAILABLE("grpc-unavailable", 14),
    GRPC_DATA_LOSS("grpc-data-loss", 15),
    GRPC_UNAUTHENTICATED("grpc-unauthenticated", 16);

    /// The largest code that gRPC defines.
    public static final int MAX_GRPC_CODE = 16;

    private static final ErrorKind[] OF_GRPC =
            Arrays.stream(values()).filter(k -> k.grpcCode > 0).toArray(ErrorKind[]::new);

    private final String key;
    private final int grpcCode;

    ErrorKind(String key) {
        this(key, 0);
    }

    ErrorKind(String key, int grpcCode) {
        this.key = key;
        this.grpcCode = grpcCode;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public boolean isWrongAnswer() {
        return this == CHECK || grpcCode > 0;
    }

    /// The kind of a gRPC status that is not OK.
    ///
    /// @param code a status code from 1; undefined codes count as UNKNOWN, as the specification of
    ///   gRPC says
    public static ErrorKind ofGrpc(int code) {
        return code > 0 && code <= MAX_GRPC_CODE ? OF_GRPC[code - 1] : GRPC_UNKNOWN;
    }

    /// The code of a gRPC status; 0 if this is not a gRPC status.
    public int grpcCode() {
        return grpcCode;
    }

    /// True if no connection was established.
    public boolean isOfConnecting() {
        return switch (this) {
            case CONNECT_REFUSED, CONNECT_TIMEOUT, CONNECT_NO_PORT, CONNECT_FAILED -> true;
            default -> false;
        };
    }

    /// A possible fix for the most frequent of these errors; empty if it depends on the service.
    ///
    /// @param counts errors by their name
    public static String hint(Map<String, Long> counts) {
        return RequestError.mostFrequent(counts).filter(e -> e == CLOSED).isPresent()
                ? "; if the server closes each connection after its reply without saying so, send -H"
                        + " 'Connection: close'"
                : "";
    }
}
