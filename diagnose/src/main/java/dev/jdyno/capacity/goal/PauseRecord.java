package dev.jdyno.capacity.goal;

import dev.jdyno.capacity.OpenQueue;
import dev.jdyno.capacity.Poisson;
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
/// @param costs how many requests a pause really made miss, over what the formula says
record PauseRecord(
        double excessS, double excessSquaredS2, double seconds, double longestS, double costs) {
    /// A pause that has not come yet is taken to outlast the goal by this: what a full collection
    /// of a small heap does. Without it a short quiet trial would prove that there are no pauses,
    /// and one that saw a single short pause that there are no longer ones.
    private static final double UNSEEN_EXCESS_S = 0.05;

    /// The formula leaves out how long a request takes without a pause and the queue that a pause
    /// finds; more than this is something else.
    private static final double MOST_COSTS = 2;

    private static final double LEAST_COSTS = 0.5;

    /// @param missed requests in the shadows of a trial's pauses
    /// @param predicted by the formula
    /// @param perSecond requests that a second of excess makes miss by the formula
    record Cost(double missed, double predicted, double perSecond) {}

    /// The same pauses, each as dear as those were that were looked at. What one pause not yet seen
    /// would cost counts as predicted exactly.
    PauseRecord costing(List<Cost> seen) {
        double perSecond = seen.stream().mapToDouble(Cost::perSecond).average().orElse(0);
        double prior = UNSEEN_EXCESS_S * perSecond;
        double missed = prior + seen.stream().mapToDouble(Cost::missed).sum();
        double predicted = prior + seen.stream().mapToDouble(Cost::predicted).sum();
        return predicted <= 0
                ? this
                : new PauseRecord(
                        excessS,
                        excessSquaredS2,
                        seconds,
                        longestS,
                        Math.clamp(missed / predicted, LEAST_COSTS, MOST_COSTS));
    }

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
        return new PauseRecord(sum, squares, seconds, longest, 1);
    }

    /// Seconds by which a pause is longer than the goal allows a request to take.
    static double excess(double pauseMs, OptionalDouble limitMs) {
        return limitMs.isEmpty() ? 0 : Math.max(0, pauseMs - limitMs.getAsDouble()) / 1000;
    }

    /// The share of requests that pauses make miss at utilisation ρ: rate · E[(d − limit)+] / (1 −
    /// ρ) (see {@link OpenQueue}), with bounds. Pauses count as events of unequal size: as many
    /// equal ones as have the same relative variance, (Σe)² / Σe²; the upper bound counts in the
    /// size of one that may still come.
    ///
    /// @param moreSeconds exposure that is still to come, for a forecast of the bounds
    ShareBounds share(double utilisation, double z, double moreSeconds) {
        double exposure = seconds + moreSeconds;
        if (exposure <= 0) {
            return new ShareBounds(0, 0, 1);
        }
        if (excessS <= 0) {
            double perEvent = costs * UNSEEN_EXCESS_S / exposure / (1 - utilisation);
            return new ShareBounds(0, 0, Poisson.upper(0, z) * perEvent);
        }
        double more = exposure / seconds;
        double perSecond = costs / exposure / (1 - utilisation);
        double size = excessSquaredS2 / excessS;
        double largest =
                Math.max(
                        size,
                        (excessSquaredS2 + UNSEEN_EXCESS_S * UNSEEN_EXCESS_S)
                                / (excessS + UNSEEN_EXCESS_S));
        return new ShareBounds(
                excessS * more * perSecond,
                Poisson.lower(excessS / size * more, z) * size * perSecond,
                Poisson.upper(excessS / largest * more, z) * largest * perSecond);
    }
}
