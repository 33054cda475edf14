package dev.jdyno.observe;

import dev.jdyno.measure.Calls;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Signals;
import dev.jdyno.measure.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.net.URI;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// What the kernel tells of the target's connections over the looks of one census, whether or not
/// the target gives thread dumps meanwhile.
final class SocketLooks {
    private final ProcFs proc;
    private final long pid;
    private final SignalsProbe probe;
    private final Set<Long> listeners;
    private final SocketStatistics kernel;
    private final Connections connections = new Connections();
    private final AcceptedConnections accepted = new AcceptedConnections();
    private final FrontConnections front;
    private final OwnCalls own = new OwnCalls();
    private int looks;
    private final Map<Integer, Integer> waitingByPort = new HashMap<>();
    private double unsent;
    private double listenQueue;
    private long timeWait;

    /// @param asked where the load goes; empty where it is not ours
    SocketLooks(ProcFs proc, long pid, SignalsProbe probe, Optional<URI> asked) {
        this.proc = proc;
        this.pid = pid;
        this.probe = probe;
        this.listeners = Sockets.listeners(proc, pid);
        this.kernel = probe.sockets();
        this.front = new FrontConnections(asked);
    }

    /// One look.
    Sockets look(NanoClock clock) throws InterruptedException {
        Sockets sockets = Sockets.read(proc, pid, listeners);
        looks++;
        sockets.waitingByPort().forEach((port, n) -> waitingByPort.merge(port, n, Integer::sum));
        listenQueue += sockets.listenQueue();
        unsent += sockets.unsent();
        timeWait = sockets.timeWait();
        front.add(sockets);
        Set<SocketStatistics.End> ends = sockets.own(proc, pid);
        own.add(sockets);
        kernel.ask(clock)
                .ifPresent(all -> {
                    connections.add(all, ends);
                    accepted.add(all, sockets.accepted());
                });
        return sockets;
    }

    /// Mean number of connections whose request nobody has read.
    double waiting() {
        return waitingByPort.values().stream().mapToInt(n -> n).sum() / (double) looks;
    }

    /// The same by the port they came to.
    Map<Integer, Double> waitingByPort() {
        Map<Integer, Double> mean = new HashMap<>();
        waitingByPort.forEach((port, n) -> mean.put(port, n / (double) looks));
        return mean;
    }

    /// Mean number of connections that nobody has accepted.
    double listenQueue() {
        return listenQueue / looks;
    }

    /// How many requests the kernel knows to be inside; nothing when it could not be asked.
    Signals inside() {
        return accepted.inside();
    }

    OwnCalls own() {
        return own;
    }

    /// The calls to others, most first.
    List<Calls> calls(Function<String, Optional<String>> databases) {
        return connections.calls(databases);
    }

    /// A last look, at where the target has its connections.
    Last last() {
        Sockets sockets = Sockets.read(proc, pid, listeners);
        Map<String, Integer> downstreams = new HashMap<>();
        sockets.own(proc, pid).forEach(c -> downstreams.merge(c.remote(), 1, Integer::sum));
        return new Last(sockets, downstreams);
    }

    /// @param downstreams connections of the target by host:port
    record Last(Sockets sockets, Map<String, Integer> downstreams) {}

    Signals signals(Last last) throws InterruptedException {
        Map<Sign, Double> levels = new EnumMap<>(Sign.class);
        levels.put(Sign.UNSENT_SOCKETS, unsent / looks);
        levels.put(Sign.TIME_WAIT_SOCKETS, (double) timeWait);
        return new Signals(levels)
                .and(probe.ports(last.sockets(), last.downstreams().keySet()))
                .and(connections.heldBack())
                .and(inside())
                .and(front.held())
                .and(SignalsProbe.mostConnections(last.downstreams()));
    }

    /// Why the kernel's account of the connections has holes; empty when it has none.
    Optional<String> missing() {
        return kernel.missing();
    }
}
