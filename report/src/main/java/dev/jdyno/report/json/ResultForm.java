package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.measure.load.LoadFacts;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Assumption;
import dev.jdyno.measure.verdict.CapacityNotes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.Demand;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.PointFigure;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import dev.jdyno.measure.verdict.ReportedLoad;
import dev.jdyno.measure.verdict.SettingValue;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.report.words.Assumed;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.SourceText;
import java.util.List;
import java.util.Optional;

/// `result.json`: its components are the keys of the contract, in their order.
record ResultForm(
        String schema,
        RunResult.About jdyno,
        boolean partial,
        Machine machine,
        TargetFacts target,
        Optional<Double> warmupS,
        Optional<LoadFacts> load,
        Optional<GcLogFigures> gcLog,
        List<Round> rounds,
        List<Round> leftOut,
        List<ThreadSamples> census,
        Optional<Knee> knee,
        List<String> capacityNotes,
        Optional<String> kneeUnclear,
        List<Integer> kneeLoads,
        Optional<String> whatIfUnclear,
        Optional<GoalKnee> goal,
        Optional<ReportedLoad> operatingPoint,
        List<PointFigure> figures,
        List<Demand> demands,
        List<Converted.LayerForm> layers,
        Verdict verdict,
        Optional<Proof> proof,
        List<WhatIf> whatIf,
        List<RecommendationForm> prescriptions,
        Validity validity,
        Optional<Insight> insight) {

    /// A recommendation with the commands that try it. The commands are not read back.
    record RecommendationForm(
            String id,
            String says,
            List<Sentence.Name> names,
            String change,
            List<ChangeForm> changes,
            String how,
            Optional<Double> predictedQpsRatio,
            Optional<Double> predictedRtRatio,
            boolean atMost,
            String formula,
            boolean tryable,
            Optional<Double> measuredQpsRatio,
            Optional<Expected> expected,
            Optional<SourcePlace> place,
            Optional<String> tryCommand,
            Optional<String> verifyCommand,
            Optional<AssumedForm> assumed,
            List<SettingForm> settings) {
        /// @param now the round of the operating point; empty if there is none
        static RecommendationForm of(
                Recommendation r,
                SourceText sources,
                Optional<SourceLine> bottleneck,
                Commands commands,
                Optional<Round> now) {
            // The change is made in the first method that the sentence names.
            Optional<SourceLine> named =
                    r.says().names().stream()
                            .flatMap(n -> sources.of(n.name()).stream())
                            .findFirst();
            return new RecommendationForm(
                    r.id(),
                    r.says().text(),
                    r.says().names(),
                    r.change().text(),
                    ChangeForm.of(r.changes()),
                    r.how(),
                    r.predictedQpsRatio(),
                    r.predictedRtRatio(),
                    r.atMost(),
                    r.formula(),
                    r.tryable(),
                    r.measuredQpsRatio(),
                    r.expected(),
                    named.or(() -> bottleneck)
                            .filter(_ -> r.changes().stream().anyMatch(Change::isOfCode))
                            .map(SourcePlace::of),
                    commands.tryOut(),
                    commands.verify(),
                    Assumed.of(r, now).map(AssumedForm::of),
                    r.settings().stream().map(SettingForm::of).toList());
        }

        Recommendation read() {
            return new Recommendation(
                    RecommendedChange.read(id, change, ChangeForm.read(changes), tryable),
                    Sentence.stored(says, names),
                    how,
                    predictedQpsRatio,
                    predictedRtRatio,
                    atMost,
                    formula,
                    measuredQpsRatio,
                    expected,
                    settings.stream().map(SettingForm::read).toList());
        }
    }

    /// A setting with its present value and the recommended one. It is larger than the present one
    /// if there is neither `to` nor `times`.
    record SettingForm(
            String name, Optional<String> now, Optional<String> to, Optional<Double> times) {
        static SettingForm of(SettingValue s) {
            return new SettingForm(
                    s.name(),
                    s.now(),
                    s.to() instanceof Amount.Exactly(String value)
                            ? Optional.of(value)
                            : Optional.empty(),
                    s.to() instanceof Amount.Times(double factor)
                            ? Optional.of(factor)
                            : Optional.empty());
        }

        SettingValue read() {
            Amount amount =
                    to.<Amount>map(Amount.Exactly::new)
                            .or(() -> times.map(Amount.Times::new))
                            .orElseGet(Amount.Larger::new);
            return new SettingValue(name, now, amount);
        }
    }

    /// The assumption behind a change; it is not read back.
    ///
    /// @param repeats true if the predicted ratio is just `factor` again
    record AssumedForm(String what, double factor, boolean repeats, Optional<Double> nextLimitQps) {
        static AssumedForm of(Assumed a) {
            return new AssumedForm(
                    a.what().key(), Assumption.FACTOR, a.repeats(), a.nextLimitQps());
        }
    }

    /// The place in the code that is to be changed.
    ///
    /// @param type class of the method
    record SourcePlace(
            @JsonProperty("class") String type, String method, Optional<String> file, int line) {
        static SourcePlace of(SourceLine source) {
            int dot = source.method().lastIndexOf('.');
            return new SourcePlace(
                    source.method().substring(0, Math.max(0, dot)),
                    source.method().substring(dot + 1),
                    source.file(),
                    source.line());
        }
    }

    static ResultForm of(RunResult r) {
        SourceText sources = SourceText.of(r.recording());
        Optional<SourceLine> bottleneck = sources.at(r.verdict());
        return new ResultForm(
                ResultJson.SCHEMA,
                r.jdyno(),
                r.partial(),
                r.machine(),
                r.target(),
                r.recording().warmupSeconds(),
                r.recording().load(),
                r.gcLog(),
                r.rounds(),
                r.recording().leftOut(),
                r.census(),
                r.knee(),
                r.capacityNotes().others(),
                r.capacityNotes().knee(),
                r.capacityNotes().kneeLoads(),
                r.capacityNotes().whatIf(),
                r.goal(),
                r.judged().load(),
                r.judged().figures(),
                r.demands(),
                r.layers().stream().map(new Converted.WriteLayer()::convert).toList(),
                r.verdict(),
                r.proof(),
                r.whatIf(),
                r.recommendations().stream()
                        .map(p ->
                                RecommendationForm.of(
                                        p,
                                        sources,
                                        bottleneck,
                                        Commands.of(p, r),
                                        r.operatingPoint().map(OperatingPoint::round)))
                        .toList(),
                r.validity(),
                Optional.of(r.insight()));
    }

    RunResult read() {
        return new RunResult(
                jdyno,
                new Recording(
                        machine,
                        target,
                        warmupS,
                        rounds,
                        census,
                        List.of(),
                        partial,
                        insight.orElse(Insight.NONE),
                        load,
                        leftOut),
                goal,
                new Judged(
                        knee,
                        demands,
                        whatIf,
                        new CapacityNotes(kneeUnclear, kneeLoads, whatIfUnclear, capacityNotes),
                        layers.stream()
                                .map(Converted.LayerForm::read)
                                .flatMap(Optional::stream)
                                .toList(),
                        verdict,
                        prescriptions.stream().map(RecommendationForm::read).toList(),
                        validity,
                        operatingPoint,
                        figures),
                proof,
                gcLog);
    }
}
