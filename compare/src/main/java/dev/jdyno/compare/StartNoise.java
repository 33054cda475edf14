package dev.jdyno.compare;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.FDistribution;

/// How much the log ratios of one figure vary from start to start, over all comparisons of one
/// service so far. This variation is a property of the service and its machine. A comparison that
/// knows it needs fewer starts of its own.
///
/// @param squares sum of the squared deviations, each from the mean of its own comparison
/// @param degrees degrees of freedom: the starts of each comparison minus one, added up
public record StartNoise(double squares, int degrees) {
    public StartNoise {
        if (degrees < 0 || !(squares >= 0 && Double.isFinite(squares))) {
            throw new IllegalArgumentException("no noise of starts: " + squares + ", " + degrees);
        }
    }

    /// No variation is known.
    public static final StartNoise NONE = new StartNoise(0, 0);

    /// Minimum degrees of freedom: with fewer, the variance is too uncertain.
    private static final int MIN_DEGREES = 4;

    /// Minimum p-value of the F test; below it, a comparison's starts vary more than the known
    /// noise.
    private static final double MIN_P = 0.05;

    /// @param means mean log ratio of each start of one comparison
    static StartNoise of(double[] means) {
        if (means.length < 2) {
            return NONE;
        }
        double mean = Arrays.stream(means).average().orElseThrow();
        return new StartNoise(
                Arrays.stream(means).map(m -> (m - mean) * (m - mean)).sum(), means.length - 1);
    }

    /// Pools both.
    public StartNoise plus(StartNoise other) {
        return new StartNoise(squares + other.squares, degrees + other.degrees);
    }

    /// True if the noise is known well enough to judge by.
    public boolean isKnown() {
        return degrees >= MIN_DEGREES && squares > 0;
    }

    double variance() {
        return squares / degrees;
    }

    /// True if this noise can explain the variation of these starts: by the F test, they do not
    /// vary significantly more.
    boolean explains(StartNoise own) {
        return own.degrees == 0
                || 1
                                - new FDistribution(own.degrees, degrees)
                                        .cumulativeProbability(own.variance() / variance())
                        >= MIN_P;
    }
}
