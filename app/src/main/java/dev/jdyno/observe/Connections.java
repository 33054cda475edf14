package dev.jdyno.observe;

import dev.jdyno.measure.Calls;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Quantiles;
import dev.jdyno.measure.Signals;
import dev.jdyno.measure.Signals.Sign;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the kernel knows of the target's connections to other services, over some looks: which of
/// them await an answer, and which hold data back.
///
/// A connection awaits an answer when the last data on it was sent, not received: so calls of
/// asynchronous clients are seen, for which no thread waits. Held back is data that was written and
/// not sent: by Nagle's algorithm a small rest waits until the other side has acknowledged what
/// went before, 40 ms where that side delays its acknowledgements (RFC 896, RFC 1122 4.2.3.4).
///
/// Where the last data was sent and received within one tick of the kernel's clock, the last to go
/// is told by the acknowledgement: what was received acknowledges what was sent before it, so bytes
/// that are not acknowledged, or were so later, are a call under way. What is left undecided is a
/// call under way, too, where calls to that place take much longer than a tick: no answer came
/// within one, but a connection was lent anew as soon as it was given back. Else it is divided as
/// the other connections to the same place.
///
/// `/proc/net/tcp` knows neither; the kernel's socket diagnostics know `tcpi_last_data_sent`,
/// `tcpi_last_data_recv` (both in ms, as fine as the kernel's timer ticks, 1 to 10 ms) and
/// `tcpi_notsent_bytes`, which `ss` (iproute2) prints.
final class Connections {
    private static final List<String> SS = List.of("ss", "-tinH", "state", "established");

    private static final long SS_ENDS_WITHIN_S = 2;

    /// Calls that take so long are not answered within a tick: twice the longest.
    private static final double LONG_CALL_MS = 20;

    /// A look that took longer is the last: a machine with so many connections pays too much.
    private static final double LOOK_AT_MOST_S = 0.1;

    // 0 104 [::ffff:127.0.0.1]:40234 [::ffff:127.0.0.1]:18101 cubic … notsent:100 …
    private static final Pattern CONNECTION =
            Pattern.compile("^\\d+\\s+(\\d+)\\s+\\S+:(\\d+)\\s+(\\S+):(\\d+)");
    private static final Pattern NOT_SENT = Pattern.compile("\\bnotsent:[1-9]");
    private static final Pattern LAST_SENT = Pattern.compile("\\blastsnd:(\\d+)");
    private static final Pattern LAST_RECEIVED = Pattern.compile("\\blastrcv:(\\d+)");
    private static final Pattern LAST_ACKNOWLEDGED = Pattern.compile("\\blastack:(\\d+)");

    private final List<String> command;
    private final Map<String, Place> places = new TreeMap<>();
    private int looks;
    private boolean ended;

    private Connections(List<String> command) {
        this.command = command;
    }

    /// Of a target in our network.
    static Connections here() {
        return new Connections(SS);
    }

    /// Of a target with a network of its own, a container's; `nsenter` needs root.
    static Connections inNetworkOf(long pid) {
        return new Connections(
                Stream.concat(
                                Stream.of("nsenter", "--target", Long.toString(pid), "--net"),
                                SS.stream())
                        .toList());
    }

    /// Sums over the looks.
    private static final class Place {
        private final Set<Integer> ports = new HashSet<>();
        private int connections;
        private int awaiting;
        private int undecided;
        private int heldBack;

        /// Milliseconds from question to answer of calls that are over, and since the question of
        /// those under way.
        private final List<Double> lengths = new ArrayList<>();

        /// Half of the undecided where all are.
        double awaitingOfAll() {
            if (!lengths.isEmpty() && median(lengths) >= LONG_CALL_MS) {
                return awaiting + undecided;
            }
            double decided = connections - undecided;
            return awaiting + undecided * (awaiting + 0.5) / (decided + 1);
        }
    }

    private static double median(List<Double> values) {
        return Quantiles.median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private enum State {
        AWAITS,
        IDLE,
        UNDECIDED
    }

    /// One end of a connection of the target.
    ///
    /// @param remote host:port, as {@link Sockets} has them
    record Own(int localPort, String remote) {}

    /// Asks the kernel once.
    ///
    /// @param own the target's connections to other services
    void look(Set<Own> own, NanoClock clock) throws InterruptedException {
        if (ended) {
            return;
        }
        if (own.isEmpty()) {
            looks++;
            return;
        }
        long start = clock.nanos();
        Optional<String> said = ask();
        ended = said.isEmpty() || clock.secondsSince(start) > LOOK_AT_MOST_S;
        if (said.isPresent()) {
            add(said.get(), own);
        }
    }

    private Optional<String> ask() throws InterruptedException {
        try {
            Process ss =
                    new ProcessBuilder(command)
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

    /// @param said by `ss -tinH`: a line for a connection, and indented what is known of it; some
    ///   versions put both into one line
    void add(String said, Set<Own> own) {
        looks++;
        Optional<Own> connection = Optional.empty();
        boolean unacknowledged = false;
        StringBuilder known = new StringBuilder();
        for (String line : said.split("\n")) {
            Matcher begins = CONNECTION.matcher(line);
            if (begins.find()) {
                count(connection, known.toString(), unacknowledged);
                known.setLength(0);
                unacknowledged = !begins.group(1).equals("0");
                connection =
                        Optional.of(
                                        new Own(
                                                Integer.parseInt(begins.group(2)),
                                                place(begins.group(3), begins.group(4))))
                                .filter(own::contains);
            }
            known.append(line).append(' ');
        }
        count(connection, known.toString(), unacknowledged);
    }

    private void count(Optional<Own> connection, String known, boolean unacknowledged) {
        if (connection.isEmpty()) {
            return;
        }
        Place place = places.computeIfAbsent(connection.get().remote(), _ -> new Place());
        place.ports.add(connection.get().localPort());
        place.connections++;
        State state = state(known, unacknowledged);
        place.awaiting += state == State.AWAITS ? 1 : 0;
        place.undecided += state == State.UNDECIDED ? 1 : 0;
        long sent = ago(LAST_SENT, known);
        long answered = state == State.AWAITS ? 0 : ago(LAST_RECEIVED, known);
        if (sent > answered) {
            place.lengths.add((double) (sent - answered));
        }
        place.heldBack += NOT_SENT.matcher(known).find() ? 1 : 0;
    }

    /// Of a connection that was opened within the tick of its first call, nothing was received.
    private static State state(String known, boolean unacknowledged) {
        // zero is not printed
        long sent = ago(LAST_SENT, known);
        long received = ago(LAST_RECEIVED, known);
        if (sent != received) {
            return sent < received ? State.AWAITS : State.IDLE;
        }
        if (!known.contains(" bytes_received:")) {
            return known.contains(" bytes_sent:") ? State.AWAITS : State.IDLE;
        }
        return unacknowledged || ago(LAST_ACKNOWLEDGED, known) < sent
                ? State.AWAITS
                : State.UNDECIDED;
    }

    private static long ago(Pattern what, String known) {
        Matcher ms = what.matcher(known);
        return ms.find() ? Long.parseLong(ms.group(1)) : 0;
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

    /// The calls under way, most first; none when the kernel could not be asked.
    ///
    /// @param databases names the places at which a database answers
    List<Calls> calls(Function<String, Optional<String>> databases) {
        return places.entrySet().stream()
                .map(e -> calls(e.getKey(), e.getValue(), databases.apply(e.getKey())))
                .sorted(Comparator.comparingDouble(Calls::awaiting).reversed())
                .toList();
    }

    private Calls calls(String place, Place seen, Optional<String> database) {
        return new Calls(
                database.map(d -> d + " ").orElse("") + place,
                seen.connections / (double) looks,
                seen.awaitingOfAll() / looks,
                seen.ports.size(),
                database.isPresent());
    }

    /// Mean number of connections that hold data back; nothing when the kernel could not be asked.
    Signals heldBack() {
        return places.isEmpty()
                ? Signals.NONE
                : new Signals(
                        Map.of(
                                Sign.HELD_BACK_SOCKETS,
                                places.values().stream().mapToInt(p -> p.heldBack).sum()
                                        / (double) looks));
    }
}
