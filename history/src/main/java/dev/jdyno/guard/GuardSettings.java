package dev.jdyno.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Settings of `guard`.
///
/// @param starts number of starts of the service per day, each a fresh JVM
/// @param block length of one block
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param budget time limit of all measurements; empty: {@link #PINNED_BUDGET} with a pinned build,
///   none without
/// @param minEffect smallest change of CPU time and allocation that matters; for other figures it
///   is larger
/// @param branch branch whose earlier days count; empty: all
/// @param since time from which earlier days count
public record GuardSettings(
        int starts,
        Duration block,
        Duration warmup,
        Optional<Duration> budget,
        double minEffect,
        Optional<String> branch,
        Optional<Instant> since) {
    /// Default budget with a pinned build. It has time for a service that needs half a minute to
    /// become warm on two cores, also if a figure looks worse.
    public static final Duration PINNED_BUDGET = Duration.ofMinutes(20);

    public static final GuardSettings DEFAULT =
            new GuardSettings(
                    3,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(90),
                    Optional.empty(),
                    0.03,
                    Optional.empty(),
                    Optional.empty());
}
