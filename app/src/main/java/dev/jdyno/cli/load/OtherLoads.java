package dev.jdyno.cli.load;

import dev.jdyno.load.wire.Beacon;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.target.LockHolder;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds other jdynos of this machine that load the same server, because their load changes the
/// results. They lead to a warning and not to an error, because the user may intend this.
///
/// Each jdyno that sends load holds a {@link Beacon} whose name is derived from the server's
/// address and port. It looks for the beacons of others when it starts and when it ends. It cannot
/// see jdynos in another network namespace (a container) or on another machine, other load
/// generators, and a jdyno that started and ended in between.
public final class OtherLoads implements AutoCloseable {
    /// Maximum number of other loads that are listed.
    private static final int SLOTS = 8;

    private static final int NAME_BYTES = 8;

    private final String name;
    private final String server;
    private final Optional<Beacon> own;
    private final Map<Long, String> seen = new LinkedHashMap<>();

    private OtherLoads(String name, String server, Optional<Beacon> own) {
        this.name = name;
        this.server = server;
        this.own = own;
    }

    /// Looks for other loads, prints a warning on `err` for each, and lights the beacon of this
    /// load.
    ///
    /// @param unixSocket target of the load instead of the URL's host
    public static OtherLoads begin(URI url, Optional<Path> unixSocket, PrintWriter err) {
        String server =
                unixSocket.map(p -> p.toAbsolutePath().toString()).orElseGet(() -> address(url));
        String name = "jdyno-load-" + hash(server) + "-";
        Optional<Beacon> own = Optional.empty();
        for (int slot = 0; slot < SLOTS && own.isEmpty(); slot++) {
            own = Beacon.light(name + slot);
        }
        var others = new OtherLoads(name, server, own);
        others.look();
        others.warnings().forEach(w -> err.println("warning: " + w.says()));
        err.flush();
        return others;
    }

    /// The server's address and port, independent of how the host is written.
    private static String address(URI url) {
        int port = HttpUrl.port(url);
        String host = HttpUrl.host(url).orElse("");
        try {
            host =
                    Arrays.stream(InetAddress.getAllByName(host))
                            .map(InetAddress::getHostAddress)
                            .sorted()
                            .findFirst()
                            .orElse(host);
        } catch (UnknownHostException unresolved) {
            // The name does not resolve. A load that writes the host in the same way is still
            // found.
        }
        return host + ":" + port;
    }

    /// A hash of the server's name. The names of beacons are public, so they must not show the
    /// server, and the kernel limits their length.
    private static String hash(String server) {
        try {
            byte[] all =
                    MessageDigest.getInstance("SHA-256")
                            .digest(server.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void look() {
        for (int slot = 0; slot < SLOTS; slot++) {
            Beacon.holder(name + slot)
                    .filter(pid -> pid != ProcessHandle.current().pid())
                    .ifPresent(pid -> seen.computeIfAbsent(pid, OtherLoads::commandOf));
        }
    }

    /// A description of another load. It is made while that process runs, because its command line
    /// is unknown afterwards.
    private static String commandOf(long pid) {
        return pid > 0
                ? LockHolder.ofProcess(pid).says()
                : "another jdyno, whose process is not seen from here,";
    }

    /// A warning for each load that was seen.
    private List<Validity.Warning> warnings() {
        return seen.values().stream()
                .map(commandOf ->
                        new Validity.Warning(
                                "other-load",
                                commandOf
                                        + " loads "
                                        + server
                                        + ", too: each measures the other's load",
                                false))
                .toList();
    }

    /// Warnings on the loads that were seen at the start or are running now.
    public List<Validity.Warning> seen() {
        look();
        return warnings();
    }

    @Override
    public void close() {
        own.ifPresent(Beacon::close);
    }
}
