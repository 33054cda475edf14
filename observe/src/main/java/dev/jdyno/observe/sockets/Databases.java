package dev.jdyno.observe.sockets;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Identifies databases among the services that a target calls, if no driver's frame shows it: an
/// asynchronous driver has no waiting thread. A server on this machine is identified by its
/// process, any other one by the usual port of its kind (IANA).
public final class Databases {
    private static final Map<String, String> BY_PROCESS =
            Map.of(
                    "postgres", "PostgreSQL",
                    "mysqld", "MySQL",
                    "mariadbd", "MariaDB",
                    "mongod", "MongoDB",
                    "oracle", "Oracle",
                    "sqlservr", "SQL-Server",
                    "clickhouse-serv", "ClickHouse", // comm holds 15 characters
                    "cockroach", "CockroachDB");

    private static final Map<Integer, String> BY_PORT =
            Map.of(
                    5432, "PostgreSQL",
                    3306, "MySQL",
                    1521, "Oracle",
                    1433, "SQL-Server",
                    27017, "MongoDB",
                    9042, "Cassandra",
                    26257, "CockroachDB");

    private final ProcFs proc;
    private final long pid;
    private final boolean sameNetwork;
    private final Map<String, Optional<String>> known = new HashMap<>();

    /// @param sameNetwork whether the target's loopback interface is jdyno's
    public Databases(ProcFs proc, long pid, boolean sameNetwork) {
        this.proc = proc;
        this.pid = pid;
        this.sameNetwork = sameNetwork;
    }

    /// The kind of database at `place`; empty when it is not a database, or unknown.
    ///
    /// @param place host:port, as in {@link Sockets}
    public Optional<String> at(String place) {
        return known.computeIfAbsent(place, this::find);
    }

    private Optional<String> find(String place) {
        int colon = place.lastIndexOf(':');
        String host = place.substring(0, colon);
        int port = Integer.parseInt(place.substring(colon + 1));
        Optional<String> process = sameNetwork && isHere(host) ? listener(port) : Optional.empty();
        return process.isPresent()
                ? process.flatMap(p -> Optional.ofNullable(BY_PROCESS.get(p)))
                : Optional.ofNullable(BY_PORT.get(port));
    }

    private static boolean isHere(String host) {
        try {
            InetAddress address = InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", ""));
            return address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (IllegalArgumentException | SocketException notAnAddress) {
            return false;
        }
    }

    /// The name of the process that listens on a port. Only root can find the processes of other
    /// users.
    private Optional<String> listener(int port) {
        Optional<Long> inode = Sockets.listenerOn(proc, pid, port);
        if (inode.isEmpty()) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(proc.root(), "[0-9]*")) {
            for (Path process : all) {
                if (holds(process, inode.get())) {
                    return ProcFs.text(process.resolve("comm")).map(String::strip);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static boolean holds(Path process, long inode) {
        try (DirectoryStream<Path> fds = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path fd : fds) {
                if (Sockets.inode(fd).filter(i -> i == inode).isPresent()) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException endedOrNotOurs) {
            return false;
        }
        return false;
    }
}
