package dev.jdyno.measure.load;

import java.util.Map;

/// Why a request did not count as good, where that is no answer of another status.
public enum ErrorKind implements RequestError {
    /// No process listens there (ECONNREFUSED).
    CONNECT_REFUSED("connect-refused"),
    /// No connection within the connect timeout.
    CONNECT_TIMEOUT("connect-timeout"),
    /// This machine has no ephemeral port left towards the address (EADDRNOTAVAIL).
    CONNECT_NO_PORT("connect-no-port"),
    /// Any other failure to connect: no route, reset while connecting, …
    CONNECT_FAILED("connect-failed"),
    /// The TLS handshake failed.
    TLS("tls"),
    /// Sent, but no whole reply within the request timeout.
    TIMEOUT("timeout"),
    /// The server closed before the reply was whole.
    CLOSED("closed"),
    /// The server reset the connection before the reply was whole (ECONNRESET, EPIPE).
    RESET("reset"),
    /// The reply is not HTTP, or breaks its framing rules.
    MALFORMED("malformed"),
    /// HTTP/2: the server gave up the stream (RST_STREAM).
    STREAM_RESET("stream-reset"),
    /// HTTP/2: the server would not even look at the request, again and again (REFUSED_STREAM,
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
    /// The reply came, but a check of the workload did not hold.
    CHECK("check"),
    /// The reply came, but the effect of the operation was not seen in time.
    EFFECT_TIMEOUT("effect-timeout");

    private final String key;

    ErrorKind(String key) {
        this.key = key;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public boolean isWrongAnswer() {
        return this == CHECK;
    }

    /// Whether no connection came about.
    public boolean isOfConnecting() {
        return switch (this) {
            case CONNECT_REFUSED, CONNECT_TIMEOUT, CONNECT_NO_PORT, CONNECT_FAILED -> true;
            default -> false;
        };
    }

    /// What may fix the most frequent of these errors; empty where that depends on the service.
    ///
    /// @param counts errors by their name
    public static String hint(Map<String, Long> counts) {
        return RequestError.mostFrequent(counts).filter(most -> most == CLOSED).isPresent()
                ? "; if the server closes each connection after its reply without saying so, send -H"
                        + " 'Connection: close'"
                : "";
    }
}
