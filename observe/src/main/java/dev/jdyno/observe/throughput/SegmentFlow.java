package dev.jdyno.observe.throughput;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.statistics.Throughput.Source;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// Estimates the number of requests from the data segments of the connections to the target (pure).
///
/// On a connection with one request at a time, each request has at least one incoming data segment.
/// Its answer has at least one outgoing segment. The smaller of both numbers is the upper bound. If
/// a message is written at once, all its segments except the last are full. So segments minus bytes
/// ÷ largest segment is the lower bound. Most requests fit into one segment, so the bounds are
/// close. If requests and answers both fill many segments, there is no figure.
///
/// A connection that began between two samples shows everything it carried. The data that an ended
/// connection carried after the previous sample is unknown. It is assumed to equal that of a
/// connection that began. If none began, half the data of a connection that stayed open is assumed.
///
/// @param samples samples in order
record SegmentFlow(List<Sample> samples) {
    /// Minimum share of the connections that must exist in both samples, because connections that
    /// begin and end between two samples are missed.
    static final double STAY = 0.5;

    /// Minimum share of the time that such samples must cover.
    static final double COVERED = 0.05;

    /// Minimum ratio of lower to upper bound for a figure.
    static final double MIN_BOUND_RATIO = 0.5;

    /// Length of `GET / HTTP/1.0` and two line ends, the shortest request of HTTP/1: shorter
    /// messages belong to HTTP/2 or another protocol.
    static final double SHORTEST_REQUEST_BYTES = 18;

    /// Incoming or outgoing data of one end.
    ///
    /// @param full number of segments that the bytes would fill
    record Flow(double segments, double bytes, double full) {
        static final Flow NONE = new Flow(0, 0, 0);

        Flow plus(Flow other) {
            return new Flow(segments + other.segments, bytes + other.bytes, full + other.full);
        }

        Flow times(double factor) {
            return new Flow(segments * factor, bytes * factor, full * factor);
        }

        Flow less(Flow earlier) {
            return plus(earlier.times(-1));
        }

        private double least() {
            return Math.max(0, segments - full);
        }
    }

    /// Data that a connection carried since it began.
    record Carried(Flow in, Flow out) {
        static final Carried NONE = new Carried(Flow.NONE, Flow.NONE);

        Carried plus(Carried other) {
            return new Carried(in.plus(other.in), out.plus(other.out));
        }

        private Carried times(double factor) {
            return new Carried(in.times(factor), out.times(factor));
        }

        private Carried less(Carried earlier) {
            return new Carried(in.less(earlier.in), out.less(earlier.out));
        }

        private boolean follows(Carried earlier) {
            return in.segments >= earlier.in.segments && out.segments >= earlier.out.segments;
        }
    }

    /// @param atS seconds since the beginning
    record Sample(double atS, Map<End, Carried> connections) {
        Sample {
            connections = Map.copyOf(connections);
        }
    }

    SegmentFlow {
        samples = List.copyOf(samples);
    }

    /// The change from one sample to the next.
    ///
    /// @param stay share of the connections that exist in both
    private record Step(double seconds, double stay, Carried carried) {
        static Step between(Sample from, Sample to) {
            Carried stayed = Carried.NONE;
            Carried came = Carried.NONE;
            int staying = 0;
            for (var end : to.connections().entrySet()) {
                Carried before = from.connections().get(end.getKey());
                // fewer than before: another connection now uses the same port
                if (before != null && end.getValue().follows(before)) {
                    staying++;
                    stayed = stayed.plus(end.getValue().less(before));
                } else {
                    came = came.plus(end.getValue());
                }
            }
            int coming = to.connections().size() - staying;
            int going = from.connections().size() - staying;
            double seconds = to.atS() - from.atS();
            int ends = coming + going + 2 * staying;
            Carried went =
                    coming > 0
                            ? came.times((double) going / coming)
                            : stayed.times(staying > 0 ? going / (2.0 * staying) : 0);
            return new Step(
                    seconds, ends == 0 ? 1 : 2.0 * staying / ends, stayed.plus(came).plus(went));
        }
    }

    /// @return either throughput, or the reason why there is none
    Reported reported() {
        List<Step> steps = new ArrayList<>();
        for (int i = 1; i < samples.size(); i++) {
            steps.add(Step.between(samples.get(i - 1), samples.get(i)));
        }
        List<Step> used = steps.stream().filter(s -> s.stay() >= STAY).toList();
        double seconds = sum(used, Step::seconds);
        if (samples.stream().allMatch(l -> l.connections().isEmpty())) {
            return Reported.none("no client is connected to it");
        }
        if (!segmentsAreCounted()) {
            return Reported.none(
                    "no segment with data was counted on its connections: no client has sent a"
                            + " request, or the kernel or ss is too old to count segments");
        }
        if (seconds <= COVERED * sum(steps, Step::seconds)) {
            return Reported.none("its connections end before they are seen twice");
        }
        Carried all = used.stream().map(Step::carried).reduce(Carried.NONE, Carried::plus);
        boolean in = all.in().segments() <= all.out().segments();
        Flow fewer = in ? all.in() : all.out();
        if (all.in().segments() > 0
                && all.in().bytes() / all.in().segments() < SHORTEST_REQUEST_BYTES) {
            return Reported.none(
                    String.format(
                            Locale.ROOT,
                            "segments of %.0f bytes on average are too short for HTTP/1 requests",
                            all.in().bytes() / all.in().segments()));
        }
        if (fewer.least() < MIN_BOUND_RATIO * fewer.segments()) {
            return Reported.none("requests and answers both fill several segments");
        }
        double perS = fewer.segments() / seconds;
        return new Reported(
                Optional.of(
                        new Throughput(
                                perS,
                                Source.SEGMENTS,
                                Optional.empty(),
                                Optional.of(new Interval(fewer.least() / seconds, perS)))),
                Optional.empty());
    }

    /// True if segments are counted. A count starts with its connection. If all counts are zero, no
    /// request was ever sent, or the kernel does not count segments.
    private boolean segmentsAreCounted() {
        return samples.stream()
                .flatMap(l -> l.connections().values().stream())
                .anyMatch(c -> c.in().segments() > 0);
    }

    private static double sum(List<Step> steps, ToDoubleFunction<Step> what) {
        return steps.stream().mapToDouble(what).sum();
    }

    /// @param throughput throughput with the lower and the upper bound as its interval
    /// @param why the reason if there is no throughput
    record Reported(Optional<Throughput> throughput, Optional<String> why) {
        private static Reported none(String why) {
            return new Reported(Optional.empty(), Optional.of(why));
        }
    }
}
