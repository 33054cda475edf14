package dev.jdyno.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// The TCP sockets of this machine towards one port, as the kernel lists them.
final class TcpSockets {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String ESTABLISHED = "01";
    private static final String TIME_WAIT = "06";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;

    private TcpSockets() {}

    /// Open connections to that port.
    static long openTo(int port) {
        return count(port, REMOTE, ESTABLISHED);
    }

    /// Open connections that the server's side of that port holds, those in its accept queue
    /// included. Fewer than {@link #openTo} when the queue is full: a client is connected when its
    /// SYN is answered, but the kernel then drops the rest of the handshake.
    static long heldBy(int port) {
        return count(port, LOCAL, ESTABLISHED);
    }

    /// Sockets that hold a local port towards that port although their connection is closed.
    static long timeWaitTo(int port) {
        return count(port, REMOTE, TIME_WAIT);
    }

    /// ` 12: 0100007F:A1B2 0100007F:1F90 06 00000000:00000000 …`
    private static long count(int port, int side, String state) {
        String address = String.format(Locale.ROOT, ":%04X", port);
        long found = 0;
        for (Path table : TABLES) {
            try (var lines = Files.lines(table, StandardCharsets.US_ASCII)) {
                found +=
                        lines.map(l -> l.trim().split("\\s+"))
                                .filter(f ->
                                        f.length > STATE
                                                && f[side].endsWith(address)
                                                && f[STATE].equals(state))
                                .count();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + table, e);
            }
        }
        return found;
    }
}
