package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import java.util.List;

/// A figure that is guarded.
///
/// @param least change of its level that matters, as a share
/// @param certain one-sided p of all values together from which a change counts: stricter where a
///   figure is noisy, for the least noisy ones decide
/// @param machine how it goes with the time that a fixed loop takes on the machine: 1 with it, -1
///   against it, 0 not at all
/// @param repeats deviation to which days repeat at best, on the log scale, however few of them
///   agree: some third of what starts of one build on one machine showed
/// @param byOneDay whether one day is enough to call it worse. When one day was enough for each
///   figure, 41 of 44 false alarms in 5,200 recorded days were of p99 or GC pauses (docs/guard.md)
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

    /// The least noisy ones first.
    ///
    /// @param minEffect of the least noisy ones
    static List<Figure> all(double minEffect) {
        return List.of(
                new Figure(Metric.CPU, minEffect, STEADY, 1, 0.004, true),
                new Figure(Metric.ALLOCATION, minEffect, STEADY, 0, 0.004, true),
                new Figure(Metric.QPS, Math.max(minEffect, MODERATE), NOISY, -1, 0.01, true),
                new Figure(Metric.P50, Math.max(minEffect, MODERATE), NOISY, 1, 0.02, true),
                new Figure(Metric.P99, Math.max(minEffect, ROUGH), NOISY, 1, 0.05, false),
                new Figure(Metric.GC, Math.max(minEffect, ROUGH), NOISY, 1, 0.05, false));
    }

    /// What it would be on a machine whose loop takes 1 ns, on the log scale.
    double log(double value, double machineNs) {
        return Math.log(value) - machine * Math.log(machineNs);
    }
}
