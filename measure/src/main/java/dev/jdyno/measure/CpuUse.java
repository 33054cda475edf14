package dev.jdyno.measure;

import java.util.List;

/// Where the machine's CPU went in one round.
///
/// @param processCores CPU of the target, in cores
/// @param systemCores the kernel's part of `processCores`
/// @param clientCores CPU of jdyno itself, in cores
/// @param otherCores CPU of every other process, in cores, without those that the target started
/// @param availableCores what the target may use: the least of machine, affinity and cgroup quota
/// @param leftCores what of that others and its own children left to it: their use of cores that it
///   may not run on, or that its quota would not let it have, takes nothing from it
/// @param machinePct busy share of the whole machine, in percent (steal not included)
/// @param stealPct share taken by the hypervisor, in percent
/// @param throttledPct share of the core time that the target wanted which its cgroup's quota
///   refused it
/// @param throttledPeriodsPct share of the quota's periods in which it did so, however short
/// @param neighbours the other processes that used most, the largest first; empty where none used
///   much, or they were not read
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
        List<Neighbour> neighbours) {
    public CpuUse {
        neighbours = List.copyOf(neighbours);
    }

    /// Of a target that may run on every core of the machine: whatever others use is taken from it.
    /// The quota stops it in each period or never.
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
                List.of());
    }

    /// The cores available to the target: what client, other processes and the hypervisor left of
    /// those that it may use, and no fewer than it used. Every statement on "available cores" is on
    /// these.
    public double coresForTarget() {
        return Math.max(processCores, leftCores - stealPct / 100 * availableCores);
    }

    /// Share of the cores available to the target which it used: 1 means it had no more to take.
    public double utilisation() {
        double cores = coresForTarget();
        return cores <= 0 ? 0 : processCores / cores;
    }

    /// Whether the target used up the cores available to it.
    public boolean isUsedUp() {
        return utilisation() >= Saturation.CPU_USED_UP;
    }

    /// Cores that other processes took from those that the target may use, the client's part and
    /// the hypervisor's left out. The rest of what is not left is of the target's own children.
    public double takenByOthers() {
        double foreign = clientCores + otherCores;
        return foreign <= 0
                ? 0
                : Math.min(
                        otherCores,
                        Math.max(0, availableCores - leftCores) * (otherCores / foreign));
    }

    /// Cores that the client took from those that the target may use.
    public double takenByClient() {
        return Math.clamp(availableCores - leftCores - takenByOthers(), 0, clientCores);
    }

    /// Share of the cores that the target may use which other processes use, steal included.
    public double heldByOthers() {
        return availableCores <= 0 ? 0 : takenByOthers() / availableCores + stealPct / 100;
    }
}
