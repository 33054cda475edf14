package dev.jdyno.measure;

/// Where the machine's CPU went in one round.
///
/// @param processCores CPU of the target, in cores
/// @param systemCores the kernel's part of `processCores`
/// @param clientCores CPU of jdyno itself, in cores
/// @param otherCores CPU of every other process, in cores
/// @param availableCores what the target may use: the least of machine, affinity and cgroup quota
/// @param machinePct busy share of the whole machine, in percent (steal not included)
/// @param stealPct share taken by the hypervisor, in percent
/// @param throttledPct share of the round in which the cgroup's quota stopped the target
public record CpuUse(
        double processCores,
        double systemCores,
        double clientCores,
        double otherCores,
        double availableCores,
        double machinePct,
        double stealPct,
        double throttledPct) {

    /// Share of the cores that were left to the target which it used: 1 means it had no more to
    /// take. Cores that the client or others held are not the target's to use.
    public double utilisation() {
        double left = Math.max(processCores, availableCores - clientCores - otherCores);
        return left <= 0 ? 0 : processCores / left;
    }
}
