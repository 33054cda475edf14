package dev.jdyno.measure;

import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The finished result of one run: the input of report, history and scripts.
///
/// @param recording all measurements, with the response-time breakdown of each round
/// @param goal the knee under response-time goals; empty when the run had none
/// @param judged the conclusions
/// @param proof result of the verdict's test; empty when no test was requested
/// @param gcLog figures of the run's GC log; empty when there was none
public record RunResult(
        About jdyno,
        Recording recording,
        Optional<GoalKnee> goal,
        Judged judged,
        Optional<Proof> proof,
        Optional<GcLogFigures> gcLog) {

    /// The version of jdyno and its command line.
    ///
    /// @param commandLine the command line as typed, with secrets masked
    public record About(
            String version, String commandLine, Instant startedAt, double durationS, String name) {
        public About {
            commandLine = Secrets.text(commandLine);
            name = Secrets.text(name);
        }
    }

    /// The result of a run whose verdict was not tested.
    public RunResult(About jdyno, Recording recording, Optional<GoalKnee> goal, Judged judged) {
        this(jdyno, recording, goal, judged, Optional.empty(), Optional.empty());
    }

    public RunResult withInsight(Insight seen) {
        return new RunResult(jdyno, recording.withInsight(seen), goal, judged, proof, gcLog);
    }

    public RunResult withProof(Proof tested) {
        return new RunResult(jdyno, recording, goal, judged, Optional.of(tested), gcLog);
    }

    public RunResult withGcLog(GcLogFigures read) {
        return new RunResult(jdyno, recording, goal, judged, proof, Optional.of(read));
    }

    /// The same result with newer facts of the target.
    public RunResult withTarget(TargetFacts facts) {
        return new RunResult(jdyno, recording.withTarget(facts), goal, judged, proof, gcLog);
    }

    public Machine machine() {
        return recording.machine();
    }

    public TargetFacts target() {
        return recording.target();
    }

    public List<Round> rounds() {
        return recording.rounds();
    }

    /// The load that every form of the report uses.
    public Optional<OperatingPoint> operatingPoint() {
        return judged.load()
                .flatMap(load -> OperatingPoint.at(recording, load))
                .or(() -> OperatingPoint.candidates(recording, goal).stream().findFirst());
    }

    public List<ThreadSamples> census() {
        return recording.census();
    }

    public boolean partial() {
        return recording.partial();
    }

    public Insight insight() {
        return recording.insight();
    }

    public Optional<Knee> knee() {
        return judged.knee();
    }

    public List<Demand> demands() {
        return judged.demands();
    }

    public List<WhatIf> whatIf() {
        return judged.whatIf();
    }

    public CapacityNotes capacityNotes() {
        return judged.capacityNotes();
    }

    public List<Layer> layers() {
        return judged.layers();
    }

    public Verdict verdict() {
        return judged.verdict();
    }

    public List<Recommendation> recommendations() {
        return judged.recommendations();
    }

    public Validity validity() {
        return judged.validity();
    }
}
