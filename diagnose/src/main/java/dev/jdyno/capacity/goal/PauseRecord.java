package dev.jdyno.capacity.goal;

import dev.jdyno.capacity.OpenQueue;
import dev.jdyno.capacity.Poisson;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// The pauses of all trials together that affect one goal: those longer than its limit. Their
/// number grows with time, or with requests, whose rates are similar near the knee. So every second
/// of every trial counts, at any load. This makes a soft knee measurable: one trial has only a few
/// long pauses, the whole search has several times that number.
///
/// @param excessS Σ (d − limit) over the pauses, in seconds
/// @param excessSquaredS2 Σ (d − limit)²
/// @param seconds time in which the pauses were observed
/// @param costs measured number of requests that missed because of pauses ÷ number by the formula
record PauseRecord(
        double excessS, double excessSquaredS2, double seconds, double longestS, double costs) {
    /// Time by which a pause not yet observed is assumed to exceed the goal, as for a full
    /// collection of a small heap. Without it, a short trial without pauses would prove that there
    /// are none. A single short pause would prove that there are no longer ones.
    private static final double UNSEEN_EXCESS_S = 0.05;

    /// Maximum ratio of the measured cost of pauses to that by the formula. The formula ignores the
    /// response time without a pause and the queue at the start of a pause. A higher ratio has
    /// another cause.
    private static final double MAX_COSTS = 2;

    private static final double MIN_COSTS = 0.5;

    /// @param missed number of requests in the shadows of a trial's pauses that missed
    /// @param predicted number by the formula
    /// @param perSecond number of requests that miss for each second of excess, by the formula
    record Cost(double missed, double predicted, double perSecond) {}

    /// Returns the same pauses with the cost of the examined ones. In addition, one pause not yet
    /// observed is assumed to cost exactly what the formula predicts.
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
                        Math.clamp(missed / predicted, MIN_COSTS, MAX_COSTS));
    }

    /// @param known pauses known before the search
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

    /// Returns the seconds by which a pause is longer than the goal's limit.
    static double excess(double pauseMs, OptionalDouble limitMs) {
        return limitMs.isEmpty() ? 0 : Math.max(0, pauseMs - limitMs.getAsDouble()) / 1000;
    }

    /// Returns the share of requests that pauses make miss at utilisation ρ, with bounds: rate ·
    /// E[(d − limit)+] / (1 − ρ) (see {@link OpenQueue}). Pauses have unequal sizes. They count
    /// like a number of equal pauses with the same relative variance, (Σe)² / Σe². The upper bound
    /// includes one more pause that may still occur.
    ///
    /// @param moreSeconds further time under load, for a forecast of the bounds
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
