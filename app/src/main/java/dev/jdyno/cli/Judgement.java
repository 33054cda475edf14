package dev.jdyno.cli;

import dev.jdyno.capacity.CapacityAnalysis;
import dev.jdyno.capacity.CapacityAnswer;
import dev.jdyno.diagnose.Anatomies;
import dev.jdyno.diagnose.Challenges;
import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.Evidence;
import dev.jdyno.diagnose.Growth;
import dev.jdyno.diagnose.Prescriptions;
import dev.jdyno.diagnose.Standstills;
import dev.jdyno.diagnose.ValidityRules;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.GoalKnee;
import dev.jdyno.measure.Prescription;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Validity;
import dev.jdyno.measure.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The pipeline behind every run, readable in one method: recording → anatomy → capacity → verdict
/// → prescriptions → result. Every step is pure.
final class Judgement {
    /// More than half of the misses.
    private static final double MOST = 0.5;

    private static final String FILLS =
            "the heap fills from round to round, so that later rounds are slower whatever their load:"
                    + " they cannot be compared before the leak is mended";

    private Judgement() {}

    /// The verdict alone.
    static Verdict verdict(Recording measured) {
        Recording recording = Anatomies.applied(measured);
        return verdict(recording, Evidence.of(recording, CapacityAnalysis.of(recording).knee()));
    }

    private static Verdict verdict(Recording recording, Evidence evidence) {
        return Standstills.verdict(recording.target().standstills())
                .orElseGet(() -> ofRules(recording, evidence));
    }

    private static Verdict ofRules(Recording recording, Evidence evidence) {
        Verdict verdict = Diagnosis.of(evidence);
        return recording.warnings().stream()
                .filter(w -> w.id().equals(Validity.SEARCH_CUT))
                .findFirst()
                .map(w -> Diagnosis.cutOff(verdict, w.says()))
                .orElse(verdict);
    }

    /// What puts the verdict on this recording to the test.
    static Challenges challenges(Recording measured, Optional<GoalKnee> goal) {
        Recording judged = judged(Anatomies.applied(measured), goal);
        Evidence evidence = Evidence.of(judged, CapacityAnalysis.of(judged).knee());
        return Challenges.of(verdict(judged, evidence), evidence, measured.target().cores());
    }

    /// @param goal the bracket found under goals, if the run had any
    /// @param aim what cures are ranked by
    static RunResult of(
            RunResult.About about,
            Recording measured,
            Optional<GoalKnee> goal,
            Prescriptions.Aim aim) {
        if (measured.rounds().isEmpty()) {
            return bare(
                    about,
                    measured,
                    goal,
                    "No round was finished: there is nothing to judge.",
                    ValidityRules.of(measured));
        }
        Recording recording = Anatomies.applied(measured);
        CapacityAnswer capacity = CapacityAnalysis.of(recording);
        Recording judged = judged(recording, goal);
        Evidence evidence = Evidence.of(judged, capacity.knee());
        Verdict verdict = verdict(judged, evidence);
        List<Prescription> cures =
                Prescriptions.of(
                        verdict, evidence, capacity.knee(), capacity.whatIf(), recording, aim);
        return new RunResult(
                        about,
                        recording.machine(),
                        recording.target(),
                        recording.rounds(),
                        recording.census(),
                        capacity.knee(),
                        goal.map(g -> g.limitedBy(limit(g, verdict))),
                        capacity.demands(),
                        verdict,
                        capacity.whatIf(),
                        cures,
                        ValidityRules.of(judged),
                        recording.partial())
                .withInsight(Growth.explained(recording.insight()))
                .withCapacityNotes(notes(verdict.bottleneck(), capacity.notes()));
    }

    /// What was measured alone, marked as not judged.
    ///
    /// @param why nothing was made of it
    static RunResult unjudged(
            RunResult.About about, Recording measured, Optional<GoalKnee> goal, String why) {
        List<Validity.Warning> warnings = new ArrayList<>(measured.warnings());
        if (warnings.stream().noneMatch(w -> w.id().equals(Validity.NOT_EXPLAINED))) {
            warnings.add(new Validity.Warning(Validity.NOT_EXPLAINED, why, true));
        }
        return bare(
                about, measured, goal, "The measurement was not judged.", Validity.of(warnings));
    }

    private static RunResult bare(
            RunResult.About about,
            Recording measured,
            Optional<GoalKnee> goal,
            String says,
            Validity validity) {
        return new RunResult(
                about,
                measured.machine(),
                measured.target(),
                measured.rounds(),
                measured.census(),
                Optional.empty(),
                goal,
                List.of(),
                new Verdict(Bottleneck.UNKNOWN, "", 0, says, List.of(), List.of()),
                List.of(),
                List.of(),
                validity,
                measured.partial());
    }

    /// What must be known about knee and what-ifs, the weightiest first.
    static List<String> notes(Bottleneck limit, List<String> ofCapacity) {
        return limit == Bottleneck.GC_LEAK
                ? Stream.concat(Stream.of(FILLS), ofCapacity.stream()).toList()
                : ofCapacity;
    }

    /// The closed-loop rounds and the open one of the knee: rates far from it, driven to see a goal
    /// break, say nothing of the service that the rules could use.
    private static Recording judged(Recording recording, Optional<GoalKnee> goal) {
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

    /// What makes the misses at the knee: stops of the whole JVM, or queueing for the bottleneck.
    private static String limit(GoalKnee goal, Verdict verdict) {
        if (goal.pausesShare() > MOST) {
            return "stops of the JVM";
        }
        return verdict.bottleneck().key()
                + (verdict.where().isBlank() ? "" : " at " + verdict.where());
    }
}
