package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import java.util.List;

/// A figure that `guard` judges.
///
/// @param least smallest change of its level that matters, as a share
/// @param certain maximum one-sided p of all values together at which a change counts. It is
///   stricter for noisy figures, because the least noisy ones decide
/// @param machine how the figure varies with the time of the reference loop on the machine: 1 in
///   proportion, -1 inversely, 0 not at all
/// @param repeats minimum deviation between days, on the log scale. It applies even if the few
///   known days agree better. It is about a third of the deviation between starts of one build on
///   one machine
/// @param byOneDay whether one day is enough to call it worse. When one day was enough for each
///   figure, all 44 false alarms in 5,200 recorded days were of p50, p99 or GC pauses
///   (docs/guard.md)
public record Figure(
        Metric metric,
        double least,
        double certain,
        int machine,
        double repeats,
        boolean byOneDay) {
    private static final double STEADY = 0.003;
    private static final double NOISY = 0.0003;
    private static final double MODERATE = 0.05;
    private static final double ROUGH = 0.1;

    /// Returns the figures, the least noisy ones first.
    ///
    /// @param minEffect smallest effect of the least noisy figures
    static List<Figure> all(double minEffect) {
        return List.of(
                new Figure(Metric.CPU, minEffect, STEADY, 1, 0.004, true),
                new Figure(Metric.ALLOCATION, minEffect, STEADY, 0, 0.004, true),
                new Figure(Metric.QPS, Math.max(minEffect, MODERATE), NOISY, -1, 0.01, true),
                new Figure(Metric.P50, Math.max(minEffect, MODERATE), NOISY, 1, 0.02, false),
                new Figure(Metric.P99, Math.max(minEffect, ROUGH), NOISY, 1, 0.05, false),
                new Figure(Metric.DRIVER_P50, Math.max(minEffect, MODERATE), NOISY, 1, 0.02, false),
                new Figure(Metric.DRIVER_P99, Math.max(minEffect, ROUGH), NOISY, 1, 0.05, false),
                new Figure(Metric.GC, Math.max(minEffect, ROUGH), NOISY, 1, 0.05, false));
    }

    /// Logarithm of a value, scaled to a machine on which a step of the reference loop takes 1 ns.
    double log(double value, double machineNs) {
        return Math.log(value) - machine * Math.log(machineNs);
    }
}
