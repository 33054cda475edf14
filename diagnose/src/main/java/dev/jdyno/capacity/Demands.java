package dev.jdyno.capacity;

import dev.jdyno.capacity.RoundsInterval.Look;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What one request takes of each resource, each with the interval that its rounds leave open.
///
/// @param subKnee the rounds below the knee
/// @param census the looks that the breakdowns of the rounds came from
record Demands(Asymptotes a, List<Round> subKnee, OtherDemands others, List<ThreadSamples> census) {
    /// The delay that holds what is left of R_min when every known part is taken out.
    static final String REST = "delay";

    /// Stops of the whole JVM for its collector: no other thread moves meanwhile, so it is a
    /// resource of one unit.
    static final String GC = "gc";

    /// Little's count of a pool's taken places is off by no more than this when it is well known.
    private static final double WHOLE = 0.12;

    static Demand ofCpu(CpuDemand cpu, CpuSupply supply, double qps) {
        return new Demand(
                ServiceModel.CPU,
                cpu.ms(),
                cpu.ci95(),
                cpu.from().size(),
                supply.coresLeft(cpu.ms()),
                qps / supply.maxQps(cpu.ms()));
    }

    /// CPU first, then the others.
    List<Demand> with(Demand cpu) {
        List<Demand> all = new ArrayList<>(List.of(cpu));
        all.addAll(beside(all));
        return all;
    }

    /// All that is known of a target whose CPU was not seen.
    List<Demand> withoutCpu() {
        return beside(List.of());
    }

    private List<Demand> beside(List<Demand> cpu) {
        List<Demand> demands = new ArrayList<>();
        List<Demand> known = new ArrayList<>(cpu);
        double perSecond = a.maxQps() / 1000;
        for (Map.Entry<Cause, Double> w : others.waits().entrySet()) {
            Demand wait = ofWait(w.getKey(), w.getValue());
            demands.add(wait);
            known.add(wait);
        }
        if (others.limit() instanceof Limit.Lock(String name)) {
            // saturated and one at a time: F2 turned round, D = 1 / X_max
            Demand lock = ofSaturated(name, 1);
            demands.add(lock);
            known.add(lock);
        }
        if (others.limit() instanceof Limit.Pool(String name, Cause held)) {
            double units = places(perSecond * others.waits().getOrDefault(held, 0.0));
            double cpuMs = cpu.stream().mapToDouble(Demand::ms).sum();
            // a request with several tasks at once takes several workers, for no longer than it
            // lasts
            demands.add(
                    ofSaturated(
                            name,
                            HeldTimes.isTasks(name) && a.minRtMs() > cpuMs
                                    ? Math.min(units, perSecond * (a.minRtMs() - cpuMs))
                                    : units));
        }
        ofGc().ifPresent(gc -> {
            demands.add(gc);
            known.add(gc);
        });
        ofRest(known).ifPresent(demands::add);
        return demands;
    }

    /// Saturated, so by F2 it holds as many as X_max · D at once.
    private Demand ofWait(Cause cause, double ms) {
        boolean limits =
                others.limit() instanceof Limit.Remote(String name)
                        && ResourceName.of(name).is(cause);
        Optional<String> where = cause == Cause.DOWNSTREAM ? others.downstream() : Optional.empty();
        List<Look> looks =
                subKnee.stream()
                        .filter(r -> r.anatomy().isPresent())
                        .map(r -> look(r, cause))
                        .toList();
        return new Demand(
                ResourceName.of(cause, where).text(),
                ms,
                RoundsInterval.ofMedian(ms, looks),
                looks.size(),
                limits ? a.maxQps() / 1000 * ms : Double.POSITIVE_INFINITY,
                limits ? 1 : 0);
    }

    /// Threads in a state are counted in so many dumps. Who comes and who leaves is taken as
    /// Poisson: in a closed system they vary less.
    private Look look(Round r, Cause cause) {
        double ms = r.anatomy().orElseThrow().ms(cause);
        Optional<ThreadSamples> of =
                census.stream()
                        .filter(c -> c.concurrency() == r.concurrency())
                        .max(Comparator.comparingInt(ThreadSamples::dumps));
        double seen = of.map(c -> c.dumps() * c.threads(cause)).orElse(0.0);
        int freedom = of.map(ThreadSamples::dumps).orElse(2) - 1;
        return seen > 0 && freedom > 0
                ? new Look(ms, 1, ms * ms / seen, freedom)
                : new Look(ms, 1, 0, 1);
    }

    /// What is saturated at X_max: D = P / X_max.
    private Demand ofSaturated(String name, double units) {
        double ms = units / (a.maxQps() / 1000);
        List<Look> looks =
                a.plateau().stream()
                        .map(r ->
                                RoundsInterval.bySeconds(
                                        units / r.qps() * 1000,
                                        1,
                                        r.slices(),
                                        s -> units * s.qps() / r.qps() / r.qps() * 1000))
                        .toList();
        return new Demand(name, ms, RoundsInterval.ofMedian(ms, looks), looks.size(), units, 1);
    }

    /// GC stop time over requests, as a ratio of sums. Empty when nothing was stopped.
    private Optional<Demand> ofGc() {
        List<Round> seen = subKnee.stream().filter(r -> r.gc().isPresent()).toList();
        double requests = seen.stream().mapToDouble(r -> r.qps() * r.seconds()).sum();
        double stopped = seen.stream().mapToDouble(r -> gc(r).pauseShare() * r.seconds()).sum();
        if (!(stopped > 0)) {
            return Optional.empty();
        }
        double ms = stopped / requests * 1000;
        Optional<Interval> ci95 =
                RoundsInterval.ofMean(ms, seen.stream().map(Demands::gcLook).toList());
        return Optional.of(new Demand(GC, ms, ci95, seen.size(), 1, ms * a.maxQps() / 1000));
    }

    /// So many stops were counted; one more or less is chance.
    private static Look gcLook(Round r) {
        double ms = gc(r).pauseShare() / r.qps() * 1000;
        double stops = Math.max(1, gc(r).young().count() + gc(r).full().count());
        return new Look(ms, r.qps() * r.seconds(), ms * ms / stops, stops);
    }

    private static GcActivity gc(Round r) {
        return r.gc().orElseThrow();
    }

    /// What is left of R_min.
    private Optional<Demand> ofRest(List<Demand> known) {
        double rest = a.minRtMs() - known.stream().mapToDouble(Demand::ms).sum();
        if (!(rest > 0)) {
            return Optional.empty();
        }
        List<Look> looks =
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
        parts.add(RoundsInterval.ofMedian(a.minRtMs(), looks));
        known.forEach(d -> parts.add(d.ci95()));
        return Optional.of(
                new Demand(
                        REST,
                        rest,
                        RoundsInterval.ofDifference(rest, parts),
                        looks.size(),
                        Double.POSITIVE_INFINITY,
                        0));
    }

    /// Places come whole: a figure so near to a whole number is that number.
    private static double places(double byLittle) {
        double whole = Math.max(1, Math.rint(byLittle));
        return Math.abs(byLittle / whole - 1) <= WHOLE ? whole : byLittle;
    }
}
