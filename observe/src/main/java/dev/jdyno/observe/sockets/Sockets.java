package dev.jdyno.observe.sockets;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The TCP sockets of the target's network namespace, from `/proc/PID/net/tcp` and `tcp6`.
public final class Sockets {
    private static final String ESTABLISHED = "01";
    private static final String TIME_WAIT = "06";
    private static final String LISTEN = "0A";
    private static final String LOOPBACK_4 = "127.0.0.1";
    private static final String LOOPBACK_6 = "[0:0:0:0:0:0:0:1]";
    private static final String ANY_4 = "0.0.0.0";
    private static final String ANY_6 = "[0:0:0:0:0:0:0:0]";

    private final List<Row> rows;
    private final Set<Integer> listenPorts;

    /// One socket.
    ///
    /// @param sendQueue bytes that the peer has not received yet
    /// @param receiveQueue bytes that no thread has read yet; for a listener: connections not
    ///   accepted yet
    public record Row(
            String localHost,
            int localPort,
            String remoteHost,
            int remotePort,
            String state,
            long sendQueue,
            long receiveQueue,
            long inode) {
        public String remote() {
            return remoteHost + ":" + remotePort;
        }
    }

    private Sockets(List<Row> rows, Set<Integer> listenPorts) {
        this.rows = rows;
        this.listenPorts = listenPorts;
    }

    /// Inodes of the listening sockets that the process itself holds.
    public static Set<Long> listeners(ProcFs proc, long pid) {
        Set<Long> listening = new HashSet<>();
        for (Row row : rows(proc, pid)) {
            if (row.state().equals(LISTEN)) {
                listening.add(row.inode());
            }
        }
        Set<Long> own = new HashSet<>();
        try (var fds = Files.newDirectoryStream(proc.of(pid, "fd"))) {
            for (Path fd : fds) {
                inode(fd).filter(listening::contains).ifPresent(own::add);
            }
        } catch (IOException | DirectoryIteratorException notOurs) {
            return Set.of();
        }
        return own;
    }

    /// True if it can be seen which sockets are the process's own. If not, {@link #listeners} is
    /// empty, too. Root without the capability `CAP_SYS_PTRACE`, as in a container, may list the
    /// descriptors of another user's process, but not read them.
    public static boolean showsListeners(ProcFs proc, long pid) {
        try (var fds = Files.newDirectoryStream(proc.of(pid, "fd"))) {
            for (Path fd : fds) {
                if (isReadable(fd)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException notOurs) {
            return false;
        }
    }

    private static boolean isReadable(Path fd) {
        try {
            return !Files.readSymbolicLink(fd).toString().isEmpty();
        } catch (IOException | UnsupportedOperationException closedOrNotOurs) {
            return false;
        }
    }

    /// Ports on which the process itself accepts connections, in its own network namespace.
    public static Set<Integer> portsOf(ProcFs proc, long pid) {
        return Set.copyOf(read(proc, pid, listeners(proc, pid)).listenPorts);
    }

    /// An address of the loopback device.
    ///
    /// @param host `127.0.0.1` or `[::1]`
    public record Loopback(String host, int port) {}

    /// Loopback addresses on which the process itself accepts connections, in its own network
    /// namespace. Addresses on which another process listens too are left out, because the kernel
    /// may choose either.
    public static Set<Loopback> onLoopback(ProcFs proc, long pid) {
        Set<Long> own = listeners(proc, pid);
        List<Row> listening =
                rows(proc, pid).stream().filter(r -> r.state().equals(LISTEN)).toList();
        Set<Loopback> found = new HashSet<>();
        for (Row row : listening) {
            int port = row.localPort();
            if (answersAlone(own, on(listening, port, Set.of(LOOPBACK_6, ANY_6)))) {
                found.add(new Loopback("[::1]", port));
            }
            List<Row> exact = on(listening, port, Set.of(LOOPBACK_4, ANY_4));
            // the wildcard of IPv6 takes connections of IPv4 too, if no other listener does
            List<Row> answering = exact.isEmpty() ? on(listening, port, Set.of(ANY_6)) : exact;
            if (answersAlone(own, answering)) {
                found.add(new Loopback(LOOPBACK_4, port));
            }
        }
        return found;
    }

    private static List<Row> on(List<Row> listening, int port, Set<String> hosts) {
        return listening.stream()
                .filter(r -> r.localPort() == port && hosts.contains(r.localHost()))
                .toList();
    }

    private static boolean answersAlone(Set<Long> own, List<Row> answering) {
        return !answering.isEmpty() && answering.stream().allMatch(r -> own.contains(r.inode()));
    }

    /// The inode of the socket that listens on a port.
    public static Optional<Long> listenerOn(ProcFs proc, long pid, int port) {
        return rows(proc, pid).stream()
                .filter(r -> r.state().equals(LISTEN) && r.localPort() == port)
                .map(Row::inode)
                .findFirst();
    }

    /// The process's own connections to other services. It reads every file descriptor.
    public Set<SocketStatistics.End> own(ProcFs proc, long pid) {
        Set<Long> own = new HashSet<>();
        try (var fds = Files.newDirectoryStream(proc.of(pid, "fd"))) {
            for (Path fd : fds) {
                inode(fd).ifPresent(own::add);
            }
        } catch (IOException | DirectoryIteratorException notOurs) {
            return Set.of();
        }
        Set<SocketStatistics.End> connections = new HashSet<>();
        for (Row row : rows) {
            if (row.state().equals(ESTABLISHED)
                    && !isServerSide(row)
                    && own.contains(row.inode())) {
                connections.add(new SocketStatistics.End(row.localPort(), row.remote()));
            }
        }
        return connections;
    }

    /// The target's ends of the connections to it.
    public Set<SocketStatistics.End> accepted() {
        return rows.stream()
                .filter(this::isServerSide)
                .map(r -> new SocketStatistics.End(r.localPort(), r.remote()))
                .collect(Collectors.toSet());
    }

    /// Both ports of a connection to the target.
    ///
    /// @param local port of the target
    public record Ports(int local, int remote) {}

    /// The ports of the connections to the target.
    public Set<Ports> acceptedPorts() {
        return rows.stream()
                .filter(this::isServerSide)
                .map(r -> new Ports(r.localPort(), r.remotePort()))
                .collect(Collectors.toSet());
    }

    /// Number of connections that the target has accepted, by its port.
    public Map<Integer, Integer> connectionsByPort() {
        Map<Integer, Integer> connections = new HashMap<>();
        rows.stream()
                .filter(this::isServerSide)
                .forEach(r -> connections.merge(r.localPort(), 1, Integer::sum));
        return connections;
    }

    /// Inodes of the callers' ends of accepted connections, in the network namespace of the process
    /// `pid`. The sockets may belong to that process or to another one.
    public static Set<Long> callers(ProcFs proc, long pid, Set<Ports> accepted) {
        return rows(proc, pid).stream()
                .filter(r -> r.state().equals(ESTABLISHED))
                .filter(r -> accepted.contains(new Ports(r.remotePort(), r.localPort())))
                .map(Row::inode)
                .collect(Collectors.toSet());
    }

    public static Sockets read(ProcFs proc, long pid, Set<Long> ownListeners) {
        List<Row> rows = rows(proc, pid);
        Set<Integer> ports = new HashSet<>();
        for (Row row : rows) {
            if (ownListeners.contains(row.inode())) {
                ports.add(row.localPort());
            }
        }
        return new Sockets(rows, ports);
    }

    private static List<Row> rows(ProcFs proc, long pid) {
        List<Row> rows = new ArrayList<>();
        for (String file : List.of("net/tcp", "net/tcp6")) {
            proc.text(pid, file).orElse("").lines().skip(1).forEach(l -> rows.add(parse(l)));
        }
        return rows;
    }

    /// ```
    ///   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
    ///    0: 0100007F:1F90 0100007F:D2F0 01 00000000:0000004E 00:00000000 00000000     0        0 123456
    /// ```
    static Row parse(String line) {
        String[] f = line.trim().split("\\s+");
        String[] queues = f[4].split(":");
        return new Row(
                host(f[1].substring(0, f[1].indexOf(':'))),
                port(f[1]),
                host(f[2].substring(0, f[2].indexOf(':'))),
                port(f[2]),
                f[3],
                Long.parseLong(queues[0], 16),
                Long.parseLong(queues[1], 16),
                Long.parseLong(f[9]));
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    /// The kernel prints each 32-bit word in host order: on little-endian machines bytes are
    /// swapped.
    private static String host(String hex) {
        byte[] raw = HexFormat.of().parseHex(hex);
        byte[] bytes = new byte[raw.length];
        for (int i = 0; i < raw.length; i++) {
            bytes[i] = raw[i / 4 * 4 + 3 - i % 4];
        }
        try {
            // an IPv4-mapped IPv6 address is returned as IPv4
            String host = InetAddress.getByAddress(bytes).getHostAddress();
            return host.contains(":") ? "[" + host + "]" : host;
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", impossible);
        }
    }

    public static Optional<Long> inode(Path fd) {
        try {
            // socket:[123456]
            String link = Files.readSymbolicLink(fd).toString();
            return link.startsWith("socket:[")
                    ? Optional.of(Long.parseLong(link.substring(8, link.length() - 1)))
                    : Optional.empty();
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    /// Number of connections to the target with bytes that no thread has read yet, by their port.
    /// Every port on which the target listens is included.
    public Map<Integer, Integer> waitingByPort() {
        Map<Integer, Integer> waiting = new HashMap<>();
        listenPorts.forEach(port -> waiting.put(port, 0));
        rows.stream()
                .filter(r -> isServerSide(r) && r.receiveQueue() > 0)
                .forEach(r -> waiting.merge(r.localPort(), 1, Integer::sum));
        return waiting;
    }

    /// True if the target itself accepts connections on the port.
    boolean listensOn(int port) {
        return listenPorts.contains(port);
    }

    /// True if the target is known to accept connections on at least one port.
    public boolean takesConnections() {
        return !listenPorts.isEmpty();
    }

    /// Connections to the target, including those not accepted yet.
    int connections() {
        return (int) rows.stream().filter(this::isServerSide).count();
    }

    /// Connections whose answer the client has not received yet.
    public int unsent() {
        return (int) rows.stream().filter(r -> isServerSide(r) && r.sendQueue() > 0).count();
    }

    /// Connections that no process has accepted yet.
    public long listenQueue() {
        return rows.stream()
                .filter(r -> r.state().equals(LISTEN) && listenPorts.contains(r.localPort()))
                .mapToLong(Row::receiveQueue)
                .sum();
    }

    /// Closed connections that still hold their ports.
    public long timeWait() {
        return rows.stream().filter(r -> r.state().equals(TIME_WAIT)).count();
    }

    /// The destination to which most local ports are bound, and their number. The ephemeral ports
    /// of a connection remain free for other destinations, so each destination counts separately. A
    /// closed connection shows its destination but not its process. So connections to the target,
    /// and to destinations of the target, count whatever their process.
    ///
    /// @param downstreams destinations of the target's connections; when empty, every destination
    ///   counts
    public Optional<Map.Entry<String, Long>> maxPorts(Set<String> downstreams) {
        Map<String, Long> held = new HashMap<>();
        for (Row row : rows) {
            boolean toTarget = listenPorts.contains(row.remotePort());
            if (!row.state().equals(LISTEN)
                    && !listenPorts.contains(row.localPort())
                    && (downstreams.isEmpty() || toTarget || downstreams.contains(row.remote()))) {
                held.merge(row.remote(), 1L, Long::sum);
            }
        }
        return held.entrySet().stream().max(Map.Entry.comparingByValue());
    }

    /// Addresses at which the target calls itself. Both ends of such a connection belong to the
    /// target, so the kernel lists both, with the ports exchanged. The hosts of both ends are
    /// equal, because a connection to an address of this machine comes from that address.
    ///
    /// @return by host:port, whether other clients connect to the same port
    public Map<String, Boolean> toItself() {
        Set<Mirrored> accepted = new HashSet<>();
        Map<Integer, Integer> others = new HashMap<>();
        for (Row row : rows) {
            if (isServerSide(row)) {
                accepted.add(new Mirrored(row.remoteHost(), row.remotePort(), row.localPort()));
                others.merge(row.localPort(), 1, Integer::sum);
            }
        }
        List<Row> toItself =
                rows.stream()
                        .filter(r -> r.state().equals(ESTABLISHED) && listensOn(r.remotePort()))
                        .filter(r ->
                                accepted.contains(
                                        new Mirrored(
                                                r.remoteHost(), r.localPort(), r.remotePort())))
                        .toList();
        toItself.forEach(r -> others.merge(r.remotePort(), -1, Integer::sum));
        Map<String, Boolean> places = new HashMap<>();
        toItself.forEach(r -> places.put(r.remote(), others.getOrDefault(r.remotePort(), 0) > 0));
        return places;
    }

    private record Mirrored(String host, int from, int to) {}

    public boolean isServerSide(Row row) {
        return row.state().equals(ESTABLISHED) && listenPorts.contains(row.localPort());
    }

    public Optional<Row> byInode(long inode) {
        return rows.stream().filter(r -> r.inode() == inode).findFirst();
    }
}
