package dev.jdyno.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Use of the machine's CPU between two samples. A share is a quotient of two numbers of ticks, so
/// the length of a tick does not matter.
///
/// @param cpus cores of the machine; 0 when it is unknown
/// @param stealPct share of the CPU time that the hypervisor gave to other machines, in percent
/// @param otherCores CPU of every other process, short-lived ones included, in cores
/// @param busiest the other processes that used most CPU, at most three
record CpuWindow(int cpus, double stealPct, double otherCores, List<Busy> busiest) {
    /// Minimum CPU use of a process for it to be named, in cores. Lower values are noise.
    private static final double WORTH_NAMING = 0.02;

    private static final int MAX_NAMED = 3;

    record Busy(long pid, String name, double cores) {}

    CpuWindow {
        busiest = List.copyOf(busiest);
    }

    /// The window if the machine has no CPU counters.
    static final CpuWindow UNSEEN = new CpuWindow(0, 0, 0, List.of());

    static CpuWindow between(Optional<CpuSample> before, Optional<CpuSample> after, long self) {
        if (before.isEmpty() || after.isEmpty()) {
            return UNSEEN;
        }
        CpuSample a = before.get();
        CpuSample b = after.get();
        double ticks = b.total() - a.total();
        if (ticks <= 0) {
            return UNSEEN;
        }
        double perCore = ticks / b.cpus();
        double stolen = b.stolen() - a.stolen();
        double busy = ticks - (b.idle() - a.idle()) - stolen;
        var used =
                b.processes().entrySet().stream()
                        .map(e ->
                                new Busy(
                                        e.getKey(),
                                        e.getValue().name(),
                                        delta(a, b, e.getKey()) / perCore))
                        .toList();
        double own = used.stream().filter(u -> u.pid() == self).mapToDouble(Busy::cores).sum();
        var busiest =
                used.stream()
                        .filter(u -> u.pid() != self && u.cores() >= WORTH_NAMING)
                        .sorted(Comparator.comparingDouble(Busy::cores).reversed())
                        .limit(MAX_NAMED)
                        .toList();
        return new CpuWindow(
                b.cpus(), stolen / ticks * 100, Math.max(0, busy / perCore - own), busiest);
    }

    private static double delta(CpuSample a, CpuSample b, Long pid) {
        var before = a.processes().get(pid);
        var after = b.processes().get(pid);
        if (after == null) {
            return 0;
        }
        return after.ticks() - (before == null ? 0 : before.ticks());
    }

    boolean seen() {
        return cpus > 0;
    }
}
