package dev.jdyno.capacity;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Quantiles;
import java.util.ArrayList;
import java.util.List;

/// The cores a target can get when client, downstream and whatever else run beside it.
///
/// What the others take is a constant part (they run anyway) and a part per request (the load
/// client, a downstream on the same machine): both are needed, because at the knee the second has
/// grown with the throughput.
///
/// @param availableCores what the target may use at most (affinity, cgroup quota)
/// @param freeCores cores of the machine less steal and the others' constant part
/// @param othersMs CPU that client and others spend per request
record CpuSupply(double availableCores, double freeCores, double othersMs) {
    /// The others' constant part needs rounds whose throughputs are at least this far apart.
    private static final double SPREAD = 1.5;

    /// Some of the machine is always available to the target, however noisy the others were.
    private static final double LEAST_FREE_SHARE = 0.05;

    /// @param rounds rounds that saw CPU, at least one
    static CpuSupply of(double machineCores, List<Round> rounds) {
        double[] qps = rounds.stream().mapToDouble(Round::qps).toArray();
        double[] others = rounds.stream().mapToDouble(CpuSupply::othersCores).toArray();
        double perRequest = slope(qps, others);
        double constant = constant(qps, others, perRequest);
        double steal = median(rounds.stream().mapToDouble(r -> cpu(r).stealPct() / 100).toArray());
        double free = machineCores * (1 - steal) - constant;
        return new CpuSupply(
                median(rounds.stream().mapToDouble(r -> cpu(r).availableCores()).toArray()),
                Math.max(machineCores * LEAST_FREE_SHARE, free),
                perRequest * 1000);
    }

    /// The throughput at which CPU is saturated when the target needs `ms` of it per request: its
    /// own cores are full, or the machine is.
    double maxQps(double ms) {
        return Math.min(availableCores / ms, freeCores / (ms + othersMs)) * 1000;
    }

    /// P, the cores available to the target at that throughput.
    double coresLeft(double ms) {
        return maxQps(ms) * ms / 1000;
    }

    CpuSupply times(double factor) {
        return new CpuSupply(availableCores * factor, freeCores * factor, othersMs);
    }

    private static double othersCores(Round r) {
        return cpu(r).clientCores() + cpu(r).otherCores();
    }

    private static CpuUse cpu(Round r) {
        return r.cpu().orElseThrow();
    }

    /// The median of the slopes between all pairs (Theil 1950, Sen 1968): a burst of foreign CPU in
    /// one round does not bend it.
    private static double slope(double[] x, double[] y) {
        List<Double> slopes = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < x.length; j++) {
                if (x[j] > x[i] * SPREAD) {
                    slopes.add((y[j] - y[i]) / (x[j] - x[i]));
                }
            }
        }
        double atMost = Double.POSITIVE_INFINITY;
        for (int i = 0; i < x.length; i++) {
            atMost = Math.min(atMost, y[i] / x[i]);
        }
        return slopes.isEmpty()
                ? atMost
                : Math.clamp(
                        median(slopes.stream().mapToDouble(s -> s).toArray()),
                        0,
                        medianRatio(x, y));
    }

    private static double medianRatio(double[] x, double[] y) {
        double[] ratios = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            ratios[i] = y[i] / x[i];
        }
        return median(ratios);
    }

    private static double constant(double[] x, double[] y, double slope) {
        double[] rest = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            rest[i] = Math.max(0, y[i] - slope * x[i]);
        }
        return median(rest);
    }

    private static double median(double[] values) {
        return Quantiles.median(values);
    }
}
