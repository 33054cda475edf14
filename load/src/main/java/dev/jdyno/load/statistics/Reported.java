package dev.jdyno.load.statistics;

import dev.jdyno.measure.statistics.Latency;
import java.util.Optional;

/// What a program of the user's reports of the load that it sent, where a window of our own has
/// more.
///
/// @param counted whether it reported of this time at all
/// @param nanos time in which its requests were counted
/// @param latency its response times in ms as it printed them; empty where it gave each request's,
///   which are in the window's histogram
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
