package dev.jdyno.load.wire;

/// How far the making of a connection is.
public enum Progress {
    /// Waiting for the server to accept.
    CONNECTING,
    /// Accepted; TLS is being agreed on.
    HANDSHAKING,
    DONE
}
