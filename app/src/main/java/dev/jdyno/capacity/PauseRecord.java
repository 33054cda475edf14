package dev.jdyno.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// The pauses of all trials together, as far as one goal is hurt by them: those longer than its
/// limit. Pauses come with time (or with requests, at nearly the same rate near the knee), so every
/// second of every trial tells of them, whatever its load was. This is what makes a soft knee
/// measurable: one trial sees a handful of long pauses, the whole search several times as many.
///
/// @param excessS Σ (d − limit) over the pauses, in seconds
/// @param excessSquaredS2 Σ (d − limit)²
/// @param seconds exposure
record PauseRecord(double excessS, double excessSquaredS2, double seconds, double longestS) {
    /// A pause that has not come yet is taken to outlast the goal by this: what a full collection
    /// of a small heap does. Without it a short quiet trial would prove that there are no pauses.
    private static final double UNSEEN_EXCESS_S = 0.05;

    /// @param known pauses from before the search
    static PauseRecord of(List<OpenTrial> trials, PauseLog known, OptionalDouble limitMs) {
        double sum = 0;
        double squares = 0;
        double seconds = known.seconds();
        double longest = 0;
        List<Double> all = new ArrayList<>(known.ms());
        for (OpenTrial t : trials) {
            seconds += t.seconds();
            t.pauses().forEach(p -> all.add(p.ms()));
        }
        for (double ms : all) {
            double excess = excess(ms, limitMs);
            longest = Math.max(longest, ms / 1000);
            sum += excess;
            squares += excess * excess;
        }
        return new PauseRecord(sum, squares, seconds, longest);
    }

    /// Seconds by which a pause is longer than the goal allows a request to take.
    static double excess(double pauseMs, OptionalDouble limitMs) {
        return limitMs.isEmpty() ? 0 : Math.max(0, pauseMs - limitMs.getAsDouble()) / 1000;
    }

    /// The share of requests that pauses make miss at utilisation ρ: rate · E[(d − limit)+] / (1 −
    /// ρ) (see {@link OpenQueue}), with bounds. Pauses count as events of unequal size: as many
    /// equal ones as have the same relative variance, (Σe)² / Σe².
    ///
    /// @param moreSeconds exposure that is still to come, for a forecast of the bounds
    ShareBounds share(double utilisation, double z, double moreSeconds) {
        double exposure = seconds + moreSeconds;
        if (exposure <= 0) {
            return new ShareBounds(0, 0, 1);
        }
        boolean seen = excessS > 0;
        double size = seen ? excessSquaredS2 / excessS : UNSEEN_EXCESS_S;
        double events = seen ? excessS / size * exposure / seconds : 0;
        double perEvent = size / exposure / (1 - utilisation);
        return new ShareBounds(
                events * perEvent,
                Poisson.lower(events, z) * perEvent,
                Poisson.upper(events, z) * perEvent);
    }
}
