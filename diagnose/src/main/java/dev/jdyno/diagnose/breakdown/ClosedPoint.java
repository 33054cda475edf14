package dev.jdyno.diagnose.breakdown;

import dev.jdyno.diagnose.reconcile.Reconciled;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.Thrown;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.FigureId;
import dev.jdyno.measure.verdict.FigureId.Total;
import dev.jdyno.measure.verdict.PointFigure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The measurements at one load, made consistent: breakdown, thread samples and events have the
/// reconciled figures. A figure without a valid measurement is computed from the other figures.
///
/// @param reconciled all figures of this load
/// @param breakdown breakdown of the round
/// @param window thread samples of this load
/// @param thrown exceptions at this load
public record ClosedPoint(
        Reconciled reconciled, Breakdown breakdown, ThreadSamples window, List<Thrown> thrown) {
    /// Name of the balance between the parts and the response time. Requests with several threads
    /// at once violate it, too. So it does not prove a wrong measurement by itself.
    public static final String SUM = "parts of the response time";

    private static final double ROUNDING = 1e-9;

    public ClosedPoint {
        thrown = List.copyOf(thrown);
    }

    /// @param round the round without a breakdown
    /// @param window the window at the same load, with thread dumps and throughput
    static ClosedPoint of(Round round, ThreadSamples window, Insight insight) {
        ThreadSamples scaled = window.atThroughput(round.qps());
        ThreadSamples seen = JvmMutexes.apart(scaled, wall(insight, round));
        Breakdown raw = BreakdownOfRound.ofSamples(seen, round);
        List<Thrown> thrown =
                insight.exceptions().stream()
                        .filter(t -> t.concurrency() == round.concurrency())
                        .toList();
        Reconciled found = PointFigures.reconciled(round, seen, raw, thrown);
        Breakdown closed = closed(raw, found, round, seen);
        return new ClosedPoint(
                found, closed, closed(window, seen, found, raw, closed), rates(thrown, found));
    }

    private static Optional<Profile> wall(Insight insight, Round round) {
        return insight.profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.WALL)
                .filter(p -> p.concurrency() == round.concurrency())
                .findFirst();
    }

    /// Returns all figures, for a result.
    public List<PointFigure> figures() {
        List<PointFigure> all = new ArrayList<>();
        reconciled
                .figures()
                .forEach((name, f) ->
                        all.add(
                                new PointFigure(
                                        FigureId.of(name, ""),
                                        f.measured(),
                                        f.value(),
                                        f.standardError(),
                                        f.leftOut())));
        return all;
    }

    /// Returns the insight with the rates of this load.
    public Insight applied(Insight insight) {
        List<Thrown> all = new ArrayList<>();
        int next = 0;
        for (Thrown t : insight.exceptions()) {
            boolean here = t.concurrency() == window.concurrency() && next < thrown.size();
            all.add(here ? thrown.get(next++) : t);
        }
        return insight.withExceptions(all);
    }

    private static List<Thrown> rates(List<Thrown> thrown, Reconciled found) {
        List<Thrown> all = new ArrayList<>();
        for (int i = 0; i < thrown.size(); i++) {
            Thrown t = thrown.get(i);
            all.add(
                    found.value(PointFigures.events(i))
                            .map(rate ->
                                    new Thrown(
                                            t.concurrency(),
                                            t.type(),
                                            t.site(),
                                            t.samples(),
                                            t.share(),
                                            rate,
                                            t.perRequest()))
                            .orElse(t));
        }
        return all;
    }

    private static Breakdown closed(
            Breakdown raw, Reconciled found, Round round, ThreadSamples seen) {
        double whole = round.rtMs().mean();
        Map<Cause, Double> ms = new EnumMap<>(Cause.class);
        raw.perRequestMs()
                .forEach((cause, part) ->
                        ms.put(
                                cause,
                                // the solver's result for 0 may be slightly negative because of
                                // rounding
                                Math.max(0, found.value(PointFigures.part(cause)).orElse(part))));
        double held = overRunQueue(raw, found, round, seen);
        if (held > 0) {
            ms.merge(Cause.RUN_QUEUE, -held, Double::sum);
            ms.merge(Cause.OTHER, held, Double::sum);
        }
        reduceToRemainder(ms, found, whole);
        double sum = ms.values().stream().mapToDouble(x -> x).sum();
        if (sum > whole) {
            ms.replaceAll((_, part) -> part * whole / sum);
        }
        List<Breakdown.Spot> spots = spots(raw, ms, held);
        return new Breakdown(
                ms,
                spots,
                whole - ms.values().stream().mapToDouble(x -> x).sum(),
                Optional.of(errors(ms.keySet(), found)));
    }

    /// Returns the errors of the parts. The error of a remainder includes those of all figures from
    /// which it is computed. Their correlation, which would make it smaller, is ignored.
    private static Breakdown.Errors errors(Set<Cause> parts, Reconciled found) {
        double all = error(found, Total.RESPONSE_TIME);
        for (Cause part : parts) {
            all = Math.hypot(all, error(found, new FigureId.Part(part)));
        }
        return Breakdown.Errors.ofStandardErrors(error(found, new FigureId.Part(Cause.OTHER)), all);
    }

    private static double error(Reconciled found, FigureId figure) {
        return found.figure(figure.id()).map(Reconciled.Figure::standardError).orElse(0.0);
    }

    /// Returns the time per request, in ms, in which threads were ready to run although the kernel
    /// counted them in no run queue. Such threads are held in native code or in the JVM.
    private static double overRunQueue(
            Breakdown raw, Reconciled found, Round round, ThreadSamples seen) {
        if (!found.isAtFault(PointFigures.part(Cause.RUN_QUEUE))) {
            return 0;
        }
        double kernel =
                found.value(PointFigures.RUN_QUEUE).orElse(0.0) + PointFigures.withoutCarrier(seen);
        return Math.max(0, raw.ms(Cause.RUN_QUEUE) - kernel * 1000 / round.qps());
    }

    /// Reduces the parts whose measurements were left out, so that all parts together are at most
    /// the whole.
    private static void reduceToRemainder(Map<Cause, Double> ms, Reconciled found, double whole) {
        List<Cause> leftOut =
                ms.keySet().stream()
                        .filter(c -> c != Cause.RUN_QUEUE)
                        .filter(c -> found.isAtFault(PointFigures.part(c)))
                        .toList();
        double over = ms.values().stream().mapToDouble(x -> x).sum() - whole;
        double all = leftOut.stream().mapToDouble(ms::get).sum();
        if (over > 0 && all > 0) {
            double left = Math.max(0, 1 - over / all);
            leftOut.forEach(c -> ms.computeIfPresent(c, (_, part) -> part * left));
        }
    }

    private static List<Breakdown.Spot> spots(Breakdown raw, Map<Cause, Double> ms, double held) {
        List<Breakdown.Spot> spots = new ArrayList<>();
        double otherSpots = ms.getOrDefault(Cause.OTHER, 0.0);
        for (Breakdown.Spot s : raw.topN()) {
            double before = raw.ms(s.cause()) + (s.cause() == Cause.OTHER ? held : 0);
            double now = s.cause() == Cause.OTHER ? otherSpots : ms.getOrDefault(s.cause(), 0.0);
            spots.add(
                    new Breakdown.Spot(
                            s.cause(), s.place(), before <= 0 ? 0 : s.ms() * now / before));
        }
        if (held > 0) {
            double before = raw.ms(Cause.OTHER) + held;
            spots.add(
                    new Breakdown.Spot(
                            Cause.OTHER,
                            new Place.Common(Activity.NATIVE),
                            held * otherSpots / before));
        }
        spots.sort(Comparator.comparingDouble(Breakdown.Spot::ms).reversed());
        return spots;
    }

    private static ThreadSamples closed(
            ThreadSamples window,
            ThreadSamples seen,
            Reconciled found,
            Breakdown raw,
            Breakdown closed) {
        double cpu = ratio(seen.threads(Cause.CPU), sampledCpu(seen, found));
        double before = raw.ms(Cause.RUN_QUEUE);
        double queue = ratio(before, Math.min(before, closed.ms(Cause.RUN_QUEUE)));
        List<ThreadSamples.Busy> busy = new ArrayList<>();
        double held = 0;
        for (ThreadSamples.Busy b : seen.busy()) {
            double part =
                    switch (b.cause()) {
                        case CPU -> cpu;
                        case RUN_QUEUE -> queue;
                        default -> 1;
                    };
            busy.add(part == 1 ? b : b.times(part));
            held += b.cause() == Cause.RUN_QUEUE ? b.threads() * (1 - part) : 0;
        }
        if (held > ROUNDING && found.isAtFault(PointFigures.part(Cause.RUN_QUEUE))) {
            busy.add(new ThreadSamples.Busy(Cause.OTHER, new Place.Common(Activity.NATIVE), held));
        }
        List<ThreadSamples.Pool> pools =
                window.pools().stream()
                        .map(p ->
                                found.value(PointFigures.pool(p))
                                        .filter(x -> p.serving() && Math.abs(x - p.busy()) > 1e-6)
                                        .map(p::withBusy)
                                        .orElse(p))
                        .toList();
        return window.closed(pools, busy);
    }

    /// Returns the CPU time from samples. It is at most the CPU time that the kernel's clock
    /// counted.
    private static double sampledCpu(ThreadSamples seen, Reconciled found) {
        double sampled = seen.threads(Cause.CPU);
        double max = found.value(PointFigures.CPU_OF_THREADS).orElse(sampled);
        return Math.min(found.value(PointFigures.CPU_BY_SAMPLES).orElse(sampled), max);
    }

    private static double ratio(double before, double after) {
        return before <= 0 || Math.abs(after - before) <= ROUNDING * before ? 1 : after / before;
    }
}
