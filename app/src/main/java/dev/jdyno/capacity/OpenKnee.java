package dev.jdyno.capacity;

import java.util.OptionalDouble;

/// The answer of an open-model search: a bracket whose ends were both tested.
///
/// @param good the highest rate that was shown to keep every goal; empty when none was
/// @param bad the lowest rate that was shown to break one; empty when none was
/// @param estimate where the share of misses crosses the goal
/// @param steepness d ln(misses) / d ln(rate) at the knee: 10 % more load gives e^(0.1 · steepness)
///   times the misses
/// @param loadSeconds load that was spent
/// @param says the answer, what limits its width, and what would narrow it
public record OpenKnee(
        OptionalDouble good,
        OptionalDouble bad,
        double estimate,
        double steepness,
        String bindingGoal,
        double loadSeconds,
        Reason reason,
        String says) {
    /// From this steepness on a knee is called hard: 5 % more load makes at least 3 times the
    /// misses.
    static final double HARD = 22;

    public enum Reason {
        BRACKETED,
        BUDGET_SPENT,
        /// Even a hundredth of the saturation throughput breaks a goal: no queue, the service
        /// itself is too slow or fails.
        NEVER_GOOD
    }

    public boolean hard() {
        return steepness >= HARD;
    }
}
