package dev.jdyno.instance;

import dev.jdyno.measure.JvmMemory;
import java.util.Optional;

/// What a request and the JVM need, measured at full size.
///
/// @param cpuMs CPU time of a request
/// @param restMs part of the response time that is not CPU time, with one request in flight
/// @param allocBytesPerS allocation rate at the tested rate
/// @param memory memory after a full collection; empty if it cannot be seen
/// @param peakMebi highest memory use of the group, in MiB; empty if it is not counted
public record SizeDemand(
        double cpuMs,
        double restMs,
        double allocBytesPerS,
        Optional<JvmMemory> memory,
        Optional<Double> peakMebi) {
    /// The demand that a test at full size shows; empty if it has no figures.
    static Optional<SizeDemand> of(SizeTest full) {
        return full.figures()
                .filter(f -> f.cpuMsPerRequest() > 0)
                .map(f ->
                        new SizeDemand(
                                f.cpuMsPerRequest(),
                                Math.max(0, f.aloneMs() - f.cpuMsPerRequest()),
                                f.allocBytesPerS(),
                                f.memory(),
                                full.memoryPeak().map(b -> b.inMebi())));
    }
}
