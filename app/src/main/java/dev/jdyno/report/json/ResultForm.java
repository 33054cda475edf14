package dev.jdyno.report.json;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.statistics.CurvePoint;
import dev.jdyno.measure.thread.ThreadSamples;
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

/// `result.json`: its components are the keys of the contract, in their order.
record ResultForm(
        String schema,
        RunResult.About jdyno,
        boolean partial,
        Machine machine,
        TargetFacts target,
        List<Round> rounds,
        List<ThreadSamples> census,
        Optional<Knee> knee,
        List<String> capacityNotes,
        Optional<GoalKnee> goal,
        List<Demand> demands,
        List<Converted.LayerForm> layers,
        Verdict verdict,
        Optional<Proof> proof,
        List<WhatIfForm> whatIf,
        List<Recommendation> prescriptions,
        Validity validity,
        Optional<Insight> insight) {

    /// @param rtMsAtMeasuredKnee at the load of the measured knee
    record WhatIfForm(
            String change,
            double qps,
            double rtMs,
            Optional<Double> rtMsAtMeasuredKnee,
            double kneeConcurrency,
            String formula,
            List<CurvePoint> curve) {
        static WhatIfForm of(WhatIf w, Optional<Knee> knee) {
            return new WhatIfForm(
                    w.change(),
                    w.qps(),
                    w.rtMs(),
                    knee.flatMap(w::rtMsAtLoadOf),
                    w.kneeConcurrency(),
                    w.formula(),
                    w.curve());
        }

        WhatIf read() {
            return new WhatIf(change, qps, rtMs, kneeConcurrency, formula, curve);
        }
    }

    static ResultForm of(RunResult r) {
        return new ResultForm(
                ResultJson.SCHEMA,
                r.jdyno(),
                r.partial(),
                r.machine(),
                r.target(),
                r.rounds(),
                r.census(),
                r.knee(),
                r.capacityNotes(),
                r.goal(),
                r.demands(),
                r.layers().stream().map(new Converted.WriteLayer()::convert).toList(),
                r.verdict(),
                r.proof(),
                r.whatIf().stream().map(w -> WhatIfForm.of(w, r.knee())).toList(),
                r.prescriptions(),
                r.validity(),
                Optional.of(r.insight()));
    }

    RunResult read() {
        return new RunResult(
                jdyno,
                new Recording(
                        machine,
                        target,
                        Optional.empty(),
                        rounds,
                        census,
                        List.of(),
                        partial,
                        insight.orElse(Insight.NONE)),
                goal,
                new Judged(
                        knee,
                        demands,
                        whatIf.stream().map(WhatIfForm::read).toList(),
                        capacityNotes,
                        layers.stream()
                                .map(Converted.LayerForm::read)
                                .flatMap(Optional::stream)
                                .toList(),
                        verdict,
                        prescriptions,
                        validity),
                proof);
    }
}
