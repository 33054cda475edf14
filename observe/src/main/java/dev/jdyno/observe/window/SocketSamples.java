package dev.jdyno.observe.window;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.front.FrontServers;
import dev.jdyno.observe.sockets.AcceptedConnections;
import dev.jdyno.observe.sockets.Connections;
import dev.jdyno.observe.sockets.FrontConnections;
import dev.jdyno.observe.sockets.ListenQueues;
import dev.jdyno.observe.sockets.SocketStatistics;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.target.ProcFs;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The kernel's data on the target's connections, from the repeated samples of one diagnostic
/// window. They do not depend on whether the target gives thread dumps.
public final class SocketSamples {
    /// Minimum share of the connections for a port to be one on which requests arrive.
    private static final double IN_USE = 0.1;

    private final ProcFs proc;
    private final long pid;
    private final SignalsProbe probe;
    private final SocketStatistics kernel;
    private final Connections connections = new Connections();
    private final AcceptedConnections accepted = new AcceptedConnections();
    private final FrontConnections front;
    private final FrontServers servers;
    private final Map<Integer, Integer> connectionsByPort = new HashMap<>();
    private final OwnCalls own = new OwnCalls();
    private int looks;
    private final Map<Integer, Integer> waitingByPort = new HashMap<>();
    private double unsent;
    private double listenQueue;
    private long timeWait;
    private boolean listened;

    /// @param asked address of the load; empty if jdyno does not send it
    SocketSamples(ProcFs proc, long pid, SignalsProbe probe, Optional<URI> asked) {
        this.proc = proc;
        this.pid = pid;
        this.probe = probe;
        this.kernel = probe.sockets();
        this.front = new FrontConnections(asked);
        this.servers = new FrontServers(proc);
    }

    /// A service that starts opens its ports one after the other. Connections to a port that is not
    /// known yet would count as the service's own calls.
    private Sockets read() {
        return Sockets.read(proc, pid, Sockets.listeners(proc, pid));
    }

    /// Takes one sample.
    Sockets look(NanoClock clock) throws InterruptedException {
        Sockets sockets = read();
        looks++;
        listened |= sockets.takesConnections();
        sockets.waitingByPort().forEach((port, n) -> waitingByPort.merge(port, n, Integer::sum));
        listenQueue += sockets.listenQueue();
        unsent += sockets.unsent();
        timeWait = sockets.timeWait();
        front.add(sockets);
        servers.look(sockets);
        sockets.connectionsByPort().forEach((p, n) -> connectionsByPort.merge(p, n, Integer::sum));
        Set<SocketStatistics.End> ends = sockets.own(proc, pid);
        own.add(sockets);
        kernel.ask(clock)
                .ifPresent(all -> {
                    connections.add(all, ends);
                    accepted.add(all, sockets.accepted());
                });
        return sockets;
    }

    /// Mean number of connections whose request no thread has read yet.
    double waiting() {
        return waitingByPort.values().stream().mapToInt(n -> n).sum() / (double) looks;
    }

    /// The same number by the port of the connection.
    Map<Integer, Double> waitingByPort() {
        Map<Integer, Double> mean = new HashMap<>();
        waitingByPort.forEach((port, n) -> mean.put(port, n / (double) looks));
        return mean;
    }

    /// Mean number of connections that no process has accepted.
    double listenQueue() {
        return listenQueue / looks;
    }

    /// Number of requests that the kernel counts inside the target; nothing when it could not be
    /// read.
    Signals inside() {
        return accepted.inside();
    }

    OwnCalls own() {
        return own;
    }

    /// The calls to other services, most first.
    List<Calls> calls(Function<String, Optional<String>> databases) {
        return connections.calls(databases);
    }

    /// Takes a last sample, with the destinations of the target's connections.
    Last last() {
        Sockets sockets = read();
        Map<String, Integer> downstreams = new HashMap<>();
        sockets.own(proc, pid).forEach(c -> downstreams.merge(c.remote(), 1, Integer::sum));
        return new Last(sockets, downstreams);
    }

    /// @param downstreams connections of the target by host:port
    record Last(Sockets sockets, Map<String, Integer> downstreams) {}

    /// The signals of the target alone. The kernel counts dropped connections of all listeners of a
    /// network together, and a target that listens on no port drops none.
    Signals ofTarget(Signals counted) {
        return listened || !Sockets.showsListeners(proc, pid)
                ? counted
                : counted.without(Sign.LISTEN_OVERFLOWS_PER_S);
    }

    Signals signals(Last last) throws InterruptedException {
        Map<Sign, Double> levels = new EnumMap<>(Sign.class);
        levels.put(Sign.UNSENT_SOCKETS, unsent / looks);
        levels.put(Sign.TIME_WAIT_SOCKETS, (double) timeWait);
        return new Signals(levels)
                .and(probe.ports(last.sockets(), last.downstreams().keySet()))
                .and(connections.heldBack())
                .and(inside())
                .and(front.held())
                .and(SignalsProbe.maxConnections(last.downstreams()));
    }

    /// Configured limits of the layers before the target's threads.
    Limits limits() throws InterruptedException {
        Set<Integer> ports = portsInUse(connectionsByPort);
        FrontServers.Reported front = servers.reported(ports);
        List<LayerLimit> all = new ArrayList<>(front.limits());
        List<String> unread = new ArrayList<>(front.unread());
        if (!ports.isEmpty()) {
            ListenQueues.of(probe.ofNetwork(ListenQueues.SS), ports)
                    .ifPresentOrElse(all::addAll, () -> unread.add("ss gives no listen queues"));
        }
        return new Limits(
                all,
                unread.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Unseen("layers in front", String.join("; ", unread))));
    }

    /// Ports on which requests arrive. A JVM listens on other ports for JMX, debuggers and the
    /// like.
    public static Set<Integer> portsInUse(Map<Integer, Integer> connections) {
        int all = connections.values().stream().mapToInt(n -> n).sum();
        return connections.entrySet().stream()
                .filter(e -> e.getValue() >= IN_USE * all)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /// @param missing the unknown limits, each with the reason
    record Limits(List<LayerLimit> known, Optional<Unseen> missing) {}

    /// The missing part of the kernel's data on the connections, with the reason; empty when
    /// nothing is missing.
    Optional<Unseen> missing() {
        return kernel.missing();
    }
}
