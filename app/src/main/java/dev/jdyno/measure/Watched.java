package dev.jdyno.measure;

import java.util.List;
import java.util.Optional;

/// A JVM seen under the load it has anyway, and what was concluded.
///
/// @param recording the whole time as one round (nobody measured response times at a client: its
///   percentiles are empty) and its census
/// @param inFlight mean number of requests in the service
/// @param throughput requests per second; empty when nobody counted them
/// @param prescriptions what would help
public record Watched(
        Recording recording,
        double inFlight,
        Optional<Throughput> throughput,
        Verdict verdict,
        List<Prescription> prescriptions) {
    public Watched {
        prescriptions = List.copyOf(prescriptions);
    }

    public Round round() {
        return recording.rounds().getFirst();
    }

    public Census census() {
        return recording.census().getFirst();
    }

    public Optional<Double> throughputPerS() {
        return throughput.map(Throughput::perS);
    }

    /// Mean response time by Little's law (F3), in ms.
    public Optional<Double> rtMs() {
        return throughputPerS().filter(x -> x > 0).map(x -> inFlight / x * 1000);
    }
}
