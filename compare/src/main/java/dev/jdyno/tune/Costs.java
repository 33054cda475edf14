package dev.jdyno.tune;

import dev.jdyno.measure.text.Durations;
import java.time.Duration;

/// What the parts of a tuning take, and what the budget buys of them, roughly.
///
/// @param lookSeconds a first look at a candidate
/// @param startSeconds one start of both in a comparison
/// @param candidates that there is time to look at and to compare; where one is accepted, another
///   diagnosis takes the time of a few
/// @param seen whether the service's own start and warm-up are in it
public record Costs(
        Duration budget, double lookSeconds, double startSeconds, int candidates, boolean seen) {
    /// @param besideSeconds what all else takes: diagnosis and confirmation
    static Costs of(
            Duration budget,
            double besideSeconds,
            double lookSeconds,
            double startSeconds,
            boolean seen) {
        double left = Durations.seconds(budget) - besideSeconds;
        double each = lookSeconds + Spending.PROOF_STARTS * startSeconds;
        return new Costs(budget, lookSeconds, startSeconds, (int) Math.max(0, left / each), seen);
    }

    /// Of a service that has not been seen.
    public static Costs ofUnseen(TuneSettings settings) {
        double look = settings.lookSeconds();
        double start = settings.startSeconds(1);
        double beside = Spending.leastSeconds(settings) - look - Spending.PROOF_STARTS * start;
        return of(settings.budget(), beside, look, start, false);
    }
}
