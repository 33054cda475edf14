package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RequestCpu;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LogWork;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/// The input of the recommendations, and the formulas that they share.
///
/// @param now the round at the load of the report: gains are relative to it
/// @param aloneMs response time of a request that is alone in the service, from the rounds
/// @param cpuMs CPU time per request in the rounds in which it is steady; empty if not measured
/// @param whatIf the predictions of the calibrated model; empty without a knee
/// @param machineCores all cores of the machine, also those that the target may not use
/// @param machineMemoryBytes all memory of the machine
public record Situation(
        Verdict verdict,
        Evidence evidence,
        Round now,
        double aloneMs,
        Optional<Double> cpuMs,
        Optional<Knee> knee,
        Map<StandardChange, WhatIf> whatIf,
        TargetFacts target,
        Insight insight,
        int machineCores,
        long machineMemoryBytes) {
    /// Minimum share of a time at which all of it counts as removed. It is also the maximum share
    /// of the CPU that can be removed.
    private static final double ALL_REMOVED = 0.95;

    /// Minimum size of a reply, as a share of the bytes that a request allocates at a place, for
    /// these bytes to belong to the reply.
    private static final double PART_OF_REPLY = 0.1;

    /// Causes that are not part of a request's own time. They are stops of the JVM, and waits that
    /// occur even if no other request is in the service.
    private static final Set<Cause> STOPS =
            EnumSet.of(Cause.LOCK, Cause.POOL, Cause.GC, Cause.SAFEPOINT);

    /// @param point the load of the report; empty if no round had any throughput
    public static Situation of(
            Verdict verdict,
            Evidence evidence,
            Optional<Knee> knee,
            Map<StandardChange, WhatIf> whatIf,
            Recording recording,
            Optional<OperatingPoint> point) {
        Round now = point.map(OperatingPoint::round).orElseGet(evidence::plateau);
        OptionalDouble settled =
                RequestCpu.settled(recording.rounds(), recording.census()).stream()
                        .mapToDouble(r -> RequestCpu.ms(r, recording.census()).orElseThrow())
                        .min();
        return new Situation(
                verdict,
                evidence,
                now,
                recording.load(now).aloneMs(),
                settled.isPresent() ? Optional.of(settled.getAsDouble()) : Optional.empty(),
                knee,
                Map.copyOf(whatIf),
                recording.target(),
                evidence.saturated()
                        .map(c -> recording.insight().at(c.concurrency()))
                        .orElse(recording.insight()),
                recording.machine().cores(),
                recording.machine().memoryBytes());
    }

    /// Returns the measurements from which predictions are scaled.
    public MeasuredLoad load() {
        return new MeasuredLoad(
                now.concurrency(), now.qps(), now.qpsCi95(), now.rtMs().mean(), aloneMs);
    }

    /// Returns the names of all code in stacks and allocation sites: `class.method`.
    public Stream<String> code() {
        return code(insight);
    }

    /// Returns the names of all code that an insight shows: `class.method`.
    public static Stream<String> code(Insight insight) {
        return Stream.concat(
                insight.profiles().stream().flatMap(p -> frames(p.root())),
                insight.allocations().stream().map(Insight.Allocation::site));
    }

    private static Stream<String> frames(Profile.Node node) {
        return Stream.concat(
                Stream.of(node.frame()), node.children().stream().flatMap(Situation::frames));
    }

    /// True if this number of bytes per request may belong to the reply. It is false if a reply is
    /// much smaller.
    public boolean mayBeReply(double bytes) {
        return now.replySize().filter(reply -> reply.value() < PART_OF_REPLY * bytes).isEmpty();
    }

    /// True if names of the observed code begin with this text. Advice on a framework is only given
    /// if the framework runs.
    public boolean runs(String packages) {
        return code().anyMatch(name -> name.startsWith(packages));
    }

    /// Returns the application's own code in most of the stacks of a pool's threads in use.
    public Optional<OwnCode> codeIn(String pool) {
        return OwnCode.in(insight, pool);
    }

    /// Returns the application's own code in most of the stacks of the threads that wait for
    /// `cause`.
    public Optional<OwnCode> codeWaitingFor(Cause cause) {
        return evidence.saturated().flatMap(c -> OwnCode.waitingFor(cause, c, insight));
    }

    /// Returns the change of a method.
    ///
    /// @param share share of the limiting resource's time that is spent in the method, 0…1
    public Change.CodeAt codeAt(String method, double share) {
        return new Change.CodeAt(
                method,
                insight.sources().stream()
                        .filter(line -> line.method().equals(method))
                        .findFirst()
                        .map(SourceLine::text),
                share);
    }

    /// Returns the gain if the limiting resource has `factor` times its capacity (F2). The next
    /// known limit is the CPU. If the load saturates the resource or the CPU, response time falls
    /// in proportion as throughput rises (Little's law, F3). It is at least the remaining own time
    /// of a request.
    ///
    /// @param factor above 1; infinite if the recommendation removes all work and waits of a
    ///   request at this resource
    public Gain withCapacity(double factor) {
        return atLeast(withCapacity(factor, 0, ""), 1 / factor);
    }

    /// Like {@link #withCapacity(double)}, for a change that only shortens waits for other
    /// requests. A request's own work and waits stay the same.
    public Gain turns(double factor) {
        return atLeast(withCapacity(factor, 0, ""), 1);
    }

    /// Returns the gain with a lower bound of the response time: at the reported load, it is at
    /// least the own time that a request still needs. All predictions use this bound.
    ///
    /// @param share of a request's own time that stays, 0…1
    public Gain atLeast(Gain gain, double share) {
        double rt = now.rtMs().mean();
        double floor = rt <= 0 ? 0 : Math.min(1, share * ownTimeMs() / rt);
        return gain.rt()
                .filter(ratio -> ratio < floor)
                .map(_ ->
                        new Gain(
                                gain.qps(),
                                Optional.of(floor),
                                gain.atMost(),
                                gain.formula()
                                        + say(
                                                "; of the %s ms a request takes %s by itself",
                                                Lines.ms(rt), Lines.ms(floor * rt))))
                .orElse(gain);
    }

    /// Returns the time of a request without waits for other requests, in ms. A request that is
    /// alone in the service has no such waits. So its whole time counts, including the network,
    /// except stops of the JVM. Without a round with one request, it is the minimum over the rounds
    /// up to the best throughput, because the same work takes longer at high concurrency. Rounds
    /// beyond that are left out, because requests may fail early there. Without a breakdown, it is
    /// the shortest mean response time.
    private double ownTimeMs() {
        Optional<Double> alone =
                evidence.rounds().stream()
                        .filter(r -> r.concurrency() == 1 && r.ratePerS().isEmpty())
                        .flatMap(r -> r.anatomy().stream().map(a -> r.rtMs().mean() - stopsMs(a)))
                        .min(Comparator.naturalOrder())
                        .filter(_ -> verdict.bottleneck() != Bottleneck.RATE_LIMIT);
        if (alone.isPresent()) {
            return Math.min(aloneMs, alone.get());
        }
        List<Round> upToBest =
                evidence.rounds().stream()
                        .filter(r -> r.concurrency() <= evidence.plateau().concurrency())
                        .toList();
        return upToBest.stream()
                .filter(r -> r.anatomy().isPresent())
                .mapToDouble(r -> Math.min(r.rtMs().mean(), ownTimeMs(r.anatomy().orElseThrow())))
                .min()
                .orElseGet(
                        () -> upToBest.stream().mapToDouble(r -> r.rtMs().mean()).min().orElse(0));
    }

    private static double stopsMs(Breakdown breakdown) {
        return STOPS.stream().mapToDouble(breakdown::ms).sum();
    }

    /// Returns the own time of a request from its breakdown. If a rate limiter is the bottleneck,
    /// sleep is not part of it.
    private double ownTimeMs(Breakdown breakdown) {
        boolean limited = verdict.bottleneck() == Bottleneck.RATE_LIMIT;
        return Stream.of(Cause.values())
                .filter(c -> c == Cause.CPU || c.isElsewhere())
                .filter(c -> c != Cause.SLEEP || !limited)
                .mapToDouble(breakdown::ms)
                .sum();
    }

    /// @param less share of a request's CPU time that is removed
    /// @param without the removed part of its CPU time, as a clause
    private Gain withCapacity(double factor, double less, String without) {
        Optional<Double> allowed = cpuAllows(less);
        double max = allowed.orElse(Double.POSITIVE_INFINITY);
        double qps = Math.min(Math.max(1, factor * saturationLevel()), max);
        if (Double.isInfinite(qps)) {
            return Gain.unknown("its CPU use was not measured, so the next limit is unknown");
        }
        String limit =
                Double.isInfinite(factor)
                        ? "this limit gone"
                        : say("this limit would let %.3g times as much through (F2)", factor);
        String next =
                allowed.map(times ->
                                qps < times
                                        ? ""
                                        : say(
                                                "; CPU alone%s allows %.2f times: %.0f/s",
                                                without, times, times * now.qps()))
                        .orElse("; its CPU use was not measured");
        return Gain.of(qps, 1 / qps, true, limit + next);
    }

    /// Returns throughput at saturation ÷ throughput now, at most 1. Throughput now may be slightly
    /// above saturation, but the factor of a gain applies to saturation.
    private double saturationLevel() {
        return knee.filter(k -> now.qps() > 0)
                .map(k -> Math.min(1, k.qps() / now.qps()))
                .orElse(1.0);
    }

    /// Returns the throughput that CPU alone allows, as a multiple of the throughput now. If CPU is
    /// not the limit, it is the prediction for CPU in the knee's section. Otherwise it is the cores
    /// available to the target ÷ CPU time per request. If the CPU is saturated, only the CPU that
    /// is left now counts.
    ///
    /// @param less share of a request's CPU time that is removed
    /// @return at least 1; empty if the CPU use was not measured
    public Optional<Double> cpuAllows(double less) {
        return evidence.cpuUtilisation()
                .map(u -> u * (1 - less))
                .filter(u -> u > 0)
                .map(u ->
                        Math.max(
                                1,
                                knee.flatMap(Knee::predicted)
                                        .filter(p -> !p.ofTheLimit() && p.qps() > now.qps())
                                        .map(p -> p.qps() / now.qps() / (1 - less))
                                        .orElseGet(() -> leftOf(u, less))));
    }

    /// @param used share of its cores, without the removed part
    private double leftOf(double used, double less) {
        double bySettled =
                cpuMs.filter(ms -> ms > 0 && now.qps() > 0)
                        .filter(_ -> used < Saturation.CPU_SATURATED)
                        .flatMap(ms ->
                                evidence.fullestCpu()
                                        .map(c -> c.coresForTarget() / ms * 1000 / now.qps()))
                        .orElse(0.0);
        return Math.max(1 / used, bySettled / (1 - less));
    }

    /// Returns the calibrated model's prediction for half the time of this cause, or `otherwise` if
    /// it has none.
    public Gain half(Cause cause, Gain otherwise) {
        return StandardChange.half(cause).map(c -> model(c, otherwise)).orElse(otherwise);
    }

    /// Returns the calibrated model's prediction for the change, or `otherwise` if it has none.
    public Gain model(StandardChange change, Gain otherwise) {
        return knee.flatMap(k -> Optional.ofNullable(whatIf.get(change)).map(w -> predicted(k, w)))
                .orElse(otherwise);
    }

    private Gain predicted(Knee before, WhatIf then) {
        return Gain.of(
                then.qpsRatio(before, now.qps()),
                then.rtRatio(before, now.concurrency()),
                false,
                then.formula());
    }

    /// Returns the gain if the share `part` of the waits for this cause is removed. Threads in use
    /// then serve more requests in the same time, until the CPU is saturated.
    public Gain lessWaiting(Cause cause, double part) {
        double share = evidence.busyShare(cause).orElse(0.0) * part;
        return share <= 0
                ? Gain.unknown("no thread in use was found in it")
                : withCapacity(without(share));
    }

    /// Returns the gain if the limiting resource is held for a shorter time.
    ///
    /// @param share share of the holding time that is removed, 0…1
    public Gain heldLess(double share) {
        return share <= 0
                ? Gain.unknown("no thread was found in it")
                : withCapacity(without(share));
    }

    /// Returns the throughput gain (a factor) if this share of a time is removed. Unbounded if the
    /// rest is smaller than the measurement error.
    private static double without(double share) {
        return share < ALL_REMOVED ? 1 / (1 - share) : Double.POSITIVE_INFINITY;
    }

    /// Returns the gain if this wait moves out of the lock. Only one thread at a time holds the
    /// lock, so the mean number of threads in this wait is the wait's share of the holding time.
    /// The result is a bound, so the upper end of that share's interval is used.
    public Gain waitOutsideOfTheLock(Cause cause) {
        double inside =
                evidence.saturated()
                        .filter(c -> c.threads(cause) > 0)
                        .map(c -> Interval.ofShare(Math.min(1, c.threads(cause)), c.dumps()).hi())
                        .orElse(0.0);
        return turns(inside > 0 ? without(inside) : Double.POSITIVE_INFINITY);
    }

    /// Returns the gain if threads that log no longer wait for the reader of their output. The
    /// number of lines stays the same.
    public Gain linesTakenAtOnce() {
        double share = evidence.busyShare(Cause.LOGGING).orElse(0.0);
        return share <= 0
                ? Gain.unknown("no thread in use was found in it")
                : atLeast(withCapacity(without(share), 0, ""), 1 / without(share));
    }

    /// Returns the gain of fewer log lines. Writing and formatting them uses CPU, too. Threads
    /// queue for the log, and with half of the lines the queue may disappear completely. So the
    /// gain is only a bound. It is limited by the throughput of the log, which then serves twice as
    /// many requests, and by the time of a request without logging. For a bound, the CPU of the
    /// lines is the upper end of its interval.
    public Gain fewerLogLines(double part) {
        double share = evidence.busyShare(Cause.LOGGING).orElse(0.0);
        if (share <= 0 || part <= 0) {
            return Gain.unknown("no thread in use was found in it");
        }
        double ofCpu =
                evidence.saturated().map(LogWork::new).map(LogWork::mostShare).orElse(0.0) * part;
        double factor = Math.min(without(share), without(part));
        return atLeast(
                withCapacity(
                        factor,
                        Math.min(ALL_REMOVED, ofCpu),
                        ofCpu > 0 ? " without those lines" : ""),
                1 / factor);
    }

    /// Like {@link #withCapacity(double)}, for a change that also saves half of the collector's
    /// concurrent work and half of some other work. The application can use the cores that become
    /// free.
    ///
    /// @param factor throughput that the limit allows, after ÷ before
    /// @param other the other work, as a share of the application's CPU, 0…1
    /// @param what the text after the figure: ` with half of the collector's work`
    public Gain gainWithHalfCollector(double factor, double other, String what) {
        double used = evidence.cpu().map(CpuUse::ownCores).orElse(0.0);
        double collector =
                used <= 0 ? 0 : Math.min(1, evidence.sign(Sign.GC_CORES).orElse(0.0) / used);
        double ofCpu = Math.min(ALL_REMOVED, collector + (1 - collector) * other) / 2;
        return atLeast(withCapacity(factor, ofCpu, what), 1 / factor);
    }

    /// Returns the figure of an evidence line of the verdict.
    public Optional<Double> figure(Figure figure) {
        return verdict.evidence().stream()
                .filter(figure::isOf)
                .map(Verdict.EvidenceLine::value)
                .findFirst();
    }

    /// True if the JVM was started with a flag that begins with this.
    public boolean hasFlag(String start) {
        return target.flags().stream().anyMatch(f -> f.startsWith(start));
    }

    /// Returns the size in a flag of the JVM.
    ///
    /// @param start the flag up to and including the equals sign
    public Optional<Bytes> flagBytes(String start) {
        return target.flags().stream()
                .filter(f -> f.startsWith(start))
                .map(f -> Bytes.parse(f.substring(start.length())))
                .findFirst();
    }

    public boolean collectorIs(String word) {
        return target.collector()
                .filter(c -> c.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)))
                .isPresent();
    }

    /// Returns the round with the fewest requests in flight that has a breakdown. At that load no
    /// request queues, so its parts are a request's own time.
    public Optional<Round> alone() {
        return evidence.rounds().stream().filter(r -> r.anatomy().isPresent()).findFirst();
    }

    public Optional<Breakdown> unloadedBreakdown() {
        return alone().flatMap(Round::anatomy);
    }
}
