package dev.jdyno.load.wire;

import java.net.InetAddress;
import java.util.Optional;

/// How client sockets are made.
///
/// @param readBytesPerSecond read no more than this; 0: no limit
/// @param receiveBufferBytes SO_RCVBUF; 0 leaves the system's choice
/// @param source local address to connect from; empty leaves the system's choice
public record SocketSettings(
        int receiveBufferBytes, long readBytesPerSecond, Optional<InetAddress> source) {
    public static final SocketSettings DEFAULT = new SocketSettings(0, 0, Optional.empty());
}
