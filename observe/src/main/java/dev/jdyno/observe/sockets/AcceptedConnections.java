package dev.jdyno.observe.sockets;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Known;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Counts the accepted connections of the target with a request in them, from repeated samples of
/// the kernel: connections on which the last data was received, not sent. This includes requests
/// that neither a thread nor a kernel queue shows, because the service keeps them in a queue of its
/// own. A connection with many requests at once (HTTP/2) counts as one.
///
/// If data was last received and sent within one tick of the kernel's clock, their order is
/// unknown. There are two such cases:
/// - The client does not pause: its next request came in the tick of the answer before it. A
///   request is inside.
/// - The request was answered within a tick, and the connection rests. The acknowledgement shows
///   that in some cases. In the others, what counts is whether the client was seen in a pause
///   before it sent a request or after it got an answer: then its next request comes later than in
///   the tick of an answer.
///
/// Not each pause is seen. So clients of one host at one port are judged together, too.
public final class AcceptedConnections {
    /// Shortest time between an answer and the next request that is a pause. A busy client takes
    /// less, unless it has no CPU.
    static final long PAUSE_MS = 50;

    /// Time in ms after which a connection rests whose order of data is unknown. It is longer than
    /// an answered request takes.
    static final long RESTS_MS = 1000;

    /// If more than this share of the clients were seen in a pause, all pause.
    private static final double MAJORITY = 0.5;

    /// The same share, if {@link #MAJORITY} of the connections also were in one tick for longer
    /// than {@value #RESTS_MS} ms. That alone would also fit requests that take so long.
    private static final double MINORITY = 0.05;

    private final Map<End, Samples> seen = new HashMap<>();
    private int looks;

    /// The samples of one connection.
    private static final class Samples {
        int withRequest;
        int unclear;
        boolean pauses;
        boolean rests;
    }

    /// Clients of one host at one port of the service.
    private record Clients(int port, String host) {
        static Clients of(End end) {
            int colon = end.remote().lastIndexOf(':');
            return new Clients(end.localPort(), end.remote().substring(0, Math.max(0, colon)));
        }
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
            samples.rests |= known.received() && known.receivedMs() > RESTS_MS;
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
        int withRequest =
                seen.entrySet().stream()
                        .collect(
                                Collectors.groupingBy(
                                        e -> Clients.of(e.getKey()),
                                        Collectors.mapping(
                                                Map.Entry::getValue, Collectors.toList())))
                        .values()
                        .stream()
                        .mapToInt(AcceptedConnections::requests)
                        .sum();
        return new Signals(Map.of(Sign.REQUESTS_INSIDE, withRequest / (double) looks));
    }

    private static int requests(List<Samples> clients) {
        boolean allPause = allPause(clients);
        return clients.stream()
                .mapToInt(s -> s.withRequest + (s.pauses || allPause ? 0 : s.unclear))
                .sum();
    }

    private static boolean allPause(List<Samples> clients) {
        double pausing = clients.stream().filter(s -> s.pauses).count();
        double resting = clients.stream().filter(s -> s.pauses || s.rests).count();
        double known = clients.stream().filter(s -> s.pauses || s.rests || s.unclear > 0).count();
        return pausing > MAJORITY * known
                || (pausing > MINORITY * known && resting > MAJORITY * known);
    }
}
