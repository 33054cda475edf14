package dev.jdyno.observe.sockets;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The kernel's data on the established connections of a network namespace.
///
/// `/proc/net/tcp` has neither times nor the number of bytes that are not sent yet. The kernel's
/// socket diagnostics have `tcpi_last_data_sent`, `tcpi_last_data_recv` and `tcpi_notsent_bytes`,
/// which `ss` (iproute2) prints. The times are in ms, with the resolution of the kernel's timer
/// ticks (1 to 10 ms).
public final class SocketStatistics {
    private static final String SOURCE = "ss";

    public static final List<String> SS = List.of("ss", "-tinH", "state", "established");

    /// Maximum duration of a sample without a delay of the next one. On a machine with very many
    /// connections frequent samples would cost too much. If all cores are in use, a single sample
    /// may be slow by chance.
    public static final double MAX_SAMPLE_S = 0.1;

    /// Delay of the next sample, as a multiple of the duration of a slow one. Samples then take at
    /// most a tenth of the time.
    public static final double DELAY_PER_DURATION = 9;

    // 0 104 [::ffff:127.0.0.1]:40234 [::ffff:127.0.0.1]:18101 cubic … notsent:100 …
    private static final Pattern CONNECTION =
            Pattern.compile("^\\d+\\s+(\\d+)\\s+\\S+:(\\d+)\\s+(\\S+):(\\d+)");
    private static final Pattern NOT_SENT = Pattern.compile("\\bnotsent:[1-9]");
    private static final Pattern LAST_SENT = Pattern.compile("\\blastsnd:(\\d+)");
    private static final Pattern LAST_RECEIVED = Pattern.compile("\\blastrcv:(\\d+)");
    private static final Pattern LAST_ACKNOWLEDGED = Pattern.compile("\\blastack:(\\d+)");

    private final NetworkCommand command;
    private int wanted;
    private int answered;
    private boolean failed;
    private double longestS;
    private Optional<Long> nextNanos = Optional.empty();

    SocketStatistics(NetworkCommand command) {
        this.command = command;
    }

    /// The statistics of jdyno's network namespace.
    public static SocketStatistics here() {
        return new SocketStatistics(NetworkCommand.here(SS));
    }

    /// The statistics of the network namespace of a process with its own.
    public static SocketStatistics inNetworkOf(long pid) {
        return new SocketStatistics(NetworkCommand.inNetworkOf(pid, SS));
    }

    /// One end of a connection.
    ///
    /// @param remote host:port, as in {@link Sockets}
    public record End(int localPort, String remote) {}

    /// Data on one end. Times are in ms before the sample; zero means within the present tick.
    ///
    /// @param sentMs since data was last sent; the age of the connection if none was ever sent
    /// @param receivedMs since data was last received; the age of the connection if none was ever
    ///   received
    /// @param acknowledgedMs since an acknowledgement was last received
    /// @param unacknowledged whether sent bytes are not acknowledged
    /// @param sent whether data is known to have been sent
    /// @param received whether data is known to have been received
    /// @param holdsBack whether written bytes are not sent
    public record Known(
            End end,
            long sentMs,
            long receivedMs,
            long acknowledgedMs,
            boolean unacknowledged,
            boolean sent,
            boolean received,
            boolean holdsBack) {
        private static Known of(End end, boolean unacknowledged, String reported) {
            return new Known(
                    end,
                    ago(LAST_SENT, reported),
                    ago(LAST_RECEIVED, reported),
                    ago(LAST_ACKNOWLEDGED, reported),
                    unacknowledged,
                    reported.contains(" bytes_sent:"),
                    reported.contains(" bytes_received:"),
                    NOT_SENT.matcher(reported).find());
        }

        /// The time in ms; 0 if `ss` does not print it.
        private static long ago(Pattern what, String reported) {
            Matcher ms = what.matcher(reported);
            return ms.find() ? Long.parseLong(ms.group(1)) : 0;
        }
    }

    /// Reads the kernel's data once; empty when that fails, or the delay has not ended.
    public Optional<List<Known>> ask(NanoClock clock) throws InterruptedException {
        wanted++;
        long start = clock.nanos();
        if (failed || nextNanos.filter(next -> start - next < 0).isPresent()) {
            return Optional.empty();
        }
        Optional<String> output = command.output();
        double tookS = clock.secondsSince(start);
        failed = output.isEmpty();
        if (!failed) {
            answered++;
            longestS = Math.max(longestS, tookS);
        }
        nextNanos =
                tookS > MAX_SAMPLE_S
                        ? Optional.of(clock.nanos() + Math.round(DELAY_PER_DURATION * tookS * 1e9))
                        : Optional.empty();
        return output.map(SocketStatistics::parse);
    }

    /// The data that is missing because samples failed, with the reason; empty when every sample
    /// succeeded.
    public Optional<Unseen> missing() {
        if (answered == wanted) {
            return Optional.empty();
        }
        if (answered == 0) {
            return Optional.of(
                    new Unseen(
                            SOURCE,
                            "it is not installed (iproute2), failed or took more than 2 s; calls of"
                                    + " asynchronous clients and requests in queues of the service's"
                                    + " own were not seen"));
        }
        return Optional.of(
                new Unseen(
                        SOURCE,
                        String.format(
                                Locale.ROOT,
                                "%d of %d samples were taken, because %s; calls of asynchronous"
                                        + " clients are from these samples",
                                answered,
                                wanted,
                                failed
                                        ? "the next one failed or took more than 2 s"
                                        : String.format(
                                                Locale.ROOT, "one took %.2f s", longestS))));
    }

    /// @param output output of `ss -tinH`
    static List<Known> parse(String output) {
        return entries(output).stream()
                .map(e -> Known.of(e.end(), e.unacknowledged(), e.reported()))
                .toList();
    }

    /// The output for one end.
    ///
    /// @param unacknowledged whether sent bytes are not acknowledged
    /// @param reported the whole output
    public record Entry(End end, boolean unacknowledged, String reported) {}

    /// @param output output of `ss -tinH`: a line for each connection, followed by an indented line
    ///   of data; some versions print both in one line
    public static List<Entry> entries(String output) {
        List<Entry> all = new ArrayList<>();
        Optional<End> end = Optional.empty();
        boolean unacknowledged = false;
        StringBuilder reported = new StringBuilder();
        for (String line : output.split("\n")) {
            Matcher begins = CONNECTION.matcher(line);
            if (begins.find()) {
                add(end, unacknowledged, reported, all);
                reported.setLength(0);
                unacknowledged = !begins.group(1).equals("0");
                end =
                        Optional.of(
                                new End(
                                        Integer.parseInt(begins.group(2)),
                                        place(begins.group(3), begins.group(4))));
            }
            reported.append(line).append(' ');
        }
        add(end, unacknowledged, reported, all);
        return all;
    }

    private static void add(
            Optional<End> end, boolean unacknowledged, StringBuilder reported, List<Entry> all) {
        end.ifPresent(e -> all.add(new Entry(e, unacknowledged, reported.toString())));
    }

    private static String place(String host, String port) {
        String bare = host.replaceAll("[\\[\\]]", "").replaceFirst("%.*", "");
        try {
            // an IPv4-mapped IPv6 address is returned as IPv4
            String address = InetAddress.ofLiteral(bare).getHostAddress();
            return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
        } catch (IllegalArgumentException noAddress) {
            return host + ":" + port;
        }
    }
}
