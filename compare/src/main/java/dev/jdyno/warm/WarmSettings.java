package dev.jdyno.warm;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Settings of a warm-up study.
///
/// @param inFlight requests in flight from the first answer on
/// @param length duration of the traffic of each start
/// @param starts number of starts of each variant
/// @param budget time limit; a round begins only if it is expected to end within it, except the
///   first
/// @param limitMs response time above which a request is slow; empty: none is counted
/// @param ways ways to try; the unchanged service is always measured, too
public record WarmSettings(
        int inFlight,
        Duration length,
        int starts,
        Duration budget,
        Optional<Double> limitMs,
        List<Way> ways) {
    /// Minimum number of starts. Fewer starts do not show well enough how starts differ.
    public static final int MIN_STARTS = 3;

    /// Duration of the calls before the traffic.
    static final double CALLS_SECONDS = 10;

    /// Duration of the period with fewer requests.
    static final double FEW_SECONDS = 10;

    /// Duration of the load in the run that records an archive.
    static final double TRAINING_SECONDS = 10;

    public WarmSettings {
        ways = List.copyOf(ways);
    }

    /// Minimum duration of a study: the traffic of one start of every variant.
    public Duration least() {
        return length.multipliedBy(1L + ways.size());
    }
}
