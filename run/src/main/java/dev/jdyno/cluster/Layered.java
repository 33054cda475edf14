package dev.jdyno.cluster;

import java.net.Socket;

/// A connection and the TCP connection below it. Only the TCP connection is closed to end it,
/// because closing a TLS socket waits while another thread writes to a peer that does not read.
///
/// @param tcp the TCP connection below
/// @param data carries the bytes; the same socket if there is no TLS
record Layered(Socket tcp, Socket data) implements AutoCloseable {
    /// A connection without TLS.
    static Layered plain(Socket tcp) {
        return new Layered(tcp, tcp);
    }

    @Override
    public void close() {
        Listener.close(tcp);
    }
}
