package dev.jdyno.load.loop;

import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.SocketSettings;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The users who share one HTTP/2 connection at a time. After a GOAWAY of the server, the old
/// connection finishes its requests while the next one is made.
final class Http2Group {
    final List<Http2Stream> streams = new ArrayList<>();

    private final EventLoop loop;
    private final SocketAddress address;
    private final SocketSettings settings;
    private @Nullable Http2Connection current;

    Http2Group(EventLoop loop, SocketAddress address, SocketSettings settings) {
        this.loop = loop;
        this.address = address;
        this.settings = settings;
    }

    Carrier stream(User user) {
        var stream = new Http2Stream(user, this, loop.spec.grpc().isPresent());
        streams.add(stream);
        return stream;
    }

    /// Adds a user to the connection; makes a connection if there is none.
    void join(Http2Stream stream, long now) throws SocketFailure {
        Http2Connection joined = current;
        if (joined == null) {
            joined = new Http2Connection(loop, this, new Dialer(loop, address, settings));
            current = joined;
            joined.dial(now);
        }
        joined.join(stream, now);
    }

    /// Makes sure that no further user joins that connection.
    void forget(Http2Connection connection) {
        if (current == connection) {
            current = null;
        }
    }
}
