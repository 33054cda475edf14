package dev.jdyno.judge;

import dev.jdyno.capacity.Layers;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Optional;

/// Creates results for tests.
public final class Results {
    private Results() {}

    /// A result with the layers derived from this recording and verdict.
    public static RunResult of(
            RunResult.About about,
            Recording recording,
            Optional<GoalKnee> goal,
            Optional<Knee> knee,
            List<Demand> demands,
            Verdict verdict,
            List<WhatIf> whatIf,
            List<Recommendation> recommendations,
            Validity validity) {
        return new RunResult(
                about,
                recording,
                goal,
                new Judged(
                        knee,
                        demands,
                        whatIf,
                        CapacityNotes.NONE,
                        Layers.of(recording, knee, List.of(), verdict, validity),
                        verdict,
                        recommendations,
                        validity));
    }

    /// A result with the reason why its knee is missing or undeterminable.
    public static RunResult withKneeUnclear(RunResult r, String why) {
        return withKneeUnclear(r, why, List.of());
    }

    /// The same, with the loads that would show the knee.
    public static RunResult withKneeUnclear(RunResult r, String why, List<Integer> loads) {
        return withNotes(
                r, new CapacityNotes(Optional.of(why), loads, Optional.empty(), List.of()));
    }

    /// The same result with these warnings.
    public static RunResult with(RunResult r, Validity validity) {
        Judged j = r.judged();
        return new RunResult(
                r.jdyno(),
                r.recording(),
                r.goal(),
                new Judged(
                        j.knee(),
                        j.demands(),
                        j.whatIf(),
                        j.capacityNotes(),
                        j.layers(),
                        j.verdict(),
                        j.recommendations(),
                        validity),
                r.proof(),
                r.gcLog());
    }

    public static RunResult withNotes(RunResult r, CapacityNotes notes) {
        Judged j = r.judged();
        return new RunResult(
                r.jdyno(),
                r.recording(),
                r.goal(),
                new Judged(
                        j.knee(),
                        j.demands(),
                        j.whatIf(),
                        notes,
                        j.layers(),
                        j.verdict(),
                        j.recommendations(),
                        j.validity()),
                r.proof(),
                r.gcLog());
    }
}
