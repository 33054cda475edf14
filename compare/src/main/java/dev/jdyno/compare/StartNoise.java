package dev.jdyno.compare;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.FDistribution;

/// How log ratios of one figure differ from start to start, of all comparisons of one service so
/// far. How starts differ is a property of the service and its machine, so that a comparison which
/// knows it needs fewer starts of its own.
///
/// @param squares sum of the squared deviations from the mean of their comparison
/// @param degrees of freedom: starts less one of each comparison
public record StartNoise(double squares, int degrees) {
    public StartNoise {
        if (degrees < 0 || !(squares >= 0 && Double.isFinite(squares))) {
            throw new IllegalArgumentException("no noise of starts: " + squares + ", " + degrees);
        }
    }

    /// Nothing is known.
    public static final StartNoise NONE = new StartNoise(0, 0);

    /// Fewer degrees of freedom say little about a variance.
    private static final int LEAST_DEGREES = 4;

    /// A comparison whose starts differ more than that by chance has a noise of its own.
    private static final double LEAST_P = 0.05;

    /// @param means of the log ratios of each start of one comparison
    static StartNoise of(double[] means) {
        if (means.length < 2) {
            return NONE;
        }
        double mean = Arrays.stream(means).average().orElseThrow();
        return new StartNoise(
                Arrays.stream(means).map(m -> (m - mean) * (m - mean)).sum(), means.length - 1);
    }

    /// Both together.
    public StartNoise plus(StartNoise other) {
        return new StartNoise(squares + other.squares, degrees + other.degrees);
    }

    /// Whether it is known well enough to judge by.
    public boolean isKnown() {
        return degrees >= LEAST_DEGREES && squares > 0;
    }

    double variance() {
        return squares / degrees;
    }

    /// Whether these starts may have this noise: they do not differ more, by the F test.
    boolean explains(StartNoise own) {
        return own.degrees == 0
                || 1
                                - new FDistribution(own.degrees, degrees)
                                        .cumulativeProbability(own.variance() / variance())
                        >= LEAST_P;
    }
}
