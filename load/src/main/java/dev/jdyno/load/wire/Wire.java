package dev.jdyno.load.wire;

/// One non-blocking byte stream to the server. Only the thread of its event loop uses it.
public interface Wire {
    /// Result of {@link #read} at the end of the server's stream.
    int END = -1;

    /// Reads the bytes that are available.
    ///
    /// @return number of bytes; 0 if none is available now; {@link #END} at the end of the stream.
    ///   Fewer bytes than `length` mean that no more are available now, unless {@link #mustReadOn}.
    int read(byte[] into, int offset, int length) throws SocketFailure;

    /// @return number of accepted bytes, fewer than `length` if the socket's buffer is full
    int write(byte[] from, int offset, int length) throws SocketFailure;

    /// Continues the connection attempt, including the TLS handshake if there is one, and returns
    /// its state. Called whenever the poller reports a wire that is not connected yet.
    Progress finishConnect() throws SocketFailure;

    /// True if the caller must read until {@link #read} returns 0 or {@link #END}, even after it
    /// returned less than requested, because no further readiness will be reported.
    boolean mustReadOn();

    /// True if the server is known to have ended the stream. No further request can be sent.
    boolean isEnding();

    /// True if some bytes accepted by {@link #write} are not sent yet and need another call.
    default boolean hasUnsent() {
        return false;
    }

    /// The protocol agreed on by ALPN (RFC 7301); empty without TLS or without agreement.
    default String protocol() {
        return "";
    }

    void close();
}
