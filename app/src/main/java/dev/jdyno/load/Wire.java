package dev.jdyno.load;

/// One non-blocking byte stream to the server. Belongs to one event loop and is used by its thread
/// only.
interface Wire {
    /// What {@link #read} gives when the server has ended the stream.
    int END = -1;

    /// Reads what is there.
    ///
    /// @return bytes read; 0 when nothing is there now; {@link #END} at the end of the stream.
    ///   Fewer bytes than `length` mean that nothing more is there now, unless {@link #endSeen}
    int read(byte[] into, int offset, int length) throws SocketFailure;

    /// @return bytes taken, fewer than `length` when the socket's buffer is full
    int write(byte[] from, int offset, int length) throws SocketFailure;

    /// Whether the connection, with its handshake if it has one, is complete. Called when the
    /// poller reports the wire and it was not complete before.
    boolean finishConnect() throws SocketFailure;

    /// Whether the server is known to have ended the stream, so that reading must go on until
    /// {@link #END} although no further readiness will be reported.
    boolean endSeen();

    void close();
}
