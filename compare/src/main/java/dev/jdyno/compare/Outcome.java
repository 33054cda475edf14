package dev.jdyno.compare;

import dev.jdyno.measure.statistics.Interval;

/// The judgement of one figure's ratio.
public enum Outcome {
    /// The interval excludes 1, and the effect is at least the minimum effect.
    BETTER("better"),
    WORSE("worse"),
    /// The whole interval lies within the minimum effect around 1.
    EQUIVALENT("equivalent"),
    INCONCLUSIVE("inconclusive");

    private final String key;

    Outcome(String key) {
        this.key = key;
    }

    public String key() {
        return key;
    }

    /// @param ratio B ÷ A
    /// @param minEffect smallest effect that matters, such as 0.03
    public static Outcome of(
            double ratio, Interval interval, double minEffect, boolean higherIsBetter) {
        boolean excludesOne = !interval.contains(1);
        boolean matters = Math.abs(Math.log(ratio)) >= Math.log1p(minEffect);
        if (excludesOne && matters) {
            return ratio > 1 == higherIsBetter ? BETTER : WORSE;
        }
        return interval.lo() >= 1 / (1 + minEffect) && interval.hi() <= 1 + minEffect
                ? EQUIVALENT
                : INCONCLUSIVE;
    }
}
