package dev.jdyno.observe.sockets;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Known;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Counts the accepted connections of the target with a request in them, from repeated samples of
/// the kernel: connections on which the last data was received, not sent. This includes requests
/// that neither a thread nor a kernel queue shows, because the service keeps them in a queue of its
/// own. A connection with many requests at once (HTTP/2) counts as one.
///
/// If data was last received and sent within one tick of the kernel's clock, their order is
/// unknown. Two things look like that, and the acknowledgement excludes only some of the second
/// kind: the next request of a client without pauses, which comes in the tick of the answer before
/// it; and a request that was answered within a tick, after which the connection rests. On a
/// connection whose client pauses, it is always the second, because the next request comes after
/// the pause.
public final class AcceptedConnections {
    /// Shortest pause of a client that is one. Even a busy client reads an answer sooner.
    static final long PAUSE_MS = 50;

    /// Time in ms after which a connection rests whose order of data is unknown. It is longer than
    /// an answered request takes.
    static final long RESTS_MS = 1000;

    /// Share of such connections with a pause from which all others have one, too. Not each is
    /// sampled in a pause that shows.
    private static final double MOST = 0.25;

    private final Map<End, Samples> seen = new HashMap<>();
    private int looks;

    /// The samples of one connection.
    private static final class Samples {
        int withRequest;
        int unclear;
        boolean pauses;
    }

    /// Adds one sample.
    ///
    /// @param all connections of the network namespace
    /// @param accepted the target's ends of the connections that it accepted
    public void add(List<Known> all, Set<End> accepted) {
        looks++;
        all.stream().filter(k -> accepted.contains(k.end())).forEach(this::add);
    }

    private void add(Known known) {
        Samples samples = seen.computeIfAbsent(known.end(), _ -> new Samples());
        long between = Math.abs(known.sentMs() - known.receivedMs());
        boolean answered = known.sentMs() < known.receivedMs();
        if (between == 0) {
            samples.unclear += mayHaveRequest(known) ? 1 : 0;
            samples.pauses |= known.received() && known.receivedMs() > RESTS_MS;
        } else if (answered) {
            samples.pauses |= known.sentMs() >= PAUSE_MS;
        } else {
            samples.withRequest++;
            samples.pauses |= known.sent() && between >= PAUSE_MS;
        }
    }

    /// The next request carries the acknowledgement of the answer before it. If the acknowledgement
    /// came later, or is missing, there is no next request.
    private static boolean mayHaveRequest(Known known) {
        return known.received()
                && !known.unacknowledged()
                && known.acknowledgedMs() >= known.receivedMs()
                && known.receivedMs() <= RESTS_MS;
    }

    /// Mean number of accepted connections with a request; nothing when the kernel's data could not
    /// be read.
    public Signals inside() {
        if (looks == 0) {
            return Signals.NONE;
        }
        boolean mostPause = mostPause();
        int withRequest =
                seen.values().stream()
                        .mapToInt(s -> s.withRequest + (s.pauses || mostPause ? 0 : s.unclear))
                        .sum();
        return new Signals(Map.of(Sign.REQUESTS_INSIDE, withRequest / (double) looks));
    }

    private boolean mostPause() {
        long pausing = seen.values().stream().filter(s -> s.pauses).count();
        long unknown = seen.values().stream().filter(s -> !s.pauses && s.unclear > 0).count();
        return pausing > MOST * (pausing + unknown);
    }
}
