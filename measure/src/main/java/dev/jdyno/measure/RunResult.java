package dev.jdyno.measure;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The finished result of one run: what the report, history and scripts read.
///
/// @param knee of the closed-loop rounds: where throughput stops rising
/// @param insight flame graphs, stages, what grew with the load
/// @param proof what came of putting the verdict to the test; empty when nobody asked for it
/// @param goal the bracket under response-time goals; empty when the run had none
/// @param capacityNotes how knee, demands and what-ifs were got and what they do not cover, a
///   sentence each; first why there is no knee when there is none
public record RunResult(
        About jdyno,
        Machine machine,
        TargetFacts target,
        List<Round> rounds,
        List<Census> census,
        Optional<Knee> knee,
        Optional<GoalKnee> goal,
        List<Demand> demands,
        Verdict verdict,
        List<WhatIf> whatIf,
        List<Prescription> prescriptions,
        Validity validity,
        boolean partial,
        Optional<Proof> proof,
        Insight insight,
        List<String> capacityNotes) {

    /// Which jdyno ran and how.
    ///
    /// @param commandLine as it was typed; secrets in it are masked
    public record About(
            String version, String commandLine, Instant startedAt, double durationS, String name) {
        public About {
            commandLine = Secrets.text(commandLine);
            name = Secrets.text(name);
        }
    }

    /// A run without goals.
    public RunResult(
            About jdyno,
            Machine machine,
            TargetFacts target,
            List<Round> rounds,
            List<Census> census,
            Optional<Knee> knee,
            List<Demand> demands,
            Verdict verdict,
            List<WhatIf> whatIf,
            List<Prescription> prescriptions,
            Validity validity,
            boolean partial) {
        this(
                jdyno,
                machine,
                target,
                rounds,
                census,
                knee,
                Optional.empty(),
                demands,
                verdict,
                whatIf,
                prescriptions,
                validity,
                partial,
                Optional.empty(),
                Insight.NONE,
                List.of());
    }

    /// A run whose verdict was not put to the test.
    public RunResult(
            About jdyno,
            Machine machine,
            TargetFacts target,
            List<Round> rounds,
            List<Census> census,
            Optional<Knee> knee,
            Optional<GoalKnee> goal,
            List<Demand> demands,
            Verdict verdict,
            List<WhatIf> whatIf,
            List<Prescription> prescriptions,
            Validity validity,
            boolean partial) {
        this(
                jdyno,
                machine,
                target,
                rounds,
                census,
                knee,
                goal,
                demands,
                verdict,
                whatIf,
                prescriptions,
                validity,
                partial,
                Optional.empty(),
                Insight.NONE,
                List.of());
    }

    public RunResult withInsight(Insight seen) {
        return with(proof, seen, capacityNotes);
    }

    public RunResult withProof(Proof tested) {
        return with(Optional.of(tested), insight, capacityNotes);
    }

    public RunResult withCapacityNotes(List<String> notes) {
        return with(proof, insight, notes);
    }

    private RunResult with(Optional<Proof> newProof, Insight newInsight, List<String> newNotes) {
        return new RunResult(
                jdyno,
                machine,
                target,
                rounds,
                census,
                knee,
                goal,
                demands,
                verdict,
                whatIf,
                prescriptions,
                validity,
                partial,
                newProof,
                newInsight,
                newNotes);
    }

    public RunResult {
        rounds = List.copyOf(rounds);
        census = List.copyOf(census);
        demands = List.copyOf(demands);
        whatIf = List.copyOf(whatIf);
        prescriptions = List.copyOf(prescriptions);
        capacityNotes = List.copyOf(capacityNotes);
    }
}
