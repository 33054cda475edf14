package dev.jdyno.load;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether this machine can hold as many connections as a level asks for, said before the first is
/// made.
final class LoadLimits {
    private static final Path PORT_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /// Descriptors the JVM and the event loops need beside the connections.
    private static final int OTHER_FILES = 64;

    private LoadLimits() {}

    /// @param addresses of the server, over which the connections are spread
    /// @param sources local addresses they come from
    static void check(int connections, int addresses, int sources, boolean overTcp) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean u) {
            long files = u.getMaxFileDescriptorCount();
            if (connections + OTHER_FILES > files) {
                throw UserError.usage(
                        "cannot hold " + connections + " connections",
                        "a process may open " + files + " files here, and each connection is one",
                        "raise it first: ulimit -n " + (connections + 1024));
            }
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

    /// `32768 60999`; 0 where the system does not say.
    private static long ports() {
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
