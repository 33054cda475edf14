package dev.jdyno.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Settings of `guard`.
///
/// @param starts number of starts of the service per day, each a fresh JVM
/// @param block length of one block
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param budget time limit of one comparison with the pinned build
/// @param minEffect smallest change of CPU time and allocation that matters; for other figures it
///   is larger
/// @param branch branch whose earlier days count; empty: all
/// @param since time from which earlier days count
public record GuardSettings(
        int starts,
        Duration block,
        Duration warmup,
        Duration budget,
        double minEffect,
        Optional<String> branch,
        Optional<Instant> since) {
    public static final GuardSettings DEFAULT =
            new GuardSettings(
                    3,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(90),
                    Duration.ofMinutes(5),
                    0.03,
                    Optional.empty(),
                    Optional.empty());
}
