package dev.jdyno.load.statistics;

import dev.jdyno.measure.statistics.Latency;
import java.util.Optional;

/// The report of a program of the user about the load that it sent. It contains what differs from a
/// window of jdyno's own load.
///
/// @param counted true if the program reported anything for this time
/// @param nanos time in which its requests were counted
/// @param latency response times in ms as it printed them; empty if it reported each request, whose
///   times are in the window's histogram
public record Reported(boolean counted, long nanos, Optional<Latency> latency) {
    Reported plus(long requests, Reported next, long requestsOfNext) {
        Optional<Latency> both =
                latency.isPresent() && next.latency.isPresent()
                        ? Optional.of(
                                Latency.between(
                                        latency.get(),
                                        requests,
                                        next.latency.get(),
                                        requestsOfNext))
                        : latency.or(next::latency);
        return new Reported(counted || next.counted, nanos + next.nanos, both);
    }
}
