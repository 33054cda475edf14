package dev.jdyno.report.json;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.DiagnoseResult;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.report.words.Commands;
import dev.jdyno.report.words.SourceText;
import java.util.List;
import java.util.Optional;

/// `jdyno/diagnosis/1`: its components are the keys of the contract, in their order.
public record DiagnosisForm(
        String schema,
        boolean partial,
        TargetFacts target,
        double seconds,
        Optional<Double> inFlight,
        Optional<Double> throughputPerS,
        Optional<Interval> throughputBetween,
        Optional<Throughput.Source> throughputFrom,
        Optional<Double> rtMeanMs,
        Optional<Double> rtContainerMs,
        Optional<CpuUse> cpu,
        Optional<ThreadCounts> threads,
        Optional<GcActivity> gc,
        Optional<ThreadSamples> census,
        List<Layer> layers,
        Verdict verdict,
        List<ResultForm.PrescriptionForm> prescriptions,
        List<StageTimes> stages,
        List<String> warnings) {
    public static DiagnosisForm of(DiagnoseResult w) {
        Optional<SourceLine> bottleneck = SourceText.at(w.verdict(), w.recording().insight());
        return new DiagnosisForm(
                "jdyno/diagnosis/1",
                w.recording().partial(),
                w.recording().target(),
                w.round().seconds(),
                w.inFlight(),
                w.throughputPerS(),
                w.throughput().flatMap(Throughput::between),
                w.throughput().map(Throughput::source),
                w.rtMs(),
                w.throughput().flatMap(Throughput::containerRtMs),
                w.round().cpu(),
                w.round().threads(),
                w.round().gc(),
                w.census(),
                w.layers(),
                w.verdict(),
                w.prescriptions().stream()
                        .map(p ->
                                ResultForm.PrescriptionForm.of(
                                        p,
                                        SourceText.of(w.recording().insight()),
                                        bottleneck,
                                        Commands.ofOwnLoad(p)))
                        .toList(),
                w.recording().insight().stages(),
                w.recording().warnings().stream().map(Validity.Warning::says).toList());
    }
}
