package dev.jdyno.load.wire;

/// The state of a connection attempt.
public enum Progress {
    /// Waiting for the server to accept.
    CONNECTING,
    /// Accepted; the TLS handshake is in progress.
    HANDSHAKING,
    DONE
}
