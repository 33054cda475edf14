package dev.jdyno.load.request;

import dev.jdyno.load.wire.TlsSettings;

/// The HTTP version of a session.
public enum Protocol {
    /// RFC 9112, one request at a time on each connection.
    HTTP_1_1(TlsSettings.HTTP_1_1),
    /// RFC 9113, negotiated by ALPN over TLS (`h2`) or used with prior knowledge without TLS
    /// (`h2c`).
    HTTP_2(TlsSettings.HTTP_2);

    private final String alpn;

    Protocol(String alpn) {
        this.alpn = alpn;
    }

    /// The name in a result: `HTTP/1.1` or `HTTP/2`.
    public String label() {
        return switch (this) {
            case HTTP_1_1 -> "HTTP/1.1";
            case HTTP_2 -> "HTTP/2";
        };
    }

    /// The name in TLS's protocol negotiation (ALPN).
    public String alpn() {
        return alpn;
    }
}
