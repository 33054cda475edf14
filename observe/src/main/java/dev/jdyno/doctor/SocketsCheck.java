package dev.jdyno.doctor;

import java.nio.file.Files;
import java.util.List;

/// Checks whether the state of each connection can be read: this needs `ss` of iproute2.
final class SocketsCheck implements Check {
    private static final List<String> PLACES =
            List.of("usr/bin/ss", "bin/ss", "usr/sbin/ss", "sbin/ss");

    @Override
    public Finding check(Host host, CpuWindow window) {
        return PLACES.stream().anyMatch(p -> Files.exists(host.root().resolve(p)))
                ? Finding.ok("sockets", "ss tells which connections await an answer")
                : Finding.note(
                        "sockets",
                        "no ss: the calls of asynchronous clients, and data that connections hold"
                                + " back, are not seen",
                        "sudo apt install iproute2 (or the like)");
    }
}
