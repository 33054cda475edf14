package dev.jdyno.judge;

import dev.jdyno.capacity.CapacityAnalysis;
import dev.jdyno.capacity.CapacityAnswer;
import dev.jdyno.capacity.Layers;
import dev.jdyno.diagnose.Challenges;
import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.DisturbedNotes;
import dev.jdyno.diagnose.FileDoubts;
import dev.jdyno.diagnose.ForeignLoadVerdict;
import dev.jdyno.diagnose.Growth;
import dev.jdyno.diagnose.NextLimits;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.diagnose.ReportedEndpoint;
import dev.jdyno.diagnose.Standstills;
import dev.jdyno.diagnose.ValidityRules;
import dev.jdyno.diagnose.breakdown.ClosedPoint;
import dev.jdyno.diagnose.breakdown.RoundBreakdowns;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.gain.NextCeiling;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.SameCores;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.MeasuredLoad;
import dev.jdyno.measure.verdict.PointFigure;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Judges a recording. One method shows all steps in order: breakdown, capacity, evidence, verdict,
/// layers, recommendations. Every step is a pure function.
public final class Judge {
    /// Minimum share of the misses that counts as most of the misses.
    private static final double MIN_SHARE = 0.5;

    private static final String FILLS =
            "the heap fills from round to round, so that later rounds are slower whatever their load:"
                    + " they cannot be compared until the leak is fixed";

    private final Recommendations.Aim aim;
    private final Optional<GoalKnee> goal;

    /// The conclusions that are needed for recommendations and for a test of the verdict.
    ///
    /// @param measured the recording as it was measured, with breakdowns
    /// @param recording the same recording with comparable rounds: converted to the same cores
    /// @param judged the rounds of `recording` that the rules use
    /// @param point the load of the report; empty if no round had any throughput
    /// @param closed all figures of that load, made consistent; empty without a window there
    /// @param evidence the evidence that decides the verdict, from the measured figures
    /// @param shown the evidence at the report's load; `evidence` if the limit does not show there
    private record Conclusion(
            Recording measured,
            Recording recording,
            Recording judged,
            CapacityAnswer capacity,
            Optional<OperatingPoint> point,
            Optional<ClosedPoint> closed,
            Evidence evidence,
            Evidence shown,
            Verdict verdict) {}

    private Judge(Recommendations.Aim aim, Optional<GoalKnee> goal) {
        this.aim = aim;
        this.goal = goal;
    }

    /// @param aim the figure to improve, by which recommendations are ranked
    public static Judge rankingBy(Recommendations.Aim aim) {
        return new Judge(aim, Optional.empty());
    }

    /// @param bracket the rates found under response-time goals, if the run had any
    public Judge withGoal(Optional<GoalKnee> bracket) {
        return new Judge(aim, bracket);
    }

    /// Returns the result of a run under jdyno's own load.
    public RunResult result(RunResult.About about, Recording measured) {
        if (measured.rounds().isEmpty()) {
            return new RunResult(
                    about,
                    measured,
                    goal,
                    Judged.nothing(
                            "No round was finished: there is nothing to judge.",
                            ValidityRules.of(measured)));
        }
        Conclusion c = conclusion(measured);
        return Auditor.audited(
                new RunResult(
                        about,
                        shown(c.measured()),
                        goal.map(g -> g.limitedBy(limit(g, c.verdict()))),
                        judged(c)));
    }

    /// Returns the recording in the form that a report shows.
    private static Recording shown(Recording measured) {
        Recording agreeing = RoundBreakdowns.agreeing(measured);
        return agreeing.withInsight(Growth.explained(agreeing.insight()));
    }

    /// Returns a result with the measurements only, marked as not judged.
    ///
    /// @param why the reason why there is no judgement
    public RunResult unjudged(RunResult.About about, Recording measured, String why) {
        List<Validity.Warning> warnings = new ArrayList<>(measured.warnings());
        if (warnings.stream().noneMatch(w -> w.id().equals(Validity.NOT_EXPLAINED))) {
            warnings.add(new Validity.Warning(Validity.NOT_EXPLAINED, why, true));
        }
        return new RunResult(
                about,
                measured,
                goal,
                Judged.nothing("The measurement was not judged.", Validity.of(warnings)));
    }

    /// Returns only the verdict.
    public static Verdict verdict(Recording measured) {
        return rankingBy(Recommendations.Aim.QPS).conclusion(measured).verdict();
    }

    /// Returns the recommendations for bottlenecks other than the verdict's: runners-up with nearly
    /// the same confidence, and those in `also`. The recommendations for the verdict are in {@link
    /// #result}.
    public List<Recommendation> recommendationsOfOthers(Recording measured, Set<Bottleneck> also) {
        Conclusion c = conclusion(measured);
        Set<Bottleneck> names = EnumSet.noneOf(Bottleneck.class);
        c.verdict().runnersUp().stream()
                .filter(r -> r.confidence() >= Recommendations.AS_LIKELY)
                .forEach(r -> names.add(r.bottleneck()));
        names.addAll(also);
        names.remove(c.verdict().bottleneck());
        return names.stream()
                .flatMap(n ->
                        Recommendations.of(
                                new Verdict(n, "", 0, Sentence.of(""), List.of(), List.of()),
                                c.evidence(),
                                c.capacity().knee(),
                                c.capacity().whatIf(),
                                c.recording(),
                                aim)
                                .stream())
                .toList();
    }

    /// Returns the experiments that test the verdict on this recording.
    public Challenges challenges(Recording measured) {
        Conclusion c = conclusion(measured);
        return Challenges.of(c.verdict(), c.evidence(), measured.target().cores());
    }

    /// Judges a service under the load that it already has. There is one round and no capacity,
    /// because the load was not varied.
    ///
    /// @param inFlight mean number of requests in the service; empty if not known
    public Judged underOwnLoad(Recording recording, Optional<Double> inFlight) {
        Recording measured = locksByPlace(recording);
        Evidence evidence = Evidence.of(measured, Optional.empty());
        return ofOwnLoad(
                measured,
                evidence,
                Standstills.verdict(measured.target().standstills())
                        .orElseGet(() ->
                                ReportedEndpoint.named(
                                        ForeignLoadVerdict.of(evidence, inFlight.orElse(0.0)),
                                        evidence)));
    }

    /// Judges files that were recorded elsewhere. The result is less certain if they lack what a
    /// running JVM would show.
    ///
    /// @param inFlight mean number of requests in the service; empty if not known
    public Judged ofFiles(Recording recording, Optional<Double> inFlight) {
        Recording measured = locksByPlace(recording);
        Evidence evidence = Evidence.of(measured, Optional.empty());
        return ofOwnLoad(
                measured,
                evidence,
                FileDoubts.applied(
                        ForeignLoadVerdict.of(evidence, inFlight.orElse(0.0)), evidence));
    }

    private Judged ofOwnLoad(Recording measured, Evidence evidence, Verdict verdict) {
        return new Judged(
                Optional.empty(),
                List.of(),
                List.of(),
                CapacityNotes.NONE,
                Layers.underOwnLoad(measured, verdict),
                verdict,
                // jdyno does not send this load, so it cannot recommend to send more
                verdict.bottleneck() == Bottleneck.LOAD
                        ? List.of()
                        : Recommendations.of(
                                verdict, evidence, Optional.empty(), Map.of(), measured, aim),
                Validity.of(measured.warnings()));
    }

    /// Names locks by their place. The names are used in verdict, evidence, demands and what-ifs,
    /// and are compared with those of other runs.
    private static Recording locksByPlace(Recording measured) {
        return measured.withThreadSamples(
                measured.census().stream().map(ThreadSamples::withoutIds).toList());
    }

    private Conclusion conclusion(Recording measured) {
        Recording located =
                withoutObserver(locksByPlace(ValidityRules.withoutEndedNeighbours(measured)));
        Recording applied = RoundBreakdowns.applied(located);
        Recording recording = comparable(located);
        CapacityAnswer capacity = CapacityAnalysis.of(recording);
        Recording judged = atLoadsOfInterest(recording);
        Evidence evidence = Evidence.of(judged, capacity.knee());
        Optional<OperatingPoint> point = operatingPoint(recording, evidence);
        Optional<ClosedPoint> closed =
                point.flatMap(p -> RoundBreakdowns.closed(recording, p.round()));
        Evidence there = point.map(p -> there(evidence, judged, capacity, p)).orElse(evidence);
        Verdict ofRules =
                Standstills.verdict(recording.target().standstills())
                        .orElseGet(
                                () -> ofRules(judged, evidence, there, atLoadsOfInterest(applied)));
        Verdict doubted = closed.map(c -> FigureFaults.doubted(ofRules, c)).orElse(ofRules);
        Verdict verdict = doubted.withNextLimit(NextLimits.of(doubted, evidence, judged.census()));
        return new Conclusion(
                applied,
                recording,
                judged,
                capacity,
                point,
                closed,
                evidence,
                Diagnosis.shows(verdict, there) ? there : evidence,
                verdict);
    }

    /// Returns the evidence at the reported load, with consistent figures. If there is no
    /// diagnostic window at that load, the evidence has the measured figures.
    private static Evidence there(
            Evidence evidence, Recording judged, CapacityAnswer capacity, OperatingPoint point) {
        if (point.window().isEmpty()) {
            return evidence.at(point);
        }
        Recording agreeing = RoundBreakdowns.agreeing(judged);
        Optional<ThreadSamples> window =
                agreeing.census().stream()
                        .filter(c -> c.concurrency() == point.concurrency() && c.dumps() > 0)
                        .max(Comparator.comparingInt(ThreadSamples::dumps));
        return Evidence.of(agreeing, capacity.knee())
                .at(new OperatingPoint(point.round(), window.or(point::window)));
    }

    /// Removes the work of the flight recorder and the profiler, which is no part of a request.
    private static Recording withoutObserver(Recording measured) {
        Insight seen = measured.insight();
        return measured.withInsight(
                seen.withProfiles(seen.profiles().stream().map(Profile::withoutObserver).toList()));
    }

    /// Returns the lowest load at which the limit shows. Below that load there is no queue yet, so
    /// its figures cannot prove the limit. If the limit shows at no load, the lowest is returned.
    private Optional<OperatingPoint> operatingPoint(Recording recording, Evidence evidence) {
        List<OperatingPoint> all = OperatingPoint.candidates(recording, goal);
        Verdict decided = Diagnosis.of(evidence);
        return all.stream()
                .filter(p -> Diagnosis.shows(decided, evidence.at(p)))
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    /// Converts the rounds to the same cores. Their breakdowns are computed again for the converted
    /// response times, because the parts of the measured times would not add up to them.
    static Recording comparable(Recording measured) {
        return RoundBreakdowns.applied(SameCores.of(measured));
    }

    private Judged judged(Conclusion c) {
        Judged judged = forNoLoad(c);
        List<PointFigure> figures = c.closed().map(ClosedPoint::figures).orElse(List.of());
        return c.point().map(p -> judged.at(p.reported(), figures)).orElse(judged);
    }

    private Judged forNoLoad(Conclusion c) {
        CapacityAnswer capacity = c.capacity();
        Validity validity = ValidityRules.of(c.judged(), c.point().map(OperatingPoint::round));
        Map<StandardChange, WhatIf> whatIf =
                reported(
                        c, NextCeiling.within(c.verdict(), whatIf(c.verdict(), capacity.whatIf())));
        return new Judged(
                capacity.knee(),
                capacity.demands(),
                List.copyOf(whatIf.values()),
                notes(c.verdict().bottleneck(), capacity.notes())
                        .plus(c.closed().map(FigureFaults::notes).orElse(List.of())),
                Layers.of(
                        c.recording(), capacity.knee(), capacity.demands(), c.verdict(), validity),
                c.verdict(),
                Recommendations.of(
                        c.verdict(),
                        c.shown(),
                        capacity.knee(),
                        whatIf,
                        c.recording(),
                        c.point(),
                        c.closed().map(ClosedPoint::figures).orElse(List.of()),
                        aim),
                validity);
    }

    /// Returns the what-ifs with figures at the load of the report.
    private static Map<StandardChange, WhatIf> reported(
            Conclusion c, Map<StandardChange, WhatIf> predicted) {
        Optional<MeasuredLoad> now = c.point().flatMap(p -> p.load(c.recording()));
        Optional<Knee> knee = c.capacity().knee();
        if (now.isEmpty() || knee.isEmpty()) {
            return predicted;
        }
        Map<StandardChange, WhatIf> there = new EnumMap<>(StandardChange.class);
        predicted.forEach((change, w) -> there.put(change, w.at(now.get(), knee.get())));
        return there;
    }

    /// Removes the prediction for a larger inner pool if tasks are in the queue of the pool whose
    /// threads wait for them. The capacity model treats tasks as separate work, so it cannot
    /// predict this case.
    private static Map<StandardChange, WhatIf> whatIf(
            Verdict verdict, Map<StandardChange, WhatIf> predicted) {
        boolean waitsForItself =
                verdict.evidence().stream()
                        .anyMatch(l -> Figure.WAITS_FOR_ITSELF.isOf(l) && l.value() > 0);
        if (!waitsForItself || !predicted.containsKey(StandardChange.INNER_POOL)) {
            return predicted;
        }
        Map<StandardChange, WhatIf> others = new EnumMap<>(predicted);
        others.remove(StandardChange.INNER_POOL);
        return others;
    }

    /// @param measured the rounds before they were made comparable
    private static Verdict ofRules(
            Recording recording, Evidence evidence, Evidence there, Recording measured) {
        Verdict named = ReportedEndpoint.named(Diagnosis.of(evidence, there), there);
        Verdict verdict = disturbed(measured, named);
        return recording.warnings().stream()
                .filter(w -> w.id().equals(Validity.SEARCH_CUT))
                .findFirst()
                .map(w -> Diagnosis.cutOff(verdict, w.says()))
                .orElse(verdict);
    }

    /// Limits the confidence of a verdict that uses rounds disturbed by others, although they were
    /// made comparable.
    private static Verdict disturbed(Recording measured, Verdict verdict) {
        return DisturbedNotes.ofKept(measured.rounds())
                .map(says -> Diagnosis.doubted(verdict, Doubt.DISTURBED.most(), says))
                .orElse(verdict);
    }

    /// Returns the notes on knee and what-ifs, the most important first.
    static CapacityNotes notes(Bottleneck limit, CapacityNotes ofCapacity) {
        return limit == Bottleneck.GC_LEAK
                ? new CapacityNotes(
                                ofCapacity.knee(),
                                ofCapacity.kneeLoads(),
                                ofCapacity.whatIf(),
                                List.of(FILLS))
                        .plus(ofCapacity.others())
                : ofCapacity;
    }

    /// Keeps the closed-loop rounds and the open round at the knee. Rates far from the knee only
    /// test at which rate a goal breaks; the rules cannot use them.
    private Recording atLoadsOfInterest(Recording recording) {
        if (goal.isEmpty()) {
            return recording;
        }
        double knee = goal.get().good().orElse(goal.get().estimate());
        Optional<Round> atKnee =
                recording.rounds().stream()
                        .filter(r -> r.ratePerS().isPresent() && r.anatomy().isPresent())
                        .min(
                                Comparator.comparingDouble(
                                        r -> Math.abs(r.ratePerS().orElseThrow() - knee)));
        return recording.withRounds(
                recording.rounds().stream()
                        .filter(r -> r.ratePerS().isEmpty() || atKnee.filter(r::equals).isPresent())
                        .toList());
    }

    /// Returns what causes the misses at the knee: stops of the whole JVM, or queueing for the
    /// bottleneck.
    private static String limit(GoalKnee goal, Verdict verdict) {
        if (goal.pausesShare() > MIN_SHARE) {
            return "stops of the JVM";
        }
        return verdict.bottleneck().key()
                + (verdict.where().isBlank() ? "" : " at " + verdict.where());
    }
}
