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
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Knee;
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

/// What the recommendations look at, and the formulas they share.
///
/// @param now the round at the load that the report is about: gains are against it
/// @param aloneMs response time of a request that is alone, as far as rounds show it
/// @param cpuMs CPU of a request in the rounds in which it has settled; empty where it was not seen
/// @param whatIf what the calibrated model predicts; empty without a knee
/// @param machineCores of the machine, whatever the target may use of them
/// @param machineMemoryBytes likewise
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
    /// Share of a time from which all of it counts as taken away; of the CPU no more than this is.
    private static final double MOST_GONE = 0.95;

    /// Parts of a lone request that are not its own: what stops it, and what it waits for though no
    /// other request is there.
    private static final Set<Cause> STOPS =
            EnumSet.of(Cause.LOCK, Cause.POOL, Cause.GC, Cause.SAFEPOINT);

    /// @param point the load that the report speaks of; empty where no round had any throughput
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

    /// Names of all code that was seen, in stacks and as places that allocate: `class.method`.
    public Stream<String> code() {
        return code(insight);
    }

    /// Names of all code that an insight shows: `class.method`.
    public static Stream<String> code(Insight insight) {
        return Stream.concat(
                insight.profiles().stream().flatMap(p -> frames(p.root())),
                insight.allocations().stream().map(Insight.Allocation::site));
    }

    private static Stream<String> frames(Profile.Node node) {
        return Stream.concat(
                Stream.of(node.frame()), node.children().stream().flatMap(Situation::frames));
    }

    /// Whether code was seen whose names begin so: what belongs to a framework is only named where
    /// that runs.
    public boolean runs(String packages) {
        return code().anyMatch(name -> name.startsWith(packages));
    }

    /// The innermost frame that is not the JDK's in most of the stacks of a pool's threads in use.
    public Optional<String> codeIn(String pool) {
        return insight.profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.WALL)
                .max(Comparator.comparingInt(Profile::concurrency))
                .flatMap(p -> p.mostFoundIn(pool));
    }

    /// What limits gets so many times as much room (F2). The next limit that is known is the CPU.
    /// At a load that fills either, response time falls as throughput rises (F3), but not below
    /// what is left of the time a request takes by itself.
    ///
    /// @param factor above 1; infinite when the recommendation takes away all that a request does
    ///   and waits for there
    public Gain room(double factor) {
        return atLeast(room(factor, 0, ""), 1 / factor);
    }

    /// The same where no part of a request gets shorter and only no thread waits for a turn: what a
    /// request does and waits for on its own stays.
    public Gain turns(double factor) {
        return atLeast(room(factor, 0, ""), 1);
    }

    /// A prediction whose response time, at the reported load, is no shorter than what a request
    /// still takes by itself: the one floor of all predictions.
    ///
    /// @param share of that time that stays, 0…1
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

    /// What a request takes without waiting for a turn, ms. One that is alone in the service waits
    /// for none, so all of its time but stops is its own, the network's part too. Else the least of
    /// the rounds up to the best throughput, for the same work takes longer in a crowd; beyond it
    /// requests may fail early. Without a breakdown all of the shortest response.
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

    private static double stopsMs(Breakdown anatomy) {
        return STOPS.stream().mapToDouble(anatomy::ms).sum();
    }

    /// A limiter may make a request sleep: that is no time of its own.
    private double ownTimeMs(Breakdown anatomy) {
        boolean limited = verdict.bottleneck() == Bottleneck.RATE_LIMIT;
        return Stream.of(Cause.values())
                .filter(c -> c == Cause.CPU || c.isElsewhere())
                .filter(c -> c != Cause.SLEEP || !limited)
                .mapToDouble(anatomy::ms)
                .sum();
    }

    /// @param less share of the CPU of a request that goes away
    /// @param without what of its CPU goes away, as a clause
    private Gain room(double factor, double less, String without) {
        Optional<Double> allowed = cpuAllows(less);
        double most = allowed.orElse(Double.POSITIVE_INFINITY);
        double qps = Math.min(Math.max(1, factor * saturationLevel()), most);
        if (Double.isInfinite(qps)) {
            return Gain.unknown("its CPU was not seen, so the next limit is not known");
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
                        .orElse("; its CPU was not seen");
        return Gain.of(qps, 1 / qps, true, limit + next);
    }

    /// The level of saturation ÷ the throughput of now, which may be a little above it: so many
    /// times as much room is of that level.
    private double saturationLevel() {
        return knee.filter(k -> now.qps() > 0)
                .map(k -> Math.min(1, k.qps() / now.qps()))
                .orElse(1.0);
    }

    /// How many times the throughput of now CPU alone lets through: what the knee's section says of
    /// it, where CPU is not what limits, else the cores available to the target ÷ CPU of a request.
    /// Where CPU is used up, no more than what is left of it now.
    ///
    /// @param less share of the CPU of a request that goes away
    /// @return 1 and more; empty where its CPU was not seen
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

    /// @param used share of its cores, without the part that goes away
    private double leftOf(double used, double less) {
        double bySettled =
                cpuMs.filter(ms -> ms > 0 && now.qps() > 0)
                        .filter(_ -> used < Saturation.CPU_USED_UP)
                        .flatMap(ms ->
                                evidence.fullestCpu()
                                        .map(c -> c.coresForTarget() / ms * 1000 / now.qps()))
                        .orElse(0.0);
        return Math.max(1 / used, bySettled / (1 - less));
    }

    /// The calibrated model's answer to half the time of this cause, or the bound.
    public Gain half(Cause cause, Gain otherwise) {
        return StandardChange.half(cause).map(c -> model(c, otherwise)).orElse(otherwise);
    }

    /// The calibrated model's answer to the change, or the bound.
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

    /// Threads in use spend this share of their time so; with `part` of it gone as many more
    /// requests pass through them, until the CPU is saturated.
    public Gain lessWaiting(Cause cause, double part) {
        double share = evidence.busyShare(cause).orElse(0.0) * part;
        return share <= 0 ? Gain.unknown("no thread in use was found in it") : room(without(share));
    }

    /// What limits is held for a part less of the time.
    ///
    /// @param share of the time it is held that goes, 0…1
    public Gain heldLess(double share) {
        return share <= 0 ? Gain.unknown("no thread was found in it") : room(without(share));
    }

    /// How many times as much passes where this share of a time goes: without any limit where
    /// hardly anything is left, for the rest is within the error of what was seen.
    private static double without(double share) {
        return share < MOST_GONE ? 1 / (1 - share) : Double.POSITIVE_INFINITY;
    }

    /// A lock whose holder, one at a time, is found in this wait for this share of the time that it
    /// is held: the rest stays under the lock. A bound, so of what few dumps found the most counts.
    public Gain waitOutsideOfTheLock(Cause cause) {
        double inside =
                evidence.saturated()
                        .filter(c -> c.threads(cause) > 0)
                        .map(c -> Interval.ofShare(Math.min(1, c.threads(cause)), c.dumps()).hi())
                        .orElse(0.0);
        return turns(inside > 0 ? without(inside) : Double.POSITIVE_INFINITY);
    }

    /// The same of log lines that wait for a reader: they are written as before.
    public Gain linesTakenAtOnce() {
        double share = evidence.busyShare(Cause.LOGGING).orElse(0.0);
        return share <= 0
                ? Gain.unknown("no thread in use was found in it")
                : atLeast(room(without(share), 0, ""), 1 / without(share));
    }

    /// The same of fewer log lines, whose writing and formatting uses cores, too.
    public Gain fewerLogLines(double part) {
        double share = evidence.busyShare(Cause.LOGGING).orElse(0.0) * part;
        if (share <= 0) {
            return Gain.unknown("no thread in use was found in it");
        }
        double ofCpu =
                evidence.saturated().map(LogWork::new).map(LogWork::share).orElse(0.0) * part;
        double factor = without(share);
        return atLeast(
                room(factor, Math.min(MOST_GONE, ofCpu), ofCpu > 0 ? " without those lines" : ""),
                1 / factor);
    }

    /// The same of a limit that goes together with half of what the collector does beside the
    /// application: those cores come back.
    public Gain roomWithHalfTheCollector(double factor) {
        double used = evidence.cpu().map(CpuUse::processCores).orElse(0.0);
        double collector = evidence.sign(Sign.GC_CORES).orElse(0.0);
        double ofCpu = used <= 0 ? 0 : Math.min(MOST_GONE, collector / used) / 2;
        return atLeast(room(factor, ofCpu, " with half of the collector's work"), 1 / factor);
    }

    /// The figure of an evidence line of the verdict.
    public Optional<Double> figure(Figure figure) {
        return verdict.evidence().stream()
                .filter(figure::isOf)
                .map(Verdict.EvidenceLine::value)
                .findFirst();
    }

    /// Whether the JVM was started with a flag that begins so.
    public boolean hasFlag(String start) {
        return target.flags().stream().anyMatch(f -> f.startsWith(start));
    }

    /// The size that the JVM was given by a flag.
    ///
    /// @param start up to and with the equals sign
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

    /// The round with the fewest requests in flight whose parts are known: nobody queues there, so
    /// its parts are what a request takes.
    public Optional<Round> alone() {
        return evidence.rounds().stream().filter(r -> r.anatomy().isPresent()).findFirst();
    }

    public Optional<Breakdown> aloneAnatomy() {
        return alone().flatMap(Round::anatomy);
    }
}
