package dev.jdyno.observe.host;

import dev.jdyno.observe.probe.Probe;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.cgroup.ControlMounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Number of cores that the target may use: the minimum of the machine's cores, its affinity mask,
/// and the CPU quota of its cgroup and of every cgroup above (v1 `cpu.cfs_quota_us`, v2 `cpu.max`).
/// Also the time for which that quota stopped it.
public final class CpuLimits implements Probe {
    private final ProcFs proc;
    private final long pid;
    private final List<Path> groups;
    private final boolean v2;

    /// Totals of one group's `cpu.stat`.
    ///
    /// @param periods enforcement periods in which the group wanted to run
    /// @param throttled number of these periods in which the quota stopped it
    /// @param nanos time for which it was stopped, summed over the cores
    public record Throttling(long periods, long throttled, long nanos) {
        public static final Throttling NONE = new Throttling(0, 0, 0);

        Throttling since(Throttling before) {
            return new Throttling(
                    Math.max(0, periods - before.periods),
                    Math.max(0, throttled - before.throttled),
                    Math.max(0, nanos - before.nanos));
        }

        /// Share of the periods in which the quota stopped it, however briefly, in percent.
        public double periodsPct() {
            return periods <= 0 ? 0 : 100.0 * throttled / periods;
        }

        /// Share of the demanded core time that the quota refused, in percent. A share of the time
        /// of all cores would be small on a machine with many cores, even with a stop in each
        /// period.
        ///
        /// @param usedCoreSeconds core time that the group used
        public double refusedPct(double usedCoreSeconds) {
            double refused = nanos / 1e9;
            return refused <= 0 ? 0 : 100 * refused / (refused + usedCoreSeconds);
        }
    }

    private CpuLimits(ProcFs proc, long pid, List<Path> groups, boolean v2) {
        this.proc = proc;
        this.pid = pid;
        this.groups = groups;
        this.v2 = v2;
    }

    public static CpuLimits of(ProcFs proc, long pid) {
        ControlMounts mounts = ControlMounts.of(proc);
        String own = proc.text(pid, "cgroup").orElse("");
        Optional<Path> cpu = Optional.ofNullable(mounts.controllers().get("cpu"));
        Optional<String> group = ControlMounts.group(own, "cpu");
        if (cpu.isPresent() && group.isPresent()) {
            return new CpuLimits(proc, pid, chain(cpu.get(), group.get()), false);
        }
        return mounts.unified()
                .map(m -> chain(m, ControlMounts.group(own).orElse("/")))
                .map(groups -> new CpuLimits(proc, pid, groups, true))
                .orElseGet(() -> new CpuLimits(proc, pid, List.of(), true));
    }

    /// The group's folder and every folder above it up to the mount point.
    private static List<Path> chain(Path mount, String group) {
        List<Path> chain = new ArrayList<>();
        Path at = mount.resolve(group.replaceFirst("^/+", "")).normalize();
        while (at != null && at.startsWith(mount)) {
            if (Files.isDirectory(at)) {
                chain.add(at);
            }
            at = at.getParent();
        }
        return chain;
    }

    /// Cores that the target may use at present.
    public double availableCores() {
        double cores = affinity().cardinality();
        for (Path group : groups) {
            cores = Math.min(cores, quotaCores(group));
        }
        return cores;
    }

    /// The numbers of the CPUs on which the target may run.
    BitSet affinity() {
        return proc.status(pid, "Cpus_allowed_list")
                .map(CpuLimits::cpuList)
                .orElseGet(() -> {
                    var all = new BitSet();
                    all.set(0, Runtime.getRuntime().availableProcessors());
                    return all;
                });
    }

    /// `0-3,8` is 0, 1, 2, 3 and 8.
    public static BitSet cpuList(String list) {
        var cpus = new BitSet();
        for (String part : list.split(",")) {
            String[] ends = part.trim().split("-");
            cpus.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
        }
        return cpus;
    }

    private double quotaCores(Path group) {
        if (v2) {
            // 50000 100000   or   max 100000
            return ProcFs.text(group.resolve("cpu.max"))
                    .map(t -> t.trim().split(" "))
                    .filter(t -> !t[0].equals("max"))
                    .map(t -> Double.parseDouble(t[0]) / Double.parseDouble(t[1]))
                    .orElse(Double.POSITIVE_INFINITY);
        }
        double quota = number(group.resolve("cpu.cfs_quota_us")).orElse(-1.0);
        double period = number(group.resolve("cpu.cfs_period_us")).orElse(100_000.0);
        return quota > 0 ? quota / period : Double.POSITIVE_INFINITY;
    }

    private static Optional<Double> number(Path file) {
        return ProcFs.text(file).map(t -> Double.parseDouble(t.trim()));
    }

    /// Totals so far, for each group from the target's own upwards. Each group has its own quota
    /// and counts from its own beginning.
    public List<Throttling> throttling() {
        return groups.stream()
                .map(group ->
                        ProcFs.text(group.resolve("cpu.stat"))
                                .map(this::throttling)
                                .orElse(Throttling.NONE))
                .toList();
    }

    private Throttling throttling(String stat) {
        return new Throttling(
                field(stat, "nr_periods"),
                field(stat, "nr_throttled"),
                v2 ? 1000 * field(stat, "throttled_usec") : field(stat, "throttled_time"));
    }

    /// The throttling of the group that was stopped longest between two readings.
    public static Throttling worst(List<Throttling> from, List<Throttling> to) {
        Throttling worst = Throttling.NONE;
        for (int i = 0; i < Math.min(from.size(), to.size()); i++) {
            Throttling here = to.get(i).since(from.get(i));
            if (here.nanos() > worst.nanos()) {
                worst = here;
            }
        }
        return worst;
    }

    private static long field(String stat, String key) {
        return stat.lines()
                .filter(l -> l.startsWith(key + " "))
                .map(l -> Long.parseLong(l.substring(key.length() + 1).trim()))
                .findFirst()
                .orElse(0L);
    }

    @Override
    public Sheet sheet() {
        return new Sheet("cgroup", "readable /sys/fs/cgroup", "three small reads a second");
    }

    @Override
    public Optional<String> missing() {
        return groups.isEmpty()
                ? Optional.of("no CPU controller is mounted here, so no quota can be seen")
                : Optional.empty();
    }
}
