package dev.jdyno.tune;

import dev.jdyno.measure.text.Durations;
import java.time.Duration;

/// Estimated duration of the parts of a tuning, and how many candidates the budget allows.
///
/// @param lookSeconds duration of a first look at a candidate
/// @param startSeconds duration of one start of both variants in a comparison
/// @param candidates number of candidates for which the budget allows a look and a comparison.
///   After an accepted candidate, another diagnosis takes the time of a few candidates
/// @param seen whether the service's measured start and warm-up are included
public record Costs(
        Duration budget, double lookSeconds, double startSeconds, int candidates, boolean seen) {
    /// @param extraSeconds duration of diagnosis and confirmation
    static Costs of(
            Duration budget,
            double extraSeconds,
            double lookSeconds,
            double startSeconds,
            boolean seen) {
        double left = Durations.seconds(budget) - extraSeconds;
        double each = lookSeconds + Spending.PROOF_STARTS * startSeconds;
        return new Costs(budget, lookSeconds, startSeconds, (int) Math.max(0, left / each), seen);
    }

    /// Estimates the costs before the service has been measured.
    public static Costs ofUnseen(TuneSettings settings) {
        double look = settings.lookSeconds();
        double start = settings.startSeconds(1);
        double fixedSeconds = Spending.minSeconds(settings) - look - Spending.PROOF_STARTS * start;
        return of(settings.budget(), fixedSeconds, look, start, false);
    }
}
