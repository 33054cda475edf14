package dev.jdyno.cli;

import dev.jdyno.capacity.CapacityAnalysis;
import dev.jdyno.capacity.CapacityAnswer;
import dev.jdyno.diagnose.Anatomies;
import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.Evidence;
import dev.jdyno.diagnose.Prescriptions;
import dev.jdyno.diagnose.ValidityRules;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Prescription;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Verdict;
import java.util.List;
import java.util.Optional;

/// The pipeline behind every run, readable in one method: recording → anatomy → capacity → verdict
/// → prescriptions → result. Every step is pure.
final class Judgement {
    private Judgement() {}

    /// The verdict alone.
    static Verdict verdict(Recording measured) {
        Recording recording = Anatomies.applied(measured);
        return Diagnosis.of(Evidence.of(recording, CapacityAnalysis.of(recording).knee()));
    }

    static RunResult of(RunResult.About about, Recording measured) {
        if (measured.rounds().isEmpty()) {
            return new RunResult(
                    about,
                    measured.machine(),
                    measured.target(),
                    measured.rounds(),
                    measured.census(),
                    Optional.empty(),
                    List.of(),
                    new Verdict(
                            Bottleneck.UNKNOWN,
                            "",
                            0,
                            "No round was finished: there is nothing to judge.",
                            List.of(),
                            List.of()),
                    List.of(),
                    List.of(),
                    ValidityRules.of(measured),
                    measured.partial());
        }
        Recording recording = Anatomies.applied(measured);
        CapacityAnswer capacity = CapacityAnalysis.of(recording);
        Evidence evidence = Evidence.of(recording, capacity.knee());
        Verdict verdict = Diagnosis.of(evidence);
        List<Prescription> cures =
                Prescriptions.of(verdict, evidence, capacity.knee(), capacity.whatIf());
        return new RunResult(
                about,
                recording.machine(),
                recording.target(),
                recording.rounds(),
                recording.census(),
                capacity.knee(),
                capacity.demands(),
                verdict,
                capacity.whatIf(),
                cures,
                ValidityRules.of(recording),
                recording.partial());
    }
}
