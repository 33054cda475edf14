package dev.jdyno.observe;

import dev.jdyno.measure.Signals;
import dev.jdyno.measure.Signals.Sign;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Connections whose kernel holds data back that was written to them: by Nagle's algorithm a small
/// rest waits until the other side has acknowledged what went before, 40 ms where that side delays
/// its acknowledgements (RFC 896, RFC 1122 4.2.3.4).
///
/// `/proc/net/tcp` shows one queue for what was sent and what was not; the kernel's socket
/// diagnostics know `tcpi_notsent_bytes`, which `ss` (iproute2) prints.
final class HeldBack {
    private static final int LOOKS = 3;

    private static final long APART_MS = 15;

    private static final long SS_ENDS_WITHIN_S = 2;

    // 0 104 [::ffff:127.0.0.1]:40234 [::ffff:127.0.0.1]:18101 cubic … notsent:100 …
    private static final Pattern CONNECTION =
            Pattern.compile("^\\d+\\s+\\d+\\s+(\\S+):(\\d+)\\s+(\\S+):(\\d+)");
    private static final Pattern NOT_SENT = Pattern.compile("\\bnotsent:[1-9]");

    private HeldBack() {}

    /// Mean number of connections to these places that hold data back; nothing without `ss`.
    ///
    /// @param places host:port, as {@link Sockets} has them
    static Signals see(Set<String> places) throws InterruptedException {
        if (places.isEmpty()) {
            return Signals.NONE;
        }
        double held = 0;
        for (int i = 0; i < LOOKS; i++) {
            Optional<String> said = ask();
            if (said.isEmpty()) {
                return Signals.NONE;
            }
            held += count(said.get(), places);
            TimeUnit.MILLISECONDS.sleep(APART_MS);
        }
        return new Signals(Map.of(Sign.HELD_BACK_SOCKETS, held / LOOKS));
    }

    private static Optional<String> ask() throws InterruptedException {
        try {
            Process ss =
                    new ProcessBuilder("ss", "-tinH", "state", "established")
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try {
                ss.getOutputStream().close();
                // ends the reading, too
                CompletableFuture.delayedExecutor(SS_ENDS_WITHIN_S, TimeUnit.SECONDS)
                        .execute(ss::destroyForcibly);
                String said =
                        new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return ss.waitFor(SS_ENDS_WITHIN_S, TimeUnit.SECONDS) && ss.exitValue() == 0
                        ? Optional.of(said)
                        : Optional.empty();
            } finally {
                ss.destroy();
            }
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
    }

    /// @param said by `ss -tinH`: a line for a connection, and indented what is known of it
    static int count(String said, Set<String> places) {
        int held = 0;
        boolean wanted = false;
        for (String line : said.split("\n")) {
            Matcher connection = CONNECTION.matcher(line);
            if (connection.find()) {
                wanted = places.contains(place(connection.group(3), connection.group(4)));
            }
            if (wanted && NOT_SENT.matcher(line).find()) {
                held++;
                wanted = false;
            }
        }
        return held;
    }

    private static String place(String host, String port) {
        String bare = host.replaceAll("[\\[\\]]", "").replaceFirst("%.*", "");
        try {
            // an IPv4-mapped IPv6 address comes back as IPv4
            String address = InetAddress.ofLiteral(bare).getHostAddress();
            return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
        } catch (IllegalArgumentException noAddress) {
            return host + ":" + port;
        }
    }
}
