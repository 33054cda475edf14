package dev.jdyno.measure.statistics;

/// A confidence interval `[lo, hi]` in the unit of its figure.
public record Interval(double lo, double hi) {
    /// Number of standard deviations on each side of the mean of a normal distribution that contain
    /// 95 % of it.
    public static final double NORMAL_95 = 1.96;

    public Interval {
        if (!(lo <= hi)) {
            throw new IllegalArgumentException("interval [" + lo + ", " + hi + "] is empty");
        }
    }

    /// The interval of a value that is known exactly.
    public static Interval exactly(double value) {
        return new Interval(value, value);
    }

    /// The 95 % interval of a share found in `n` trials (Wilson 1927); 0…1 without trials.
    public static Interval ofShare(double share, long n) {
        if (n <= 0) {
            return new Interval(0, 1);
        }
        double z2 = NORMAL_95 * NORMAL_95 / n;
        double centre = (share + z2 / 2) / (1 + z2);
        double half = NORMAL_95 / (1 + z2) * Math.sqrt((share * (1 - share) + z2 / 4) / n);
        return new Interval(Math.max(0, centre - half), Math.min(1, centre + half));
    }

    public boolean contains(double value) {
        return lo <= value && value <= hi;
    }

    public double width() {
        return hi - lo;
    }
}
