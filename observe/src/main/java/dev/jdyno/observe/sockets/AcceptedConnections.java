package dev.jdyno.observe.sockets;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Known;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Counts the accepted connections of the target with a request in them, from repeated samples of
/// the kernel: connections on which the last data was received, not sent. This includes requests
/// that neither a thread nor a kernel queue shows, because the service keeps them in a queue of its
/// own. A connection with many requests at once (HTTP/2) counts as one.
///
/// A client without a pause between two requests sends the next one within the kernel's clock tick
/// in which the answer came. In that case the acknowledgement decides: the next request carries the
/// acknowledgement of the answer. If the acknowledgement came later, or is missing, there is no
/// next request. If a connection stays in this state for longer than {@value #RESTS_MS} ms, its
/// last request was answered within a tick.
public final class AcceptedConnections {
    /// Time in ms after which a connection in this state no longer counts. It is longer than an
    /// answered request takes, and shorter than the pause of most clients.
    static final long RESTS_MS = 1000;

    private int looks;
    private int withRequest;

    /// Adds one sample.
    ///
    /// @param all connections of the network namespace
    /// @param accepted the target's ends of the connections that it accepted
    public void add(List<Known> all, Set<End> accepted) {
        looks++;
        withRequest +=
                (int) all.stream().filter(k -> accepted.contains(k.end()) && hasRequest(k)).count();
    }

    private static boolean hasRequest(Known known) {
        if (known.sentMs() != known.receivedMs()) {
            return known.receivedMs() < known.sentMs();
        }
        return known.received()
                && !known.unacknowledged()
                && known.acknowledgedMs() >= known.receivedMs()
                && known.receivedMs() <= RESTS_MS;
    }

    /// Mean number of accepted connections with a request; nothing when the kernel's data could not
    /// be read.
    public Signals inside() {
        return looks == 0
                ? Signals.NONE
                : new Signals(Map.of(Sign.REQUESTS_INSIDE, withRequest / (double) looks));
    }
}
