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

/// What the kernel tells of the target's connections over the looks of one set of thread samples,
/// whether or not the target gives thread dumps meanwhile.
public final class SocketSamples {
    /// Share of the connections from which a port is one that requests come in at.
    private static final double IN_USE = 0.1;

    private final ProcFs proc;
    private final long pid;
    private final SignalsProbe probe;
    private final Set<Long> listeners;
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

    /// @param asked where the load goes; empty where it is not ours
    SocketSamples(ProcFs proc, long pid, SignalsProbe probe, Optional<URI> asked) {
        this.proc = proc;
        this.pid = pid;
        this.probe = probe;
        this.listeners = Sockets.listeners(proc, pid);
        this.kernel = probe.sockets();
        this.front = new FrontConnections(asked);
        this.servers = new FrontServers(proc);
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

    /// Mean number of connections that no process has accepted.
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

    /// What the layers before the target's threads are set to let in.
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

    /// Ports that requests come in at: beside them a JVM listens for JMX, debuggers and the like.
    public static Set<Integer> portsInUse(Map<Integer, Integer> connections) {
        int all = connections.values().stream().mapToInt(n -> n).sum();
        return connections.entrySet().stream()
                .filter(e -> e.getValue() >= IN_USE * all)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /// @param missing what is not known of them and why
    record Limits(List<LayerLimit> known, Optional<Unseen> missing) {}

    /// Why the kernel's account of the connections has holes; empty when it has none.
    Optional<Unseen> missing() {
        return kernel.missing();
    }
}
