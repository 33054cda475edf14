package dev.jdyno.capacity;

import dev.jdyno.capacity.RoundsInterval.RoundValue;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Demand.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The demand of one request on each resource, with the interval that the rounds give.
///
/// @param subKnee the rounds below the knee
/// @param census the thread samples behind the rounds' breakdowns
/// @param waits waits in the flight recording of the same windows
record Demands(
        Asymptotes a,
        List<Round> subKnee,
        OtherDemands others,
        List<ThreadSamples> census,
        List<Insight.Wait> waits) {
    /// The delay for the rest of R_min that the known parts do not explain.
    static final String REST = "delay";

    /// Stops of the whole JVM for its collector. No other thread runs meanwhile, so it is a
    /// resource of one unit.
    static final String GC = "gc";

    /// Maximum distance of Little's count of used places from a whole number for the count to be
    /// well known.
    private static final double WHOLE = 0.12;

    /// Minimum share of members in use for a pool to count as saturated, if the pool reports them.
    private static final double ALL_IN_USE = 0.9;

    static Demand ofCpu(CpuDemand cpu, CpuSupply supply, double qps) {
        return new Demand(
                ServiceModel.CPU,
                cpu.ms(),
                cpu.ci95(),
                cpu.from().size(),
                supply.coresLeft(cpu.ms()),
                qps / supply.maxQps(cpu.ms()));
    }

    /// Returns CPU first, then the others.
    List<Demand> with(Demand cpu) {
        List<Demand> all = new ArrayList<>(List.of(cpu));
        all.addAll(withOtherDemands(all));
        return all;
    }

    /// Returns the demands of a target whose CPU was not measured.
    List<Demand> withoutCpu() {
        return withOtherDemands(List.of());
    }

    private List<Demand> withOtherDemands(List<Demand> cpu) {
        List<Demand> demands = new ArrayList<>();
        List<Demand> known = new ArrayList<>(cpu);
        for (Map.Entry<Cause, Double> w : others.waits().entrySet()) {
            Demand wait = ofWait(w.getKey(), w.getValue());
            demands.add(wait);
            known.add(wait);
        }
        if (others.limit() instanceof Limit.Lock(String name, Cause _)) {
            // the lock is saturated and admits one request at a time, so F2 gives D = 1 / X_max
            Demand lock = ofSaturated(name, 1);
            demands.add(lock);
            known.add(lock);
        }
        if (others.limit() instanceof Limit.Pool(String name, Cause held)) {
            double cpuMs = cpu.stream().mapToDouble(Demand::ms).sum();
            demands.add(HeldTimes.isTasks(name) ? ofTasks(name, held, cpuMs) : ofPool(name, held));
        }
        ofGc().ifPresent(gc -> {
            demands.add(gc);
            known.add(gc);
        });
        ofRest(known).ifPresent(demands::add);
        return demands;
    }

    /// Returns the demand on an executor. A request with several tasks at once uses several
    /// workers, but for no longer than it lasts.
    private Demand ofTasks(String name, Cause held, double cpuMs) {
        double perSecond = a.maxQps() / 1000;
        double units = places(perSecond * others.waits().getOrDefault(held, 0.0));
        return ofSaturated(
                name,
                a.minRtMs() > cpuMs ? Math.min(units, perSecond * (a.minRtMs() - cpuMs)) : units);
    }

    /// Returns the demand on a pool. Its units are what it reports, or by Little's law the number
    /// of holders, rounded if near a whole number. The holding time then follows from F2.
    private Demand ofPool(String name, Cause held) {
        WaitSources.Estimate hold = held(held, others.waits().getOrDefault(held, 0.0));
        double bySources = a.maxQps() / 1000 * hold.ms();
        double byLittle = amongHolders(bySources, held);
        Optional<Double> reported = reportedUnits(byLittle);
        double units = reported.orElseGet(() -> places(byLittle));
        Demand pool = ofSaturated(name, units);
        if (reported.isEmpty() && (hold.sources().isEmpty() || units == bySources)) {
            return pool.from(hold.sources());
        }
        Source.Kind kind;
        Source.Reason why;
        if (reported.isPresent()) {
            kind = Source.Kind.REPORTED_SIZE;
            why = Source.Reason.SIZE_REPORTED;
        } else if (byLittle != bySources) {
            kind = Source.Kind.HOLDERS;
            why = Source.Reason.HOLDERS_SEEN;
        } else {
            kind = Source.Kind.THROUGHPUT;
            why = Source.Reason.WHOLE_UNITS;
        }
        List<Source> sources = new ArrayList<>(WaitSources.unused(hold.sources(), why));
        sources.add(
                new Source(
                        kind,
                        pool.ms(),
                        pool.ci95().map(i -> i.width() / 2 / Interval.NORMAL_95).orElse(0.0),
                        1,
                        why));
        return pool.from(sources);
    }

    /// Limits a number of holders to what dumps at saturation show: at least the threads in use at
    /// what holds the pool, at most all threads in use that do not wait for it. The holding time
    /// itself comes from few dumps at low load.
    private double amongHolders(double byLittle, Cause held) {
        return atSaturation()
                .flatMap(c ->
                        c.notWaitingForPool()
                                .filter(max -> max >= c.threads(held))
                                .map(max -> Math.clamp(byLittle, c.threads(held), max)))
                .orElse(byLittle);
    }

    /// Returns the dumps at the highest load from the knee on.
    private Optional<ThreadSamples> atSaturation() {
        return census.stream()
                .filter(c -> c.concurrency() >= a.kneeConcurrency())
                .max(Comparator.comparingInt(ThreadSamples::concurrency));
    }

    /// Returns the units that the single lending pool reports, if it is saturated. Empty if several
    /// pools lend, because the one that limits is unknown.
    ///
    /// @param held number of units held by Little's law; it counts as in use if it is more than the
    ///   pool reports
    private Optional<Double> reportedUnits(double held) {
        List<PoolQueue> full =
                atSaturation().stream()
                        .flatMap(c -> c.queues().stream())
                        .filter(q -> q.kind() == PoolQueue.Kind.LENT)
                        .filter(q -> q.size().isPresent() && q.busy().isPresent())
                        .filter(q -> Math.max(held, q.busy().get()) >= ALL_IN_USE * q.size().get())
                        .filter(q -> q.size().get() >= 1)
                        .toList();
        return full.size() == 1
                ? full.getFirst().size().map(units -> (double) Math.round(units))
                : Optional.empty();
    }

    private WaitSources.Estimate held(Cause cause, double ms) {
        return WaitSources.of(subKnee, census, waits)
                .of(cause, ms, RoundsInterval.ofMedian(ms, roundValues(cause)));
    }

    private List<RoundValue> roundValues(Cause cause) {
        return subKnee.stream()
                .filter(r -> r.anatomy().isPresent())
                .map(r -> roundValue(r, cause))
                .toList();
    }

    /// True if this cause holds the units of the pool that limits.
    private boolean holdsThePool(Cause cause) {
        return others.limit() instanceof Limit.Pool(String name, Cause held)
                && held == cause
                && !HeldTimes.isTasks(name);
    }

    /// Returns the demand of a wait. If it is saturated, F2 gives X_max · D holders at once.
    private Demand ofWait(Cause cause, double seenMs) {
        boolean limits =
                others.limit() instanceof Limit.Remote(String name)
                        && ResourceName.of(name).is(cause);
        Optional<String> where = cause == Cause.DOWNSTREAM ? others.downstream() : Optional.empty();
        List<RoundValue> roundValues = roundValues(cause);
        var estimate =
                holdsThePool(cause)
                        ? held(cause, seenMs)
                        : new WaitSources.Estimate(
                                seenMs, RoundsInterval.ofMedian(seenMs, roundValues), List.of());
        return new Demand(
                        ResourceName.of(cause, where).text(),
                        estimate.ms(),
                        estimate.ci95(),
                        roundValues.size(),
                        limits ? a.maxQps() / 1000 * estimate.ms() : Double.POSITIVE_INFINITY,
                        limits ? 1 : 0)
                .from(estimate.sources());
    }

    /// Returns one round's figure from its dumps, which count threads in a state. Arrivals and
    /// departures are taken as Poisson; in a closed system they vary less.
    private RoundValue roundValue(Round r, Cause cause) {
        double ms = r.anatomy().orElseThrow().ms(cause);
        Optional<ThreadSamples> of =
                census.stream()
                        .filter(c -> c.concurrency() == r.concurrency())
                        .max(Comparator.comparingInt(ThreadSamples::dumps));
        double seen = of.map(c -> c.dumps() * c.threads(cause)).orElse(0.0);
        int freedom = of.map(ThreadSamples::dumps).orElse(2) - 1;
        return seen > 0 && freedom > 0
                ? new RoundValue(ms, 1, ms * ms / seen, freedom)
                : new RoundValue(ms, 1, 0, 1);
    }

    /// Returns the demand on a resource that is saturated at X_max: D = P / X_max.
    private Demand ofSaturated(String name, double units) {
        double ms = units / (a.maxQps() / 1000);
        List<RoundValue> roundValues =
                a.plateau().stream()
                        .map(r ->
                                RoundsInterval.bySeconds(
                                        units / r.qps() * 1000,
                                        1,
                                        r.slices(),
                                        s -> units * s.qps() / r.qps() / r.qps() * 1000))
                        .toList();
        return new Demand(
                name, ms, RoundsInterval.ofMedian(ms, roundValues), roundValues.size(), units, 1);
    }

    /// Returns GC stop time ÷ requests, as a ratio of sums. Empty if the collector stopped nothing.
    private Optional<Demand> ofGc() {
        List<Round> seen = subKnee.stream().filter(r -> r.gc().isPresent()).toList();
        double requests = seen.stream().mapToDouble(r -> r.qps() * r.seconds()).sum();
        double stopped = seen.stream().mapToDouble(r -> gc(r).pauseShare() * r.seconds()).sum();
        if (!(stopped > 0)) {
            return Optional.empty();
        }
        double ms = stopped / requests * 1000;
        Optional<Interval> ci95 =
                RoundsInterval.ofMean(ms, seen.stream().map(Demands::gcRoundValue).toList());
        return Optional.of(new Demand(GC, ms, ci95, seen.size(), 1, ms * a.maxQps() / 1000));
    }

    /// The number of stops is a count, so one more or less is chance.
    private static RoundValue gcRoundValue(Round r) {
        double ms = gc(r).pauseShare() / r.qps() * 1000;
        double stops = Math.max(1, gc(r).young().count() + gc(r).full().count());
        return new RoundValue(ms, r.qps() * r.seconds(), ms * ms / stops, stops);
    }

    private static GcActivity gc(Round r) {
        return r.gc().orElseThrow();
    }

    /// Returns the rest of R_min.
    private Optional<Demand> ofRest(List<Demand> known) {
        double rest = a.minRtMs() - known.stream().mapToDouble(Demand::ms).sum();
        if (!(rest > 0)) {
            return Optional.empty();
        }
        List<RoundValue> roundValues =
                a.base().stream()
                        .map(r ->
                                RoundsInterval.bySeconds(
                                        r.rtMsByLittle(),
                                        1,
                                        r.slices().stream().filter(s -> s.qps() > 0).toList(),
                                        s ->
                                                Math.min(
                                                        s.rtMeanMs(),
                                                        r.concurrency() / s.qps() * 1000)))
                        .toList();
        List<Optional<Interval>> parts = new ArrayList<>();
        parts.add(RoundsInterval.ofMedian(a.minRtMs(), roundValues));
        known.forEach(d -> parts.add(d.ci95()));
        return Optional.of(
                new Demand(
                        REST,
                        rest,
                        RoundsInterval.ofDifference(rest, parts),
                        roundValues.size(),
                        Double.POSITIVE_INFINITY,
                        0));
    }

    /// Returns a number of places. Places are whole, so a figure near a whole number is rounded to
    /// it.
    private static double places(double byLittle) {
        double whole = Math.max(1, Math.rint(byLittle));
        return Math.abs(byLittle / whole - 1) <= WHOLE ? whole : byLittle;
    }
}
