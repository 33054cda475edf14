package dev.jdyno.observe.throughput;

import dev.jdyno.foreign.ForeignNumber;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.sockets.NetworkCommand;
import dev.jdyno.observe.sockets.SocketStatistics;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Entry;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.throughput.SegmentFlow.Carried;
import dev.jdyno.observe.throughput.SegmentFlow.Flow;
import dev.jdyno.observe.throughput.SegmentFlow.Look;
import dev.jdyno.observe.window.SignalsProbe;
import dev.jdyno.observe.window.SocketSamples;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Throughput of a service whose requests nobody counts, off the kernel's count of data segments on
/// the connections to it (`tcpi_data_segs_in` and `_out`, which `ss` of iproute2 prints): see
/// {@link SegmentFlow} for what they tell. It touches neither the target nor its traffic.
public final class DataSegments {
    /// Between the two looks of a pair: connections that are closed after some requests are seen
    /// twice so, which a look a second would hardly ever do.
    static final long PAIR_MS = 100;

    private static final Pattern SEGMENTS_IN = Pattern.compile("\\bdata_segs_in:(\\d+)");
    private static final Pattern SEGMENTS_OUT = Pattern.compile("\\bdata_segs_out:(\\d+)");
    private static final Pattern BYTES_IN = Pattern.compile("\\bbytes_received:(\\d+)");
    private static final Pattern BYTES_OUT = Pattern.compile("\\bbytes_acked:(\\d+)");

    // of what is sent; what the peer may send is seldom less (advmss leaves the path out)
    private static final Pattern LARGEST = Pattern.compile("\\bmss:(\\d+)");

    private final ProcFs proc = ProcFs.SYSTEM;
    private final long pid;
    private final NanoClock clock;
    private final Function<List<String>, NetworkCommand> network;
    private final long start;
    private final List<Look> looks = new ArrayList<>();
    private Optional<String> failed = Optional.empty();
    private OptionalDouble nextS = OptionalDouble.empty();

    private DataSegments(long pid, NanoClock clock) {
        this.pid = pid;
        this.clock = clock;
        this.network = new SignalsProbe(proc, pid)::ofNetwork;
        this.start = clock.nanos();
    }

    public static DataSegments of(Target target, NanoClock clock) {
        return new DataSegments(target.pid(), clock);
    }

    /// Looks twice; meant to be called about once a second. A look that took longer than {@value
    /// SocketStatistics#LOOK_AT_MOST_S} s makes the next one wait for nine times as long.
    public void look() throws InterruptedException {
        if (failed.isPresent() || nextS.orElse(0) > clock.secondsSince(start)) {
            return;
        }
        // a JVM listens for JMX, debuggers and the like beside its requests
        Set<Integer> ports =
                SocketSamples.portsInUse(
                        Sockets.read(proc, pid, Sockets.listeners(proc, pid)).connectionsByPort());
        if (ports.isEmpty()) {
            looks.add(new Look(clock.secondsSince(start), Map.of()));
            return;
        }
        double tookS = ask(ports);
        if (failed.isPresent()) {
            return;
        }
        TimeUnit.MILLISECONDS.sleep(PAIR_MS);
        tookS = Math.max(tookS, ask(ports));
        nextS =
                tookS > SocketStatistics.LOOK_AT_MOST_S
                        ? OptionalDouble.of(
                                clock.secondsSince(start)
                                        + SocketStatistics.LOOKS_APART * 2 * tookS)
                        : OptionalDouble.empty();
    }

    private double ask(Set<Integer> ports) throws InterruptedException {
        double fromS = clock.secondsSince(start);
        Optional<String> said = network.apply(command(ports)).said();
        double tookS = clock.secondsSince(start) - fromS;
        if (said.isEmpty()) {
            failed = Optional.of("ss (iproute2) is not installed, failed or took more than 2 s");
        }
        said.ifPresent(s -> looks.add(new Look(fromS + tookS / 2, carried(s))));
        return tookS;
    }

    private static List<String> command(Set<Integer> ports) {
        List<String> words = new ArrayList<>(SocketStatistics.SS);
        words.add(
                new TreeSet<>(ports)
                        .stream().map(p -> "sport = :" + p).collect(Collectors.joining(" or ")));
        return words;
    }

    /// Of each connection what it carried since it began.
    static Map<End, Carried> carried(String said) {
        Map<End, Carried> all = new HashMap<>();
        for (Entry entry : SocketStatistics.entries(said)) {
            all.put(
                    entry.end(),
                    new Carried(
                            flow(entry.reported(), SEGMENTS_IN, BYTES_IN),
                            flow(entry.reported(), SEGMENTS_OUT, BYTES_OUT)));
        }
        return all;
    }

    private static Flow flow(String reported, Pattern segments, Pattern bytes) {
        double b = number(bytes, reported);
        return new Flow(number(segments, reported), b, b / Math.max(1, number(LARGEST, reported)));
    }

    /// What is zero is not printed.
    private static double number(Pattern what, String reported) {
        Matcher m = what.matcher(reported);
        return m.find() ? ForeignNumber.decimal(m.group(1)).orElse(0) : 0;
    }

    /// Mean requests a second from one moment to another, both in seconds since the beginning;
    /// empty where the looks between them do not give it.
    public Optional<Double> perS(double fromS, double toS) {
        List<Look> between =
                looks.stream().filter(l -> l.atS() >= fromS && l.atS() <= toS).toList();
        return new SegmentFlow(between).reported().throughput().map(Throughput::perS);
    }

    /// The load over the looks.
    ///
    /// @throws UserError when they do not tell it
    public Throughput take() {
        SegmentFlow.Reported reported = new SegmentFlow(looks).reported();
        return reported.throughput()
                .orElseThrow(() ->
                        UserError.target(
                                "requests cannot be counted by data segments",
                                failed.or(reported::why).orElse("no look was taken"),
                                "give --access-log FILE, or --jmx where a container counts"));
    }
}
