package dev.jdyno.measure;

import java.util.List;

/// Where the machine's CPU went in one round.
///
/// @param processCores CPU of the target and of the processes that it started, in cores
/// @param systemCores the kernel's part of the target's own CPU, without the processes that it
///   started, in cores
/// @param clientCores CPU of jdyno itself, in cores
/// @param otherCores CPU of every other process, in cores, except processes that the target started
/// @param availableCores cores that the target may use: the minimum of machine, affinity and cgroup
///   quota
/// @param leftCores part of `availableCores` that other processes left to the target and the
///   processes that it started. CPU use on cores that the target may not use takes nothing from it,
///   nor does CPU use above its quota.
/// @param machinePct busy share of the whole machine, in percent (steal not included)
/// @param stealPct share taken by the hypervisor, in percent
/// @param throttledPct share of the core time demanded by the target that its cgroup's quota
///   refused, in percent
/// @param throttledPeriodsPct share of the quota's periods with at least a short stop of the target
///   by the quota, in percent
/// @param neighbours the other processes that used most CPU, the largest first; empty if none used
///   much, or they were not read
/// @param children the programs that the target started, with their parts of `processCores`, the
///   largest first; empty if it started none, or they were not read
public record CpuUse(
        double processCores,
        double systemCores,
        double clientCores,
        double otherCores,
        double availableCores,
        double leftCores,
        double machinePct,
        double stealPct,
        double throttledPct,
        double throttledPeriodsPct,
        List<Neighbour> neighbours,
        List<ChildProgram> children) {
    public CpuUse {
        neighbours = List.copyOf(neighbours);
        children = List.copyOf(children);
    }

    /// CPU use of a target that may run on every core of the machine: all CPU used by other
    /// processes is taken from it. The quota is assumed to stop the target in every period or in no
    /// period.
    public static CpuUse ofWholeMachine(
            double processCores,
            double systemCores,
            double clientCores,
            double otherCores,
            double availableCores,
            double machinePct,
            double stealPct,
            double throttledPct) {
        return new CpuUse(
                processCores,
                systemCores,
                clientCores,
                otherCores,
                availableCores,
                availableCores - clientCores - otherCores,
                machinePct,
                stealPct,
                throttledPct,
                throttledPct > 0 ? 100 : 0,
                List.of(),
                List.of());
    }

    /// CPU of the processes that the target started, in cores: a part of `processCores`.
    public double childCores() {
        return children.stream().mapToDouble(ChildProgram::cores).sum();
    }

    /// CPU of the target itself, without the processes that it started, in cores.
    public double ownCores() {
        return Math.max(0, processCores - childCores());
    }

    /// The cores available to the target. They are the cores it may use minus the cores that the
    /// client, other processes and the hypervisor took. The minimum is the CPU that the target
    /// used. Every statement on "available cores" uses this figure.
    public double coresForTarget() {
        return Math.max(processCores, leftCores - stealPct / 100 * availableCores);
    }

    /// The cores that the target may use at all, whatever other processes take of them. The minimum
    /// is {@link #coresForTarget}, because a target can use more than its quota for a short time.
    public double usableCores() {
        return Math.max(availableCores, coresForTarget());
    }

    /// Share of the cores available to the target that it used. At 1 the target used all of them.
    public double utilisation() {
        double cores = coresForTarget();
        return cores <= 0 ? 0 : processCores / cores;
    }

    /// True if the CPU is saturated: the target used all, or nearly all, of the cores available to
    /// it.
    public boolean isSaturated() {
        return utilisation() >= Saturation.CPU_SATURATED;
    }

    /// Cores that other processes took from the cores that the target may use, without the client's
    /// and the hypervisor's part. A process that the target started takes none.
    public double takenByOthers() {
        double foreign = clientCores + otherCores;
        return foreign <= 0
                ? 0
                : Math.min(
                        otherCores,
                        Math.max(0, availableCores - leftCores) * (otherCores / foreign));
    }

    /// Cores that the client took from the cores that the target may use.
    public double takenByClient() {
        return Math.clamp(availableCores - leftCores - takenByOthers(), 0, clientCores);
    }

    /// Share of the cores that the target may use that other processes and the hypervisor (steal)
    /// took.
    public double heldByOthers() {
        return availableCores <= 0 ? 0 : takenByOthers() / availableCores + stealPct / 100;
    }
}
