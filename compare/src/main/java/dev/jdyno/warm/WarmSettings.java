package dev.jdyno.warm;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// How starts are measured.
///
/// @param inFlight requests at any time, from the first answer on
/// @param length of the traffic of each start
/// @param starts of each variant
/// @param budget of all; a round starts only if it is expected to end within the budget, the first
///   one always
/// @param limitMs response time from which a request is slow; empty to count none
/// @param ways tried beside the service as it is
public record WarmSettings(
        int inFlight,
        Duration length,
        int starts,
        Duration budget,
        Optional<Double> limitMs,
        List<Way> ways) {
    /// Fewer starts tell nothing of how starts differ.
    public static final int LEAST_STARTS = 3;

    /// Calls before the traffic.
    static final double CALLS_SECONDS = 10;

    /// Time with fewer requests.
    static final double FEW_SECONDS = 10;

    /// Load of the run that records an archive.
    static final double TRAINING_SECONDS = 10;

    public WarmSettings {
        ways = List.copyOf(ways);
    }
}
