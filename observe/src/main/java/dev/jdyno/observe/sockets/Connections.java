package dev.jdyno.observe.sockets;

import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Known;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// What the kernel knows of the target's connections to other services, over some looks: which of
/// them await an answer, and which hold data back.
///
/// A connection awaits an answer when the last data on it was sent, not received: so calls of
/// asynchronous clients are seen, for which no thread waits. Held back is data that was written and
/// not sent: by Nagle's algorithm a small rest waits until the other side has acknowledged what
/// went before, 40 ms where that side delays its acknowledgements (RFC 896, RFC 1122 4.2.3.4).
///
/// Where the last data was sent and received within one tick of the kernel's clock, the last to go
/// is recognised by the acknowledgement: what was received acknowledges what was sent before it, so
/// bytes that are not acknowledged, or were so later, are a call under way. What is left undecided
/// is a call under way, too, where calls to that place take much longer than a tick: no answer came
/// within one, but a connection was lent anew as soon as it was given back. Else it is divided as
/// the other connections to the same place.
public final class Connections {
    /// Calls that take so long are not answered within a tick: twice the longest.
    private static final double LONG_CALL_MS = 20;

    private final Map<String, Place> places = new TreeMap<>();
    private int looks;

    /// Sums over the looks.
    private static final class Place {
        private final Set<Integer> ports = new HashSet<>();
        private int connections;
        private int awaiting;
        private int undecided;
        private int heldBack;

        /// Milliseconds from question to answer of calls that are over, and twice those since the
        /// question of calls under way.
        private final List<Double> lengths = new ArrayList<>();

        /// Half of the undecided where all are.
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

    /// One look.
    ///
    /// @param all connections of the network
    /// @param own ends of the target's connections to other services
    public void add(List<Known> all, Set<End> own) {
        looks++;
        all.stream().filter(k -> own.contains(k.end())).forEach(this::count);
    }

    private void count(Known known) {
        Place place = places.computeIfAbsent(known.end().remote(), _ -> new Place());
        place.ports.add(known.end().localPort());
        place.connections++;
        State state = state(known);
        place.awaiting += state == State.AWAITS ? 1 : 0;
        place.undecided += state == State.UNDECIDED ? 1 : 0;
        if (state == State.AWAITS && known.sentMs() > 0) {
            // a call is found halfway on average
            place.lengths.add(2.0 * known.sentMs());
        } else if (known.sentMs() > known.receivedMs()) {
            place.lengths.add((double) (known.sentMs() - known.receivedMs()));
        }
        place.heldBack += known.holdsBack() ? 1 : 0;
    }

    /// Of a connection that was opened within the tick of its first call, nothing was received.
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

    /// The calls under way, most first; none when the kernel could not be asked.
    ///
    /// @param databases names the places at which a database answers
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

    /// Mean number of connections that hold data back; nothing when the kernel could not be asked.
    public Signals heldBack() {
        return places.isEmpty()
                ? Signals.NONE
                : new Signals(
                        Map.of(
                                Sign.HELD_BACK_SOCKETS,
                                places.values().stream().mapToInt(p -> p.heldBack).sum()
                                        / (double) looks));
    }
}
