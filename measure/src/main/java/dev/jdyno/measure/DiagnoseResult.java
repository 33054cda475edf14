package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Headroom;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Layer;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;

/// Observations of a JVM under its existing load, and the conclusions.
///
/// @param recording the whole time as one round, and its thread samples. No client measured
///   response times, so the round's percentiles are empty.
/// @param inFlight mean number of requests in the service; empty if neither thread dumps nor the
///   kernel's connection data gave it
/// @param throughput requests per second; empty if they were not counted
/// @param judged the conclusions
/// @param headroom how much more load the service will take; empty if it was not asked
/// @param ended why the diagnosis ended early: the JVM is gone
/// @param files the files that were read in place of a JVM; empty for a live JVM
public record DiagnoseResult(
        Recording recording,
        Optional<Double> inFlight,
        Optional<Throughput> throughput,
        Judged judged,
        Optional<Headroom> headroom,
        Optional<UserError> ended,
        List<SourceFile> files) {
    public DiagnoseResult {
        files = List.copyOf(files);
    }

    /// The result for a live JVM.
    public DiagnoseResult(
            Recording recording,
            Optional<Double> inFlight,
            Optional<Throughput> throughput,
            Judged judged,
            Optional<Headroom> headroom,
            Optional<UserError> ended) {
        this(recording, inFlight, throughput, judged, headroom, ended, List.of());
    }

    public Verdict verdict() {
        return judged.verdict();
    }

    public List<Recommendation> recommendations() {
        return judged.recommendations();
    }

    public List<Layer> layers() {
        return judged.layers();
    }

    public Round round() {
        return recording.rounds().getFirst();
    }

    /// The thread samples; empty if the JVM ended before any were taken.
    public Optional<ThreadSamples> census() {
        return recording.census().stream().findFirst();
    }

    public Optional<Double> throughputPerS() {
        return throughput.map(Throughput::perS);
    }

    /// Mean response time by Little's law (F3), in ms.
    public Optional<Double> rtMs() {
        return throughputPerS()
                .filter(x -> x > 0)
                .flatMap(x -> inFlight.map(mean -> mean / x * 1000));
    }
}
