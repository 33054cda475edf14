package dev.jdyno.measure.statistics;

/// A confidence interval `[lo, hi]` in the unit of the figure beside it.
public record Interval(double lo, double hi) {
    public Interval {
        if (!(lo <= hi)) {
            throw new IllegalArgumentException("interval [" + lo + ", " + hi + "] is empty");
        }
    }

    /// The interval that holds only `value`: what is known exactly.
    public static Interval exactly(double value) {
        return new Interval(value, value);
    }

    public boolean contains(double value) {
        return lo <= value && value <= hi;
    }

    public double width() {
        return hi - lo;
    }
}
