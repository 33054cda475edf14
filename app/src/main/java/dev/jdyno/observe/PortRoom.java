package dev.jdyno.observe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The ephemeral ports of Linux, and how many connections a second they allow to one place.
///
/// @param ports how many there are, for each place anew
/// @param reuse `tcp_tw_reuse`: 0 never, 1 always, 2 towards this machine only (the default since
///   4.19)
record PortRoom(double ports, int reuse) {
    /// Seconds for which a closed connection keeps its port (TCP_TIMEWAIT_LEN).
    static final double TIME_WAIT_S = 60;

    /// Seconds after which a new connection may take it all the same where reuse is on
    /// (tcp_twsk_unique: the last segment is more than a second old).
    static final double REUSED_AFTER_S = 1;

    private static final int ALWAYS = 1;
    private static final int LOOPBACK_ONLY = 2;

    /// @param ipv4 the folder `/proc/sys/net/ipv4`
    static Optional<PortRoom> read(Path ipv4) {
        // 32768	60999
        return text(ipv4.resolve("ip_local_port_range"))
                .map(text -> text.split("\\s+"))
                .map(range ->
                        new PortRoom(
                                Double.parseDouble(range[1]) - Double.parseDouble(range[0]) + 1,
                                text(ipv4.resolve("tcp_tw_reuse"))
                                        .map(Integer::parseInt)
                                        .orElse(0)));
    }

    // read at once: a sysctl gives nothing more to a second read
    private static Optional<String> text(Path sysctl) {
        try (InputStream in = Files.newInputStream(sysctl)) {
            return Optional.of(new String(in.readNBytes(64), StandardCharsets.US_ASCII).trim());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /// Connections that may be opened and closed again in a second.
    ///
    /// @param place host:port
    double perSecond(String place) {
        boolean reused = reuse == ALWAYS || (reuse == LOOPBACK_ONLY && isLoopback(place));
        return ports / (reused ? REUSED_AFTER_S : TIME_WAIT_S);
    }

    private static boolean isLoopback(String place) {
        return place.startsWith("127.") || place.startsWith("[::1]") || place.startsWith("::1:");
    }
}
