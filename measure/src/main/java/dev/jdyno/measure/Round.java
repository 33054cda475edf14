package dev.jdyno.measure;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.statistics.LatencyCurve;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.ThreadCounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/// One round: a constant load for a time, the measurements of the client, and the observations of
/// the target in that time.
///
/// @param concurrency requests in flight: the number held (closed model), or the mean by Little's
///   law, at least 1 (open model)
/// @param ratePerS the intended rate of an open model; empty in a closed one
/// @param qps completed good requests per second
/// @param qpsCi95 95 % interval of `qps`, by bootstrap over `slices`
/// @param errorKinds errors by kind, their sum is `errors`
/// @param failures the errors that have a reason, the most frequent first
/// @param bytesRead heads and bodies of all replies; empty when jdyno did not send the load
/// @param latencyCurve distribution of the response times; empty when there were none or jdyno did
///   not send the load
/// @param disturbance disturbance by other processes; empty if the round's figures show none
/// @param replies times of the parts of replies; empty when jdyno did not send the load
public record Round(
        int concurrency,
        Optional<Double> ratePerS,
        double seconds,
        double qps,
        Interval qpsCi95,
        long requests,
        long errors,
        Map<String, Long> errorKinds,
        List<FailureCount> failures,
        Optional<Long> bytesRead,
        Latency rtMs,
        Optional<LatencyCurve> latencyCurve,
        ClientSide client,
        Optional<CpuUse> cpu,
        Optional<ThreadCounts> threads,
        Optional<GcActivity> gc,
        Optional<Breakdown> anatomy,
        List<Slice> slices,
        Optional<Disturbance> disturbance,
        Optional<ReplyTimes> replies) {

    /// Minimum stops per second, without those for collections, at which stops count as more than
    /// single events.
    private static final double STOPS_PER_S = 1;

    public Round {
        errorKinds = Map.copyOf(errorKinds);
        failures = List.copyOf(failures);
        slices = List.copyOf(slices);
    }

    /// A round without reasons of errors and without the distribution of its response times.
    public Round(
            int concurrency,
            Optional<Double> ratePerS,
            double seconds,
            double qps,
            Interval qpsCi95,
            long requests,
            long errors,
            Map<String, Long> errorKinds,
            Optional<Long> bytesRead,
            Latency rtMs,
            ClientSide client,
            Optional<CpuUse> cpu,
            Optional<ThreadCounts> threads,
            Optional<GcActivity> gc,
            Optional<Breakdown> anatomy,
            List<Slice> slices) {
        this(
                concurrency,
                ratePerS,
                seconds,
                qps,
                qpsCi95,
                requests,
                errors,
                errorKinds,
                List.of(),
                bytesRead,
                rtMs,
                Optional.empty(),
                client,
                cpu,
                threads,
                gc,
                anatomy,
                slices,
                Optional.empty(),
                Optional.empty());
    }

    /// A round of a service that jdyno did not load. No client measured response times, so their
    /// mean is computed by Little's law and their quantiles are 0.
    ///
    /// @param concurrency requests in flight, at least 1
    /// @param inFlight measured mean number of requests in flight
    /// @param gc activity of the collector for a number of requests
    public static Round watched(
            int concurrency,
            double seconds,
            double qps,
            double inFlight,
            Optional<CpuUse> cpu,
            Optional<ThreadCounts> threads,
            LongFunction<Optional<GcActivity>> gc) {
        long requests = Math.round(qps * seconds);
        double rtMs = qps > 0 ? inFlight / qps * 1000 : 0;
        return new Round(
                concurrency,
                Optional.empty(),
                seconds,
                qps,
                Interval.exactly(qps),
                requests,
                0,
                Map.of(),
                Optional.empty(),
                new Latency(rtMs, 0, 0, 0, 0, 0),
                ClientSide.withRoom(0, 0),
                cpu,
                threads,
                gc.apply(requests),
                Optional.empty(),
                List.of());
    }

    /// CPU demand D of one request by the utilisation law, in ms; empty when CPU was not measured.
    public Optional<Double> cpuMsPerRequest() {
        return cpu.filter(_ -> qps > 0).map(c -> c.processCores() / qps * 1000);
    }

    /// Mean size of a reply, head and body, in bytes; empty when jdyno did not send the load.
    public Optional<Bytes> replySize() {
        return bytesRead
                .filter(_ -> requests > 0)
                .map(all -> new Bytes(Math.round((double) all / requests)));
    }

    /// Share of the round in which threads were stopped outside the collector's pauses, 0…1. It
    /// includes other stops and, for every stop, the time until the last running thread had
    /// stopped. It is 0 if the JVM does not count stops. It is also 0 if both parts are small,
    /// because a stop for a collection always lasts longer than the pause that the collector
    /// counts.
    public double otherStopsShare() {
        return threads.flatMap(ThreadCounts::stops)
                .map(s -> {
                    boolean others = s.perS() - collectionsPerS() >= STOPS_PER_S;
                    boolean late =
                            s.syncMs() >= ThreadCounts.Stops.runsOnMs(waitingPerCore().orElse(0.0));
                    return Math.min(1, (others ? s.share() : 0) + (late ? s.syncShare() : 0));
                })
                .orElse(0.0);
    }

    /// Threads of the target that waited for a core, per core left to it; empty if either was not
    /// measured.
    public Optional<Double> waitingPerCore() {
        return cpu.filter(c -> c.coresForTarget() > 0)
                .flatMap(c -> threads.map(t -> t.runQueueThreads() / c.coresForTarget()));
    }

    /// Pauses of the collector per second. Each pause is also a stop of the JVM.
    public double collectionsPerS() {
        return seconds <= 0
                ? 0
                : gc.map(g -> g.young().count() + g.full().count()).orElse(0L) / seconds;
    }

    /// Requests in flight, computed from the replies: X · R (Little's law).
    public double answeredInFlight() {
        return qps * rtMs.mean() / 1000;
    }

    /// Mean response time in ms, limited by Little's law. In a closed loop X · R cannot exceed N.
    /// If it does, some response times began before the round, because a stop of the service
    /// delayed requests of the preceding load. The result is then N / X. If X · R is smaller, the
    /// result is the measured mean, although it lacks requests that outlast the round.
    public double rtMsByLittle() {
        return ratePerS.isPresent() || qps <= 0
                ? rtMs.mean()
                : Math.min(rtMs.mean(), concurrency / qps * 1000);
    }

    /// Requests that ended per second, good or not.
    public double endedPerS() {
        return seconds <= 0 ? 0 : (requests + errors) / seconds;
    }

    public double errorShare() {
        return requests + errors == 0 ? 0 : (double) errors / (requests + errors);
    }

    public Round withBreakdown(Breakdown found) {
        return with(gc, Optional.of(found));
    }

    /// The same round at another rate of an open model.
    public Round atRate(double newRatePerS) {
        return new Round(
                concurrency,
                Optional.of(newRatePerS),
                seconds,
                qps,
                qpsCi95,
                requests,
                errors,
                errorKinds,
                failures,
                bytesRead,
                rtMs,
                latencyCurve,
                client,
                cpu,
                threads,
                gc,
                anatomy,
                slices,
                disturbance,
                replies);
    }

    /// The same round with newer knowledge of its disturbance.
    public Round disturbed(Optional<Disturbance> by) {
        return new Round(
                concurrency,
                ratePerS,
                seconds,
                qps,
                qpsCi95,
                requests,
                errors,
                errorKinds,
                failures,
                bytesRead,
                rtMs,
                latencyCurve,
                client,
                cpu,
                threads,
                gc,
                anatomy,
                slices,
                by,
                replies);
    }

    /// The same round with throughput and response times only, without observations of the target.
    /// A report at another load uses it for comparison.
    public Round seenByTheClient() {
        return new Round(
                concurrency,
                ratePerS,
                seconds,
                qps,
                qpsCi95,
                requests,
                errors,
                errorKinds,
                failures,
                bytesRead,
                rtMs,
                latencyCurve,
                client,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                slices,
                disturbance,
                replies);
    }

    public Round withGc(GcActivity better) {
        return with(Optional.of(better), anatomy);
    }

    /// The same round with other figures of the collector and another breakdown.
    public Round with(Optional<GcActivity> newGc, Optional<Breakdown> newBreakdown) {
        return new Round(
                concurrency,
                ratePerS,
                seconds,
                qps,
                qpsCi95,
                requests,
                errors,
                errorKinds,
                failures,
                bytesRead,
                rtMs,
                latencyCurve,
                client,
                cpu,
                threads,
                newGc,
                newBreakdown,
                slices,
                disturbance,
                replies);
    }
}
