package dev.jdyno.compare;

import dev.jdyno.measure.statistics.Quantiles;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.TDistribution;

/// The difference of a figure between two runs of the same code at different times, which 95 of 100
/// cases do not exceed.
///
/// @param share difference as a share, such as 0.08
/// @param runs number of stored runs from which the share comes; 0 if it is the published one
public record Drift(double share, int runs) {
    /// Difference of the same code, measured minutes apart on a shared machine: 8 %, while
    /// interleaved blocks differ by 1.3 % (a public report; docs/compare.md).
    public static final Drift PUBLISHED = new Drift(0.08, 0);

    /// Minimum number of runs. The differences of fewer runs do not predict how large the next one
    /// may be.
    private static final int MIN_RUNS = 8;

    /// Minimum drift: the resolution of the clock and the sizes of windows cause this much.
    private static final double MIN = 0.005;

    /// Half of the values of a normal distribution lie within this many standard deviations.
    private static final double HALF_WITHIN = 0.6745;

    /// Estimates the drift from the differences of consecutive runs. It scales their median,
    /// because a few of them may be changes of the code.
    ///
    /// @param values values of one figure in stored runs of the same plan on the same machine, in
    ///   the order of time
    /// @return the published drift if there are too few values
    public static Drift of(List<Double> values) {
        List<Double> known = values.stream().filter(v -> v > 0).toList();
        if (known.size() < MIN_RUNS) {
            return PUBLISHED;
        }
        double[] by =
                IntStream.range(1, known.size())
                        .mapToDouble(i -> Math.abs(Math.log(known.get(i) / known.get(i - 1))))
                        .toArray();
        double deviation = Quantiles.median(by) / HALF_WITHIN;
        double max =
                new TDistribution(by.length - 1.0).inverseCumulativeProbability(0.975) * deviation;
        return new Drift(Math.max(MIN, Math.expm1(max)), known.size());
    }
}
