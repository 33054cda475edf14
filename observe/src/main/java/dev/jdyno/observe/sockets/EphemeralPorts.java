package dev.jdyno.observe.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The ephemeral ports of Linux, and the connections per second to one destination that they allow.
///
/// @param ports number of ports, separately for each destination
/// @param reuse `tcp_tw_reuse`: 0 never, 1 always, 2 for loopback only (the default since 4.19)
public record EphemeralPorts(double ports, int reuse) {
    /// Seconds for which a closed connection keeps its port (TCP_TIMEWAIT_LEN).
    static final double TIME_WAIT_S = 60;

    /// Seconds after which a new connection may take the port nevertheless if reuse is on
    /// (tcp_twsk_unique: the last segment is more than a second old).
    static final double REUSED_AFTER_S = 1;

    private static final Path IPV4 = Path.of("/proc/sys/net/ipv4");
    private static final String RANGE = "ip_local_port_range";
    private static final String REUSE = "tcp_tw_reuse";

    private static final int ALWAYS = 1;
    private static final int LOOPBACK_ONLY = 2;

    /// The ports of jdyno's network namespace.
    ///
    /// @param ipv4 the folder `/proc/sys/net/ipv4`
    public static Optional<EphemeralPorts> read(Path ipv4) {
        return text(ipv4.resolve(RANGE))
                .map(range -> of(range, text(ipv4.resolve(REUSE)).orElse("0")));
    }

    /// The ports of the network namespace of a process with its own. They are read by a command
    /// inside it, because the kernel shows each reader the settings of its own namespace.
    public static Optional<EphemeralPorts> inNetworkOf(long pid) throws InterruptedException {
        return NetworkCommand.inNetworkOf(
                        pid,
                        List.of(
                                "cat",
                                IPV4.resolve(RANGE).toString(),
                                IPV4.resolve(REUSE).toString()))
                .output()
                .map(output -> output.strip().split("\n"))
                .map(lines -> of(lines[0], lines[1]));
    }

    // 32768	60999
    private static EphemeralPorts of(String range, String reuse) {
        String[] ends = range.split("\\s+");
        return new EphemeralPorts(
                Double.parseDouble(ends[1]) - Double.parseDouble(ends[0]) + 1,
                Integer.parseInt(reuse.strip()));
    }

    // a single read: a sysctl returns nothing on a second read
    private static Optional<String> text(Path sysctl) {
        try (InputStream in = Files.newInputStream(sysctl)) {
            return Optional.of(new String(in.readNBytes(64), StandardCharsets.US_ASCII).trim());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /// Maximum number of connections that can be opened and closed per second.
    ///
    /// @param place host:port
    public double perSecond(String place) {
        boolean reused = reuse == ALWAYS || (reuse == LOOPBACK_ONLY && isLoopback(place));
        return ports / (reused ? REUSED_AFTER_S : TIME_WAIT_S);
    }

    private static boolean isLoopback(String place) {
        return place.startsWith("127.") || place.startsWith("[::1]") || place.startsWith("::1:");
    }
}
