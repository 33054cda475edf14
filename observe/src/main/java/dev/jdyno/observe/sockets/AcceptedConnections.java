package dev.jdyno.observe.sockets;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Known;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How many of the connections that the target accepted have a request in it, over some looks of
/// the kernel: those on which the last data was received, not sent. So requests are counted that
/// neither a thread nor a queue of the kernel shows, because the service keeps them in a queue of
/// its own; of a connection that carries many at once (HTTP/2), one.
///
/// Whoever has no pause between two requests sends the next within the tick of the kernel's clock
/// in which the answer came. Then the acknowledgement tells: the next request brings that of the
/// answer with it, whereas one that came later, or is awaited, came without a request. What rests
/// so for longer than {@value #RESTS_MS} ms is a connection whose last request was answered within
/// a tick.
public final class AcceptedConnections {
    /// Longer than requests take that are answered at all, and shorter than most clients rest.
    static final long RESTS_MS = 1000;

    private int looks;
    private int withRequest;

    /// One look.
    ///
    /// @param all connections of the network
    /// @param accepted the target's ends of those that it accepted
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

    /// Mean number; nothing when the kernel could not be asked.
    public Signals inside() {
        return looks == 0
                ? Signals.NONE
                : new Signals(Map.of(Sign.REQUESTS_INSIDE, withRequest / (double) looks));
    }
}
