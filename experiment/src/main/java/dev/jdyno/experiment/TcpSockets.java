package dev.jdyno.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Counts this machine's TCP sockets to one port, as the kernel lists them.
final class TcpSockets {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String ESTABLISHED = "01";
    private static final String TIME_WAIT = "06";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;

    private TcpSockets() {}

    /// Number of open connections to that port.
    static long openTo(int port) {
        return count(port, REMOTE, ESTABLISHED);
    }

    /// Number of open connections on the server's side of that port, including its accept queue. It
    /// is lower than {@link #openTo} if the queue is full: a client is connected once its SYN is
    /// answered, but the kernel then drops the rest of the handshake.
    static long heldBy(int port) {
        return count(port, LOCAL, ESTABLISHED);
    }

    /// Number of sockets that still occupy a local port towards that port after their connection
    /// was closed.
    static long timeWaitTo(int port) {
        return count(port, REMOTE, TIME_WAIT);
    }

    /// Counts lines such as ` 12: 0100007F:A1B2 0100007F:1F90 06 00000000:00000000 …`.
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
