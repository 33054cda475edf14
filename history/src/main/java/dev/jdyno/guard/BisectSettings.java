package dev.jdyno.guard;

import java.time.Duration;
import java.util.Optional;

/// Settings of a bisection.
///
/// @param confidence minimum probability at which a commit is named
/// @param budget time for measurements, without builds
/// @param block length of one block
/// @param warmup longest warm-up of a start; it ends as soon as the service is steady
/// @param minEffect smallest change of a figure that matters
public record BisectSettings(
        double confidence, Duration budget, Duration block, Duration warmup, double minEffect) {
    public static final BisectSettings DEFAULT =
            new BisectSettings(
                    0.95,
                    Duration.ofMinutes(45),
                    GuardSettings.DEFAULT.block(),
                    GuardSettings.DEFAULT.warmup(),
                    GuardSettings.DEFAULT.minEffect());

    public BisectSettings {
        if (!(confidence > 0.5 && confidence < 1)) {
            throw new IllegalArgumentException("no confidence: " + confidence);
        }
    }

    GuardSettings diagnosisSettings() {
        GuardSettings preset = GuardSettings.DEFAULT;
        return new GuardSettings(
                preset.starts(),
                block,
                warmup,
                Optional.of(budget),
                minEffect,
                preset.branch(),
                preset.since());
    }
}
