package dev.jdyno.load.wire;

/// One non-blocking byte stream to the server. Belongs to one event loop and is used by its thread
/// only.
public interface Wire {
    /// What {@link #read} gives when the server has ended the stream.
    int END = -1;

    /// Reads what is there.
    ///
    /// @return bytes read; 0 when nothing is there now; {@link #END} at the end of the stream.
    ///   Fewer bytes than `length` mean that nothing more is there now, unless {@link #mustReadOn}
    int read(byte[] into, int offset, int length) throws SocketFailure;

    /// @return bytes taken, fewer than `length` when the socket's buffer is full
    int write(byte[] from, int offset, int length) throws SocketFailure;

    /// How far the making of the connection, with its handshake if it has one, is. Called whenever
    /// the poller reports a wire that was not complete before.
    Progress finishConnect() throws SocketFailure;

    /// Whether reading must go on until {@link #read} gives 0 or {@link #END} although it gave less
    /// than asked for, because no further readiness will be reported.
    boolean mustReadOn();

    /// Whether the server is known to have ended the stream; no further request can be sent.
    boolean isEnding();

    /// Whether bytes that {@link #write} took have not left yet and need another call.
    default boolean hasUnsent() {
        return false;
    }

    /// What ALPN agreed on (RFC 7301); empty without TLS or agreement.
    default String protocol() {
        return "";
    }

    void close();
}
