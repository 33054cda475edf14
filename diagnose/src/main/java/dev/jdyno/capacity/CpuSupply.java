package dev.jdyno.capacity;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.statistics.ProportionalPart;
import java.util.List;

/// The cores available to the target at its saturation ({@link CpuUse#coresForTarget}). They are
/// measured if the target saturated them, otherwise extrapolated to the throughput that would.
///
/// Client, downstream and other processes use a constant part (they run anyway) and a part per
/// request (the load client, a downstream on the same machine). The second part grows with
/// throughput.
///
/// @param concurrency of the round in which it used the largest share of the cores
/// @param mayUseCores maximum that the target may use (affinity, cgroup quota)
/// @param cores cores available to it in that round
/// @param utilisation share of these cores that it used
/// @param freeCores cores available to it without its quota
/// @param qps throughput of that round
/// @param othersMs CPU of client and other processes per request
record CpuSupply(
        int concurrency,
        double mayUseCores,
        double cores,
        double utilisation,
        double freeCores,
        double qps,
        double othersMs) {
    /// Minimum ratio of the throughputs of two rounds for the others' part per request to be known.
    private static final double SPREAD = 1.5;

    /// Minimum share of the machine that is always available to the target, however much the others
    /// use.
    private static final double MIN_FREE_SHARE = 0.05;

    /// @param rounds rounds with measured CPU, at least one
    static CpuSupply of(double machineCores, List<Round> rounds) {
        Round fullest = Saturation.of(rounds).flatMap(Saturation::fullest).orElseThrow();
        double[] qps = rounds.stream().mapToDouble(Round::qps).toArray();
        double[] taken =
                rounds.stream()
                        .mapToDouble(r -> Math.max(0, machineCores - freeCores(r, machineCores)))
                        .toArray();
        // a process that works for no request only adds to what the others take
        var others = ProportionalPart.of(qps, taken, SPREAD);
        return new CpuSupply(
                fullest.concurrency(),
                cpu(fullest).availableCores(),
                cpu(fullest).coresForTarget(),
                cpu(fullest).utilisation(),
                freeCores(fullest, machineCores),
                fullest.qps(),
                others.slope().orElse(others.leastRatio()) * 1000);
    }

    /// True if the target used all cores available to it.
    boolean isSaturated() {
        return utilisation >= Saturation.CPU_SATURATED;
    }

    /// F2: the throughput at which CPU is saturated if the target needs `ms` of it per request.
    double maxQps(double ms) {
        return isSaturated() ? cores / ms * 1000 : Math.min(byOwnCores(ms), byMachine(ms));
    }

    /// P, the cores available to the target at that throughput.
    double coresLeft(double ms) {
        return maxQps(ms) * ms / 1000;
    }

    /// True if the quota or affinity of the target limits before the machine does. Then CPU per
    /// request of other processes takes no cores from the target.
    boolean ownCoresFirst(double ms) {
        return byOwnCores(ms) < byMachine(ms);
    }

    private double byOwnCores(double ms) {
        return mayUseCores / ms * 1000;
    }

    private double byMachine(double ms) {
        return (freeCores * 1000 + othersMs * qps) / (ms + othersMs);
    }

    /// Returns the cores that other processes and the hypervisor left on the machine. If only the
    /// target's quota or affinity limits it, its own figures do not show what the others use.
    private static double freeCores(Round r, double machineCores) {
        CpuUse cpu = cpu(r);
        double others = cpu.clientCores() + cpu.otherCores();
        double free =
                cpu.leftCores() < cpu.availableCores()
                        ? cpu.coresForTarget()
                        : Math.max(
                                cpu.coresForTarget(),
                                machineCores * (1 - cpu.stealPct() / 100) - others);
        return Math.max(machineCores * MIN_FREE_SHARE, free);
    }

    private static CpuUse cpu(Round r) {
        return r.cpu().orElseThrow();
    }
}
