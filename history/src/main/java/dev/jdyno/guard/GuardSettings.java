package dev.jdyno.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How a service is guarded.
///
/// @param starts of the service a day, each a fresh JVM
/// @param block length of one block
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param budget of one comparison with the pinned build
/// @param minEffect smallest change of CPU and allocation that matters; others have larger ones
/// @param branch whose earlier days it is compared with; empty: all
/// @param since from which day on earlier days count
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
