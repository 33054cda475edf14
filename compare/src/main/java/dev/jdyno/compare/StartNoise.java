package dev.jdyno.compare;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.FDistribution;

/// Variation of the log ratios of one figure from start to start, over all comparisons of one
/// service so far. It is a property of the service and its machine. If it is known, a comparison
/// needs fewer starts.
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
    static final int MIN_DEGREES = 4;

    /// The same minimum for variants that ran at once. Together with the comparison's own starts,
    /// they give more degrees than three separate starts.
    static final int MIN_DEGREES_AT_ONCE = 2;

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

    /// Returns the variation of the log ratio of two variants, from several variants that ran at
    /// once in each start: the rest after subtracting the means of each variant and of each start
    /// (two-way analysis of variance without interaction). All variants contribute, so a few starts
    /// suffice.
    ///
    /// @param means mean log figure by start and variant
    static StartNoise ofAtOnce(double[][] means) {
        int starts = means.length;
        int variants = starts == 0 ? 0 : means[0].length;
        if (starts < 2 || variants < 2) {
            return NONE;
        }
        double all = Arrays.stream(means).flatMapToDouble(Arrays::stream).average().orElseThrow();
        double squares = 0;
        for (int variant = 0; variant < variants; variant++) {
            int column = variant;
            double ofVariant =
                    Arrays.stream(means).mapToDouble(m -> m[column]).average().orElseThrow();
            for (double[] start : means) {
                double ofStart = Arrays.stream(start).average().orElseThrow();
                double rest = start[variant] - ofStart - ofVariant + all;
                squares += rest * rest;
            }
        }
        // the variance of a log ratio is that of two log figures
        return new StartNoise(2 * squares, (starts - 1) * (variants - 1));
    }

    /// Removes the contribution of one comparison.
    StartNoise without(StartNoise part) {
        return new StartNoise(Math.max(0, squares - part.squares), degrees - part.degrees);
    }

    /// Combines the two estimates.
    public StartNoise plus(StartNoise other) {
        return new StartNoise(squares + other.squares, degrees + other.degrees);
    }

    /// True if the noise is known well enough to be used in a judgement.
    public boolean isKnown() {
        return isKnown(MIN_DEGREES);
    }

    /// @param minDegrees minimum degrees of freedom at which the noise counts as known
    boolean isKnown(int minDegrees) {
        return degrees >= minDegrees && squares > 0;
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
