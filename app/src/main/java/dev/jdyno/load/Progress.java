package dev.jdyno.load;

/// How far the making of a connection is.
enum Progress {
    /// Waiting for the server to accept.
    CONNECTING,
    /// Accepted; TLS is being agreed on.
    HANDSHAKING,
    DONE
}
