package dev.jdyno.load.wire;

import java.net.InetAddress;
import java.util.Optional;

/// Settings of the client's sockets.
///
/// @param readBytesPerSecond maximum read rate; 0: no limit
/// @param receiveBufferBytes SO_RCVBUF; 0: the system's choice
/// @param source local address to connect from; empty: the system's choice
public record SocketSettings(
        int receiveBufferBytes, long readBytesPerSecond, Optional<InetAddress> source) {
    public static final SocketSettings DEFAULT = new SocketSettings(0, 0, Optional.empty());
}
