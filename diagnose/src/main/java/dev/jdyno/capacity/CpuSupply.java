package dev.jdyno.capacity;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.statistics.TheilSen;
import java.util.List;
import java.util.OptionalDouble;

/// The cores available to the target at its saturation ({@link CpuUse#coresForTarget}): measured
/// where it used them up, else what they would be if more throughput used them up.
///
/// What client, downstream and other processes take is a constant part (they run anyway) and a part
/// per request (the load client, a downstream on the same machine): with more throughput the second
/// grows.
///
/// @param mayUseCores what the target may use at most (affinity, cgroup quota)
/// @param cores available to it in the round in which it used most of them
/// @param utilisation share of these that it used
/// @param freeCores the same without its quota
/// @param qps throughput of that round
/// @param othersMs CPU that client and others spend per request
record CpuSupply(
        double mayUseCores,
        double cores,
        double utilisation,
        double freeCores,
        double qps,
        double othersMs) {
    /// The others' part per request needs rounds whose throughputs are at least this far apart.
    private static final double SPREAD = 1.5;

    /// Some of the machine is always available to the target, however noisy the others were.
    private static final double LEAST_FREE_SHARE = 0.05;

    /// @param rounds rounds that saw CPU, at least one
    static CpuSupply of(double machineCores, List<Round> rounds) {
        Round fullest = Saturation.of(rounds).flatMap(Saturation::fullest).orElseThrow();
        double[] qps = rounds.stream().mapToDouble(Round::qps).toArray();
        double[] taken =
                rounds.stream()
                        .mapToDouble(r -> Math.max(0, machineCores - freeCores(r, machineCores)))
                        .toArray();
        return new CpuSupply(
                cpu(fullest).availableCores(),
                cpu(fullest).coresForTarget(),
                cpu(fullest).utilisation(),
                freeCores(fullest, machineCores),
                fullest.qps(),
                slope(qps, taken) * 1000);
    }

    /// Whether the target used up what was available to it.
    boolean isUsedUp() {
        return utilisation >= Saturation.CPU_USED_UP;
    }

    /// F2: the throughput at which CPU is saturated when the target needs `ms` of it per request.
    double maxQps(double ms) {
        return isUsedUp() ? cores / ms * 1000 : Math.min(byOwnCores(ms), byMachine(ms));
    }

    /// P, the cores available to the target at that throughput.
    double coresLeft(double ms) {
        return maxQps(ms) * ms / 1000;
    }

    /// Whether its quota or affinity ends before the machine: what others spend per request takes
    /// nothing from it.
    boolean ownCoresFirst(double ms) {
        return byOwnCores(ms) < byMachine(ms);
    }

    private double byOwnCores(double ms) {
        return mayUseCores / ms * 1000;
    }

    private double byMachine(double ms) {
        return (freeCores * 1000 + othersMs * qps) / (ms + othersMs);
    }

    /// Cores that others and hypervisor left on the machine. Where the target's quota or affinity
    /// alone bounds what was left to it, its own account says nothing of the others.
    private static double freeCores(Round r, double machineCores) {
        CpuUse cpu = cpu(r);
        double others = cpu.clientCores() + cpu.otherCores();
        double free =
                cpu.leftCores() < cpu.availableCores()
                        ? cpu.coresForTarget()
                        : Math.max(
                                cpu.coresForTarget(),
                                machineCores * (1 - cpu.stealPct() / 100) - others);
        return Math.max(machineCores * LEAST_FREE_SHARE, free);
    }

    private static CpuUse cpu(Round r) {
        return r.cpu().orElseThrow();
    }

    /// A burst of foreign CPU in one round does not bend it.
    private static double slope(double[] x, double[] y) {
        OptionalDouble slope = TheilSen.slope(x, y, SPREAD);
        double atMost = Double.POSITIVE_INFINITY;
        for (int i = 0; i < x.length; i++) {
            atMost = Math.min(atMost, y[i] / x[i]);
        }
        return slope.isEmpty() ? atMost : Math.clamp(slope.getAsDouble(), 0, medianRatio(x, y));
    }

    private static double medianRatio(double[] x, double[] y) {
        double[] ratios = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            ratios[i] = y[i] / x[i];
        }
        return Quantiles.median(ratios);
    }
}
