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

/// Other jdynos of this machine that load the same server: each measures the other's load, too,
/// which is warned of and not refused, for it may be meant.
///
/// Each one that loads holds a {@link Beacon} whose name is made of the server's address and port,
/// and looks for those of others at its beginning and at its end. Not seen: jdynos in another
/// network namespace (a container) or on another machine, load generators of others, and a jdyno
/// that came and went in between.
public final class OtherLoads implements AutoCloseable {
    /// The most other loads that are listed.
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

    /// Looks for them, says it on `err`, and is seen by others from now on.
    ///
    /// @param unixSocket where the load goes instead of to the URL's host
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

    /// However the host is written.
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
            // a load that writes it the same way is found
        }
        return host + ":" + port;
    }

    /// Names are public and as long as the kernel wants them.
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
                    .ifPresent(pid -> seen.computeIfAbsent(pid, OtherLoads::who));
        }
    }

    /// While it is there: nothing is known of a process that has ended.
    private static String who(long pid) {
        return pid > 0
                ? LockHolder.ofProcess(pid).says()
                : "another jdyno, whose process is not seen from here,";
    }

    /// One for each that was seen.
    private List<Validity.Warning> warnings() {
        return seen.values().stream()
                .map(who ->
                        new Validity.Warning(
                                "other-load",
                                who + " loads " + server + ", too: each measures the other's load",
                                false))
                .toList();
    }

    /// Those that were there at the beginning or are there now.
    public List<Validity.Warning> seen() {
        look();
        return warnings();
    }

    @Override
    public void close() {
        own.ifPresent(Beacon::close);
    }
}
