package dev.jdyno.observe.sockets;

import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// Counts the connections that a proxy, a gateway or a client's pool in front of the target holds
/// to it, over repeated samples. It applies if the load is sent to a port on which the target does
/// not listen. Each connection carries one request at a time (HTTP/1.1) or many (HTTP/2).
public final class FrontConnections {
    private final Optional<URI> asked;
    private int looks;
    private int connections;

    /// @param asked address of the load; empty if jdyno does not send it
    public FrontConnections(Optional<URI> asked) {
        this.asked = asked;
    }

    /// Adds one sample.
    public void add(Sockets sockets) {
        if (asked.isPresent() && sockets.takesConnections() && !sockets.listensOn(port())) {
            looks++;
            connections += sockets.connections();
        }
    }

    private int port() {
        return HttpUrl.port(asked.orElseThrow());
    }

    /// Mean number of these connections; nothing if the load goes directly to the target.
    public Signals held() {
        return looks == 0
                ? Signals.NONE
                : new Signals(
                        Map.of(Sign.FRONT_CONNECTIONS, connections / (double) looks),
                        Map.of(
                                Sign.FRONT_CONNECTIONS,
                                Secrets.withoutUser(asked.orElseThrow().getRawAuthority())));
    }
}
