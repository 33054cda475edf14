package dev.jdyno.tune;

import java.time.Duration;

/// Estimated duration of the parts of a tuning, before the service has been measured.
///
/// @param lookSeconds duration of a first look at one candidate alone
/// @param startSeconds duration of one start of both variants in a comparison
public record Costs(Duration budget, double lookSeconds, double startSeconds) {
    /// Estimates the costs of a service that soon starts and soon is warm.
    public static Costs ofUnseen(TuneSettings settings) {
        return new Costs(settings.budget(), settings.lookSeconds(), settings.startSeconds(1));
    }
}
