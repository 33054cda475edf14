package dev.jdyno.measure.statistics;

import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// The part of a quantity that grows in proportion to another one. The rest is constant, or a burst
/// at some of the points: both only add to it. So the slope is at most the least ratio of a point.
///
/// @param slope that part per unit of the other quantity, 0 or more; empty if no two points are far
///   enough apart
/// @param leastRatio the least ratio of the quantity to the other one, 0 or more; 0 without points
public record ProportionalPart(OptionalDouble slope, double leastRatio) {
    /// Points without a positive x are left out: they have no ratio.
    ///
    /// @param x the quantity that the part grows with
    /// @param spread minimum ratio of their x for two points to be far enough apart
    public static ProportionalPart of(double[] x, double[] y, double spread) {
        int[] used = IntStream.range(0, x.length).filter(i -> x[i] > 0).toArray();
        double[] xs = IntStream.of(used).mapToDouble(i -> x[i]).toArray();
        double[] ys = IntStream.of(used).mapToDouble(i -> y[i]).toArray();
        double least =
                Math.max(0, IntStream.of(used).mapToDouble(i -> y[i] / x[i]).min().orElse(0));
        OptionalDouble slope = TheilSen.slope(xs, ys, spread);
        return new ProportionalPart(
                slope.isPresent()
                        ? OptionalDouble.of(Math.clamp(slope.getAsDouble(), 0, least))
                        : slope,
                least);
    }
}
