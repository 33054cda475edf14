package dev.jdyno.compare;

import dev.jdyno.measure.statistics.Quantiles;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.TDistribution;

/// By how much a figure of one and the same code differs between two runs at different times, in 95
/// of 100 cases.
///
/// @param share such as 0.08
/// @param runs stored runs that it was measured by; 0: published
public record Drift(double share, int runs) {
    /// Difference of one and the same code, measured minutes apart on a shared machine: 8 %, where
    /// interleaved blocks differ by 1.3 % (a public report; docs/compare.md).
    public static final Drift PUBLISHED = new Drift(0.08, 0);

    /// Fewer differences say little of how large the next one may be.
    private static final int LEAST_RUNS = 8;

    /// Below this the clock and the sizes of windows differ.
    private static final double LEAST = 0.005;

    /// Of a normal distribution's values half lie within so many standard deviations.
    private static final double HALF_WITHIN = 0.6745;

    /// By the differences of consecutive runs, of which a few may be changes of the code: their
    /// median is scaled.
    ///
    /// @param values of one figure in stored runs of the same plan on the same machine, in the
    ///   order of time
    /// @return the published one where there are too few
    public static Drift of(List<Double> values) {
        List<Double> known = values.stream().filter(v -> v > 0).toList();
        if (known.size() < LEAST_RUNS) {
            return PUBLISHED;
        }
        double[] by =
                IntStream.range(1, known.size())
                        .mapToDouble(i -> Math.abs(Math.log(known.get(i) / known.get(i - 1))))
                        .toArray();
        double deviation = Quantiles.median(by) / HALF_WITHIN;
        double most =
                new TDistribution(by.length - 1.0).inverseCumulativeProbability(0.975) * deviation;
        return new Drift(Math.max(LEAST, Math.expm1(most)), known.size());
    }
}
