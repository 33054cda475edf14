package dev.jdyno.load;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.ServerAddresses;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Checks whether this machine can hold the connections of a level, before the first connection is
/// made.
public final class LoadLimits {
    private static final Path PORT_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /// Spare descriptors for files that a library may open while it runs, such as the jars of a
    /// class path.
    private static final int SPARE_FILES = 200;

    private static final int MAX_LOOPBACK_SOURCES = 250;

    /// Number of descriptors that the JVM and the event loops need in addition to the connections.
    private static final int OTHER_FILES = 64;

    /// Maximum share of the local ports that one load may use for each server address. The rest is
    /// left to other processes.
    private static final double PORTS_SHARE = 0.9;

    private LoadLimits() {}

    /// Maximum number of connections that this process can hold.
    public static int maxConnections() {
        long files = files();
        return files == 0
                ? Integer.MAX_VALUE
                : Math.clamp(files - OTHER_FILES - SPARE_FILES, 1, Integer.MAX_VALUE);
    }

    /// Number of processes needed to hold these connections. Each connection takes one file
    /// descriptor of its process.
    public static int processes(int connections) {
        long each = maxConnections();
        return (int) ((connections + each - 1) / each);
    }

    /// Loopback addresses to connect from, if the server is on a loopback address and one local
    /// address has too few ports; otherwise empty.
    public static List<InetAddress> loopbackSources(int connections, LoadSpec spec) {
        long ports = (long) (PORTS_SHARE * ports());
        if (ports == 0 || connections <= ports) {
            return List.of();
        }
        List<SocketAddress> servers = ServerAddresses.of(spec).used();
        boolean loopback =
                servers.stream()
                        .allMatch(s ->
                                s instanceof InetSocketAddress a
                                        && a.getAddress() instanceof Inet4Address
                                        && a.getAddress().isLoopbackAddress());
        long needed = (connections + ports - 1) / ports;
        List<InetAddress> sources = new ArrayList<>();
        for (int i = 1; loopback && i <= Math.min(needed, MAX_LOOPBACK_SOURCES); i++) {
            sources.add(InetAddress.ofLiteral("127.0.0." + i));
        }
        return sources;
    }

    /// Maximum number of files that a process may open; 0 if the system does not report it.
    private static long files() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean u
                ? u.getMaxFileDescriptorCount()
                : 0;
    }

    /// @param addresses number of server addresses over which the connections are spread
    /// @param sources number of local addresses from which the connections are made
    public static void check(int connections, int addresses, int sources, boolean overTcp) {
        long files = files();
        if (files > 0 && connections + OTHER_FILES > files) {
            throw UserError.usage(
                    "cannot hold " + connections + " connections",
                    "a process may open " + files + " files here, and each connection is one",
                    "share them among processes with --processes "
                            + processes(connections)
                            + ", or raise it first: ulimit -n "
                            + (connections + 1024));
        }
        long ports = ports();
        if (overTcp && ports > 0 && connections > ports * addresses * sources) {
            long needed = (connections + ports * addresses - 1) / (ports * addresses);
            throw UserError.usage(
                    "cannot hold " + connections + " connections",
                    "there are "
                            + ports
                            + " local ports (net.ipv4.ip_local_port_range) per local and server"
                            + " address",
                    "connect from "
                            + needed
                            + " local addresses with --source, or widen the range");
        }
    }

    /// Number of local ports that the system chooses from, such as `32768 60999`; 0 if it does not
    /// report them.
    public static long ports() {
        if (!Files.isReadable(PORT_RANGE)) {
            return 0;
        }
        // a sysctl file gives its content to the first read only: one buffered line, not readString
        try (var lines = Files.newBufferedReader(PORT_RANGE)) {
            String[] ends = String.valueOf(lines.readLine()).trim().split("\\s+");
            return Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + PORT_RANGE, e);
        }
    }
}
