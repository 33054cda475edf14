package dev.jdyno.diagnose.breakdown;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.RequestCpu;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Computes the response-time breakdown from thread samples. All functions are pure.
///
/// The mean number of threads in use in a state ÷ QPS is the time that one request spends in it
/// (Little's law, F3). The same applies to connections that await an answer without a thread. For
/// some causes there is a better source than thread dumps. CPU time per request is the CPU time of
/// the process, without collector and compilers, ÷ QPS (utilisation law). Collector pauses with the
/// share `p` of the time stop every request in flight, so their part is `p · RT`. A thread that
/// waits for the collector to free memory is RUNNABLE in dumps, but the collector's log counts it.
public final class BreakdownOfRound {
    /// Maximum number of places that are listed in the breakdown.
    private static final int TOP = 12;

    /// Minimum share of time in JVM stops for stops to be a part of the breakdown.
    private static final double STOPS_FROM = 0.01;

    private BreakdownOfRound() {}

    /// Returns the measured parts of the response time. Their sum may exceed the response time.
    ///
    /// @param round the round at the same load
    static Breakdown ofSamples(ThreadSamples threadSamples, Round round) {
        Breakdown seen = ofSamples(threadSamples, round.cpu(), round.gc(), round.rtMs().mean());
        double stopped = stoppedMs(round, seen);
        if (stopped == 0) {
            return seen;
        }
        Map<Cause, Double> ms = new EnumMap<>(Cause.class);
        ms.putAll(seen.perRequestMs());
        ms.put(Cause.SAFEPOINT, stopped);
        return new Breakdown(ms, seen.topN(), seen.unexplainedMs() - stopped);
    }

    /// Returns the time for which other stops hold a request. Stops with the share `p` of the time
    /// hold every request in flight, so their part is `p · RT`, as for the collector's pauses.
    /// Dumps do not show these stops, and the other parts may already include some of their time.
    /// So the result is at most the response time minus the other parts.
    private static double stoppedMs(Round round, Breakdown seen) {
        double share = round.otherStopsShare();
        return share < STOPS_FROM
                ? 0
                : Math.clamp(share * round.rtMs().mean(), 0.0, Math.max(0, seen.unexplainedMs()));
    }

    /// @param cpu CPU use at the same load, if measured
    /// @param gc collector activity at the same load, if measured
    /// @param rtMeanMs the client's mean response time at that load
    static Breakdown ofSamples(
            ThreadSamples threadSamples,
            Optional<CpuUse> cpu,
            Optional<GcActivity> gc,
            double rtMeanMs) {
        Map<Cause, Double> ms = new EnumMap<>(Cause.class);
        List<Breakdown.Spot> spots = new ArrayList<>();
        if (threadSamples.qps() <= 0) {
            return new Breakdown(ms, spots, rtMeanMs);
        }
        double perThread = 1000 / threadSamples.qps();
        double cpuMs =
                cpu.map(c -> RequestCpu.coresOfThreads(threadSamples, c.ownCores()))
                                .orElse(threadSamples.threads(Cause.CPU))
                        * perThread;
        double cpuSeen = threadSamples.threads(Cause.CPU) * perThread;
        // no dump is taken during a pause, so the threads found in dumps apply to the time outside
        // pauses
        double runningShare = 1 - gc.map(g -> Math.clamp(g.pauseShare(), 0, 1)).orElse(0.0);
        for (ThreadSamples.Busy busy : threadSamples.busy()) {
            double here =
                    busy.threads() * perThread * (busy.cause() == Cause.CPU ? 1 : runningShare);
            if (busy.cause() == Cause.CPU) {
                // CPU time is divided among the places in proportion to the threads that dumps
                // found there
                here *= cpuSeen == 0 ? 0 : cpuMs / cpuSeen;
            }
            ms.merge(busy.cause(), here, Double::sum);
            spots.add(new Breakdown.Spot(busy.cause(), busy.place(), here));
        }
        ms.put(Cause.CPU, cpuMs);
        gc.map(g -> g.pauseShare() * rtMeanMs)
                .filter(pause -> pause > 0)
                .ifPresent(pause -> {
                    ms.merge(Cause.GC, pause, Double::sum);
                    spots.add(
                            new Breakdown.Spot(Cause.GC, new Place.Common(Activity.PAUSES), pause));
                });
        takeOutWhatFuturesCoverTwice(ms, spots, rtMeanMs);
        takeOutWhatWorkersDoAtOnce(threadSamples, perThread * runningShare, ms, spots, rtMeanMs);
        gc.map(g -> Stalls.threads(g, threadSamples))
                .ifPresent(waiting -> addStalls(waiting * perThread, ms, spots, rtMeanMs));
        addCallsOfNoThread(threadSamples, ms, spots, rtMeanMs);
        spots.sort(Comparator.comparingDouble(Breakdown.Spot::ms).reversed());
        return new Breakdown(ms, spots.stream().limit(TOP).toList(), rtMeanMs - sum(ms));
    }

    /// @param stallMs time of threads that waited for memory, by the collector's own count or by
    ///   where threads were found. It is subtracted first from threads that seem to run native code
    ///   in dumps. The rest is limited to the part of the response time that no other cause
    ///   explains.
    private static void addStalls(
            double stallMs, Map<Cause, Double> ms, List<Breakdown.Spot> spots, double rtMeanMs) {
        Optional<Breakdown.Spot> inNative =
                spots.stream()
                        .filter(s -> s.cause() == Cause.OTHER && isHeld(s.place()))
                        .findFirst();
        double seen = Math.min(stallMs, inNative.map(Breakdown.Spot::ms).orElse(0.0));
        inNative.filter(n -> seen > 0)
                .ifPresent(n -> {
                    spots.remove(n);
                    if (n.ms() > seen) {
                        spots.add(new Breakdown.Spot(n.cause(), n.place(), n.ms() - seen));
                    }
                    ms.computeIfPresent(Cause.OTHER, (c, all) -> Math.max(0, all - seen));
                });
        double remainingMs = rtMeanMs - sum(ms);
        double stalls = seen + Math.clamp(remainingMs - seen, 0, stallMs - seen);
        if (stalls > 0) {
            ms.merge(Cause.GC, stalls, Double::sum);
            spots.add(
                    new Breakdown.Spot(
                            Cause.GC, new Place.Common(Activity.ALLOCATION_STALLS), stalls));
        }
    }

    /// Adds calls of asynchronous clients: connections that await an answer and for which no thread
    /// waits. Their time is at most the part of the response time that no other cause explains.
    private static void addCallsOfNoThread(
            ThreadSamples threadSamples,
            Map<Cause, Double> ms,
            List<Breakdown.Spot> spots,
            double rtMeanMs) {
        List<ThreadSamples.Busy> calls = threadSamples.callsOfNoThread();
        double remainingMs = rtMeanMs - sum(ms);
        double callsMs =
                calls.stream().mapToDouble(ThreadSamples.Busy::threads).sum()
                        * 1000
                        / threadSamples.qps();
        double part = Math.clamp(remainingMs / Math.max(callsMs, 1e-9), 0.0, 1.0);
        for (ThreadSamples.Busy call : calls) {
            double here = call.threads() * 1000 / threadSamples.qps() * part;
            ms.merge(call.cause(), here, Double::sum);
            Optional<Breakdown.Spot> threads =
                    spots.stream()
                            .filter(s -> s.cause() == call.cause())
                            .filter(s -> isAt(s.place(), call.place()))
                            .findFirst();
            threads.ifPresent(spots::remove);
            spots.add(
                    new Breakdown.Spot(
                            call.cause(),
                            threads.map(Breakdown.Spot::place).orElse(call.place()),
                            here + threads.map(Breakdown.Spot::ms).orElse(0.0)));
        }
    }

    private static boolean isAt(Place threads, Place call) {
        return threads instanceof Place.Peer t && call instanceof Place.Peer c && t.isAt(c);
    }

    /// True if threads at this place may be waiting for memory.
    private static boolean isHeld(Place place) {
        return place.is(Activity.NATIVE) || place.is(Activity.IN_JVM);
    }

    /// Removes time that was counted twice, by a thread that waits for a task and by the thread
    /// that runs it. The excess over the response time is subtracted from the wait.
    private static void takeOutWhatFuturesCoverTwice(
            Map<Cause, Double> ms, List<Breakdown.Spot> spots, double rtMeanMs) {
        double future = ms.getOrDefault(Cause.FUTURE, 0.0);
        double twice = Math.min(future, Math.max(0, sum(ms) - rtMeanMs));
        if (twice > 0) {
            shrink(ms, spots, Cause.FUTURE, future - twice);
        }
    }

    /// Removes time that was counted several times because a request has parallel tasks. If the
    /// waits of the workers exceed the response time, they are reduced in proportion.
    private static void takeOutWhatWorkersDoAtOnce(
            ThreadSamples threadSamples,
            double perThread,
            Map<Cause, Double> ms,
            List<Breakdown.Spot> spots,
            double rtMeanMs) {
        double over = sum(ms) - rtMeanMs;
        if (over <= 0 || threadSamples.threads(Cause.FUTURE) == 0) {
            return;
        }
        Map<Cause, Double> byWorkers = new EnumMap<>(Cause.class);
        for (Cause cause : Cause.values()) {
            double waits =
                    threadSamples.pools().stream()
                            .filter(p -> !p.serving() && !p.loop())
                            .mapToDouble(p -> p.doing(cause) * perThread)
                            .sum();
            if (waits > 0 && cause != Cause.CPU && cause != Cause.FUTURE) {
                byWorkers.put(cause, Math.min(waits, ms.getOrDefault(cause, 0.0)));
            }
        }
        double all = sum(byWorkers);
        double part = all <= 0 ? 0 : Math.min(1, over / all);
        byWorkers.forEach((cause, waits) ->
                shrink(ms, spots, cause, ms.getOrDefault(cause, 0.0) - part * waits));
    }

    /// Reduces a cause and its places in the same proportion.
    private static void shrink(
            Map<Cause, Double> ms, List<Breakdown.Spot> spots, Cause cause, double toMs) {
        double from = ms.getOrDefault(cause, 0.0);
        if (from <= 0) {
            return;
        }
        ms.put(cause, toMs);
        spots.replaceAll(s ->
                s.cause() == cause
                        ? new Breakdown.Spot(cause, s.place(), s.ms() * toMs / from)
                        : s);
    }

    private static double sum(Map<Cause, Double> ms) {
        return ms.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
