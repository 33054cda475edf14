package dev.jdyno.diagnose;

import dev.jdyno.diagnose.advice.ApiAdvice;
import dev.jdyno.diagnose.cpu.FewProcessors;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.gain.GainRange;
import dev.jdyno.diagnose.gain.KindRecord;
import dev.jdyno.diagnose.gain.MachineCeiling;
import dev.jdyno.diagnose.gain.ModelAnswer;
import dev.jdyno.diagnose.gain.NextCeiling;
import dev.jdyno.diagnose.wait.LoggingRecommendations;
import dev.jdyno.diagnose.wait.QueueRecommendations;
import dev.jdyno.diagnose.wait.RemoteRecommendations;
import dev.jdyno.diagnose.wait.ThreadPoolRule;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.PointFigure;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Selects the recommendations for a verdict, each with its prediction by a formula.
public final class Recommendations {
    /// The figure that the user wants to improve.
    public enum Aim {
        /// The best throughput.
        QPS,
        /// The response time at the same load.
        RT
    }

    /// Minimum ratio of a runner-up's confidence for its recommendations to be given, too.
    public static final double AS_LIKELY = 0.7;

    /// Minimum share of logging threads among the threads in use. From it on, fewer log lines are
    /// recommended in addition to the recommendations for another verdict.
    private static final double LOGS_MUCH = 0.1;

    /// Changes that let more requests work at the same time. Executors to which one request submits
    /// several tasks, and limits of a rate, are not among them.
    private static final Set<ChangeName> PLACES =
            Set.of(
                    KnownChange.THREADS,
                    KnownChange.POOL_DOUBLE,
                    KnownChange.LOOPS_MORE,
                    KnownChange.CARRIERS_DOUBLE,
                    KnownChange.STREAMS_MORE,
                    KnownChange.ACCEPT_THREADS,
                    KnownChange.DOWNSTREAM_DOUBLE);

    private Recommendations() {}

    /// @param whatIf the calibrated model's predictions for standard changes
    /// @return those with a gain first, in the order of [Order]. Those without a prediction come
    ///   last. If none has a gain, what to measure next is first
    public static List<Recommendation> of(
            Verdict verdict,
            Evidence evidence,
            Optional<Knee> knee,
            Map<StandardChange, WhatIf> whatIf,
            Recording recording,
            Aim aim) {
        return of(
                verdict,
                evidence,
                knee,
                whatIf,
                recording,
                OperatingPoint.of(recording),
                List.of(),
                aim);
    }

    /// Returns the recommendations with figures of the reported load.
    ///
    /// @param point the load of the report; empty if no round had any throughput
    /// @param figures the figures of that load, with their errors; empty if not known
    public static List<Recommendation> of(
            Verdict verdict,
            Evidence evidence,
            Optional<Knee> knee,
            Map<StandardChange, WhatIf> whatIf,
            Recording recording,
            Optional<OperatingPoint> point,
            List<PointFigure> figures,
            Aim aim) {
        Situation situation = Situation.of(verdict, evidence, knee, whatIf, recording, point);
        List<Recommendation> all =
                new ArrayList<>(
                        Rules.of(verdict.bottleneck())
                                .map(r -> r.recommendations(situation).list())
                                .orElse(List.of()));
        all.addAll(FewProcessors.of(situation).list());
        if (verdict.bottleneck() == Bottleneck.THREAD_POOL && callsInSeries(verdict)) {
            all.addAll(RemoteRecommendations.serialOnThreads(situation).list());
        }
        if (verdict.bottleneck() == Bottleneck.DOWNSTREAM_SERIAL) {
            ThreadPoolRule.saturatedPool(evidence)
                    .ifPresent(p ->
                            all.addAll(QueueRecommendations.threads(situation, p.name()).list()));
        }
        if (all.stream().noneMatch(r -> r.change().name() == KnownChange.CALLS_PARALLEL)) {
            all.addAll(RemoteRecommendations.serialAtLowLoad(situation).list());
        }
        if (verdict.bottleneck() != Bottleneck.LOGGING
                && evidence.busyShare(Cause.LOGGING).orElse(0.0) >= LOGS_MUCH) {
            all.addAll(LoggingRecommendations.debugLines(situation));
        }
        for (Recommendation seen : ApiAdvice.of(situation)) {
            ChangeName name = seen.change().name();
            if (all.stream().noneMatch(a -> a.change().name().equals(name))) {
                all.add(seen);
            }
            all.replaceAll(a -> a.change().name().equals(name) ? noMoreThan(a, seen) : a);
        }
        if (aim == Aim.RT) {
            all.addAll(QueueRecommendations.ofResponseTime(situation));
        }
        KindRecord record = KindRecord.builtIn();
        all.replaceAll(r -> Leading.notDenied(r, situation));
        all.replaceAll(r -> record.applied(MachineCeiling.capped(r, situation)));
        all.replaceAll(r -> NextCeiling.capped(r, situation));
        List<Recommendation> inFigures =
                point.flatMap(p -> p.load(recording))
                        .map(now -> all.stream().map(r -> expecting(r, now, situation)).toList())
                        .orElseGet(() -> List.copyOf(all));
        return Leading.withoutRepeated(
                Leading.first(
                        inFigures.stream()
                                .map(r -> GainRange.ranged(r, situation, figures, record))
                                .toList(),
                        situation,
                        aim));
    }

    /// Limits the gain of a rule's recommendation by that of a recommendation whose share was found
    /// in the stacks. The gain cannot be larger than that share allows.
    private static Recommendation noMoreThan(Recommendation r, Recommendation seen) {
        double bound = seen.predictedQpsRatio().orElse(Double.POSITIVE_INFINITY);
        return r.predictedQpsRatio().filter(q -> q > bound).isPresent()
                ? r.predictingAsOf(seen)
                : r;
    }

    /// Adds the expected figures if the rule gave none. One request uses one core. If the change
    /// gives more cores than there are requests in flight, the figures are for the lowest load that
    /// uses all cores.
    private static Recommendation expecting(Recommendation r, MeasuredLoad now, Situation s) {
        if (r.expected().isPresent()) {
            return r;
        }
        return r.predictedQpsRatio()
                .flatMap(qps ->
                        r.predictedRtRatio()
                                .filter(rt -> rt > 0)
                                .map(rt -> {
                                    double alone = aloneMs(r, now, qps, s);
                                    return r.expecting(
                                            now.concurrency() < coresAfter(r, s)
                                                    ? Expected.inUse(now, qps, rt, alone)
                                                    : Expected.of(now, qps, rt, alone));
                                }))
                .orElse(r);
    }

    /// Returns the cores after a change that gives more of them; 0 for any other change.
    private static double coresAfter(Recommendation r, Situation s) {
        return ChangeKind.of(r) == ChangeKind.MORE_CORES
                ? r.changes().stream()
                        .mapToDouble(c ->
                                c instanceof Change.Cores(double _, double to)
                                        ? to
                                        : s.machineCores())
                        .max()
                        .orElse(0)
                : 0;
    }

    /// Returns the response time of a request that is alone, after the change. It comes from the
    /// model if the model knows the change. Otherwise it is the present response time ÷ the
    /// throughput ratio. It is at least the part of the time that the change cannot shorten.
    private static double aloneMs(
            Recommendation r, MeasuredLoad now, double qpsRatio, Situation s) {
        return ModelAnswer.aloneMs(ModelAnswer.to(r, s), now, s)
                .orElseGet(() -> Math.max(now.aloneMs() / Math.max(1, qpsRatio), kept(r, now, s)));
    }

    /// Returns the part of a single request's time that the change cannot shorten. A request that
    /// is alone does not wait for threads or connections, so more of them do not help it. It uses
    /// one core, so more cores do not shorten its CPU time. Another heap can at most save the
    /// collector's stops.
    private static double kept(Recommendation r, MeasuredLoad now, Situation s) {
        ChangeName name = r.change().name();
        if (PLACES.contains(name)) {
            return now.aloneMs();
        }
        return switch (ChangeKind.of(r)) {
            case MORE_CORES ->
                    s.now()
                            .cpu()
                            .filter(_ -> now.qps() > 0)
                            .map(c -> Math.min(now.aloneMs(), c.processCores() / now.qps() * 1000))
                            .orElse(0.0);
            case HEAP, LESS_GARBAGE ->
                    name == KnownChange.ALLOCATE_LESS || s.evidence().collectsConcurrently(s.now())
                            ? 0
                            : now.aloneMs() * (1 - Math.min(1, Evidence.pauseShare(lowest(s))));
            case LESS_CPU,
                    SHORTER_HOLD,
                    MORE_PLACES,
                    SHORTER_WAIT,
                    FASTER_PEER,
                    LESS_LOGGING,
                    OTHER ->
                    0;
        };
    }

    private static Round lowest(Situation s) {
        return s.evidence().rounds().stream()
                .min(Comparator.comparingInt(Round::concurrency))
                .orElse(s.now());
    }

    /// True if all threads of the service are probably busy because a request calls other services
    /// one after the other.
    private static boolean callsInSeries(Verdict verdict) {
        return verdict.runnersUp().stream()
                .anyMatch(r ->
                        r.bottleneck() == Bottleneck.DOWNSTREAM_SERIAL
                                && r.confidence() >= AS_LIKELY);
    }
}
