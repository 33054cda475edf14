package dev.jdyno.observe.sockets;

import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Known;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The kernel's data on the target's connections to other services, over repeated samples: which of
/// them await an answer, and which hold data back.
///
/// A connection awaits an answer if the last data on it was sent, not received. So calls of
/// asynchronous clients are included, for which no thread waits. Data that was written and not sent
/// is held back: by Nagle's algorithm a small rest waits until the other side has acknowledged the
/// previous data. This takes 40 ms if that side delays its acknowledgements (RFC 896, RFC 1122
/// 4.2.3.4).
///
/// If the last data was sent and received within one tick of the kernel's clock, the
/// acknowledgement shows which was last. Received data acknowledges what was sent before it. So
/// bytes that are not acknowledged, or were acknowledged later, are an open call. All other
/// connections are undecided. They count as open calls if calls to that destination take much
/// longer than a tick. Then the answer did not come within the tick; instead, the connection was
/// used again as soon as it was returned. Otherwise they are divided in the same ratio as the
/// decided connections to that destination.
public final class Connections {
    /// Minimum median duration, in ms, of calls that are not answered within a tick: twice the
    /// longest tick.
    private static final double LONG_CALL_MS = 20;

    private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");

    private final Map<String, Place> places = new TreeMap<>();
    private int looks;
    private int peerEnds;
    private int peersHeldBack;

    /// Sums over the samples for one destination.
    private static final class Place {
        private final Set<Integer> ports = new HashSet<>();
        private int connections;
        private int awaiting;
        private int undecided;
        private int heldBack;

        /// Durations of calls in ms. For a completed call it is the time from request to answer,
        /// for an open call twice the time since the request.
        private final List<Double> lengths = new ArrayList<>();

        /// Number of connections that await an answer, including a share of the undecided ones. If
        /// all are undecided, the share is one half.
        double awaitingOfAll() {
            if (!lengths.isEmpty() && median(lengths) >= LONG_CALL_MS) {
                return awaiting + undecided;
            }
            double decided = connections - undecided;
            return awaiting + undecided * (awaiting + 0.5) / (decided + 1);
        }
    }

    private static double median(List<Double> values) {
        return Quantiles.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private enum State {
        AWAITS,
        IDLE,
        UNDECIDED
    }

    /// Adds one sample.
    ///
    /// @param all connections of the network namespace
    /// @param own ends of the target's connections to other services
    public void add(List<Known> all, Set<End> own) {
        looks++;
        all.stream().filter(k -> own.contains(k.end())).forEach(this::count);
        Set<Ports> peers = new HashSet<>();
        own.forEach(end -> port(end).ifPresent(p -> peers.add(new Ports(p, end.localPort()))));
        for (Known known : all) {
            boolean isPeer =
                    !own.contains(known.end())
                            && port(known.end())
                                    .filter(p ->
                                            peers.contains(new Ports(known.end().localPort(), p)))
                                    .isPresent();
            peerEnds += isPeer ? 1 : 0;
            peersHeldBack += isPeer && known.holdsBack() ? 1 : 0;
        }
    }

    /// The ports of an end: its own, and that of the other end. The two ends of a connection inside
    /// a network namespace have the same ports, exchanged.
    private record Ports(int local, int remote) {}

    /// The port of the other end; empty if the kernel's text has none.
    private static Optional<Integer> port(End end) {
        Matcher port = PORT.matcher(end.remote());
        return port.find() ? Optional.of(Integer.valueOf(port.group(1))) : Optional.empty();
    }

    private void count(Known known) {
        Place place = places.computeIfAbsent(known.end().remote(), _ -> new Place());
        place.ports.add(known.end().localPort());
        place.connections++;
        State state = state(known);
        place.awaiting += state == State.AWAITS ? 1 : 0;
        place.undecided += state == State.UNDECIDED ? 1 : 0;
        if (state == State.AWAITS && known.sentMs() > 0) {
            // on average a sample finds a call after half of its duration
            place.lengths.add(2.0 * known.sentMs());
        } else if (known.sentMs() > known.receivedMs()) {
            place.lengths.add((double) (known.sentMs() - known.receivedMs()));
        }
        place.heldBack += known.holdsBack() ? 1 : 0;
    }

    /// The state of a connection. If it was opened within the tick of its first call, no data was
    /// received on it.
    private static State state(Known known) {
        if (known.sentMs() != known.receivedMs()) {
            return known.sentMs() < known.receivedMs() ? State.AWAITS : State.IDLE;
        }
        if (!known.received()) {
            return known.sent() ? State.AWAITS : State.IDLE;
        }
        return known.unacknowledged() || known.acknowledgedMs() < known.sentMs()
                ? State.AWAITS
                : State.UNDECIDED;
    }

    /// The open calls to each service, most first; empty when the kernel's data could not be read.
    ///
    /// @param databases gives the name of a database at a place
    public List<Calls> calls(Function<String, Optional<String>> databases) {
        return places.entrySet().stream()
                .map(e -> calls(e.getKey(), e.getValue(), databases.apply(e.getKey())))
                .sorted(Comparator.comparingDouble(Calls::awaiting).reversed())
                .toList();
    }

    private Calls calls(String place, Place seen, Optional<String> database) {
        return new Calls(
                new dev.jdyno.measure.thread.Place.Peer(database, List.of(place)),
                seen.connections / (double) looks,
                seen.awaitingOfAll() / looks,
                seen.ports.size(),
                database.isPresent());
    }

    /// Mean number of connections with data that was written and not sent: by the target, and by
    /// the peers whose ends are in the same network namespace. Nothing if the kernel's data could
    /// not be read.
    public Signals heldBack() {
        if (places.isEmpty()) {
            return Signals.NONE;
        }
        Map<Sign, Double> held = new EnumMap<>(Sign.class);
        held.put(
                Sign.HELD_BACK_SOCKETS,
                places.values().stream().mapToInt(p -> p.heldBack).sum() / (double) looks);
        if (peerEnds > 0) {
            held.put(Sign.PEER_HELD_BACK_SOCKETS, peersHeldBack / (double) looks);
        }
        return new Signals(held);
    }
}
