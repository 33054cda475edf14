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
import dev.jdyno.observe.throughput.SegmentFlow.Sample;
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

/// Throughput of a service without a request counter. It is estimated from the kernel's count of
/// data segments on the connections to the service (`tcpi_data_segs_in` and `_out`, which `ss` of
/// iproute2 prints). {@link SegmentFlow} explains what they show. It affects neither the target nor
/// its traffic.
public final class DataSegments {
    /// Time between the two samples of a pair. It allows connections that close after some requests
    /// to be found twice, which one sample per second rarely achieves.
    static final long PAIR_MS = 100;

    private static final Pattern SEGMENTS_IN = Pattern.compile("\\bdata_segs_in:(\\d+)");
    private static final Pattern SEGMENTS_OUT = Pattern.compile("\\bdata_segs_out:(\\d+)");
    private static final Pattern BYTES_IN = Pattern.compile("\\bbytes_received:(\\d+)");
    private static final Pattern BYTES_OUT = Pattern.compile("\\bbytes_acked:(\\d+)");

    // the largest segment that is sent. The largest one of the peer is seldom smaller (advmss does
    // not consider the path)
    private static final Pattern LARGEST = Pattern.compile("\\bmss:(\\d+)");

    private final ProcFs proc = ProcFs.SYSTEM;
    private final long pid;
    private final NanoClock clock;
    private final Function<List<String>, NetworkCommand> network;
    private final long start;
    private final List<Sample> samples = new ArrayList<>();
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

    /// Takes two samples. More calls give a smaller error. If a sample took longer than {@value
    /// SocketStatistics#MAX_SAMPLE_S} s, the next pair is delayed by nine times the duration of a
    /// pair.
    public void sample() throws InterruptedException {
        if (failed.isPresent() || nextS.orElse(0) > clock.secondsSince(start)) {
            return;
        }
        // a JVM also listens for JMX, debuggers and the like
        Set<Integer> ports =
                SocketSamples.portsInUse(
                        Sockets.read(proc, pid, Sockets.listeners(proc, pid)).connectionsByPort());
        if (ports.isEmpty()) {
            samples.add(new Sample(clock.secondsSince(start), Map.of()));
            return;
        }
        double tookS = ask(ports);
        if (failed.isPresent()) {
            return;
        }
        TimeUnit.MILLISECONDS.sleep(PAIR_MS);
        tookS = Math.max(tookS, ask(ports));
        nextS =
                tookS > SocketStatistics.MAX_SAMPLE_S
                        ? OptionalDouble.of(
                                clock.secondsSince(start)
                                        + SocketStatistics.DELAY_PER_DURATION * 2 * tookS)
                        : OptionalDouble.empty();
    }

    private double ask(Set<Integer> ports) throws InterruptedException {
        double fromS = clock.secondsSince(start);
        Optional<String> output = network.apply(command(ports)).output();
        double tookS = clock.secondsSince(start) - fromS;
        if (output.isEmpty()) {
            failed = Optional.of("ss (iproute2) is not installed, failed or took more than 2 s");
        }
        output.ifPresent(s -> samples.add(new Sample(fromS + tookS / 2, carried(s))));
        return tookS;
    }

    private static List<String> command(Set<Integer> ports) {
        List<String> words = new ArrayList<>(SocketStatistics.SS);
        words.add(
                new TreeSet<>(ports)
                        .stream().map(p -> "sport = :" + p).collect(Collectors.joining(" or ")));
        return words;
    }

    /// The data that each connection carried since it began.
    static Map<End, Carried> carried(String output) {
        Map<End, Carried> all = new HashMap<>();
        for (Entry entry : SocketStatistics.entries(output)) {
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

    /// The number; 0 if `ss` does not print it.
    private static double number(Pattern what, String reported) {
        Matcher m = what.matcher(reported);
        return m.find() ? ForeignNumber.decimal(m.group(1)).orElse(0) : 0;
    }

    /// Mean requests per second between two times, in seconds since the start; empty if the samples
    /// between them do not give it.
    public Optional<Double> perS(double fromS, double toS) {
        List<Sample> between =
                samples.stream().filter(l -> l.atS() >= fromS && l.atS() <= toS).toList();
        return new SegmentFlow(between).reported().throughput().map(Throughput::perS);
    }

    /// The load over all samples.
    ///
    /// @throws UserError when the samples do not give it
    public Throughput take() {
        SegmentFlow.Reported reported = new SegmentFlow(samples).reported();
        return reported.throughput()
                .orElseThrow(() ->
                        UserError.target(
                                "requests cannot be counted by data segments",
                                failed.or(reported::why).orElse("no look was taken"),
                                "give --access-log FILE, or --jmx where a container counts"));
    }
}
