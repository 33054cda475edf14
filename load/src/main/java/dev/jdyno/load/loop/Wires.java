package dev.jdyno.load.loop;

import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.wire.Poller;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.SocketSettings;
import dev.jdyno.load.wire.TlsWire;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;
import java.net.SocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// Makes the wires of one event loop: plain ones of its poller, with TLS on top if needed, and slow
/// readers.
///
/// @param tls SSL context with the trusted certificates; empty without TLS
record Wires(EventLoop loop, Poller poller, Optional<SSLContext> tls) {
    Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner)
            throws SocketFailure {
        Wire wire = poller.connect(address, settings, owner);
        if (tls.isPresent()) {
            LoadSpec spec = loop.spec;
            wire =
                    new TlsWire(
                            wire,
                            spec.tls()
                                    .engine(
                                            tls.get(),
                                            spec.host(),
                                            spec.port(),
                                            spec.protocol().alpn()));
        }
        return settings.readBytesPerSecond() > 0
                ? new SlowWire(wire, loop, owner, settings.readBytesPerSecond())
                : wire;
    }
}
