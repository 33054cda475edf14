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

/// A JVM seen under the load it has anyway, and what was concluded.
///
/// @param recording the whole time as one round (nobody measured response times at a client: its
///   percentiles are empty) and its thread samples
/// @param inFlight mean number of requests in the service; empty when neither thread dumps nor the
///   kernel's account of the connections told it
/// @param ended why it did not last until its end: the JVM is gone
/// @param throughput requests per second; empty when they were not counted
/// @param judged what was concluded
/// @param headroom how much more load it will take; empty where that was not asked
public record DiagnoseResult(
        Recording recording,
        Optional<Double> inFlight,
        Optional<Throughput> throughput,
        Judged judged,
        Optional<Headroom> headroom,
        Optional<UserError> ended) {
    public Verdict verdict() {
        return judged.verdict();
    }

    public List<Recommendation> prescriptions() {
        return judged.prescriptions();
    }

    public List<Layer> layers() {
        return judged.layers();
    }

    public Round round() {
        return recording.rounds().getFirst();
    }

    /// Empty when the JVM ended before one was taken.
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
