package dev.jdyno.observe.host;

import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.target.ProcFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Activity of each disk of the machine, from `/proc/diskstats`. The bytes of a process do not show
/// how long its reads and writes took, nor whether another process's requests were before them.
///
/// Only disks are counted. Partitions, loop and memory devices are left out. So are devices that
/// the kernel builds of other devices (device-mapper, RAID), because their work is counted on
/// those.
public final class DiskDevices implements Probe {
    private static final Path SYS = Path.of("/sys");

    /// The unit of `/proc/diskstats`, whatever the device's sector size.
    private static final int SECTOR_BYTES = 512;

    /// The kernel keeps milliseconds in 32 bits.
    private static final long MILLIS_WRAP = 1L << 32;

    /// Minimum number of columns of a line without flushes, and with them.
    private static final int COLUMNS = 14;

    private static final int COLUMNS_WITH_FLUSHES = 20;

    private final ProcFs proc;
    private final long pid;
    private final Path sys;

    public DiskDevices(ProcFs proc, long pid) {
        this(proc, pid, SYS);
    }

    /// @param sys mount point of the kernel's device tree
    public DiskDevices(ProcFs proc, long pid, Path sys) {
        this.proc = proc;
        this.pid = pid;
        this.sys = sys;
    }

    /// Running totals of one disk, by the kernel's names.
    ///
    /// @param busyMs time in which at least one operation was in progress
    /// @param waitedMs sum of the times of all operations in progress
    /// @param flushes number and time of flushes; empty if they are not counted
    public record Totals(
            long reads,
            long sectorsRead,
            long readMs,
            long writes,
            long sectorsWritten,
            long writeMs,
            long busyMs,
            long waitedMs,
            Optional<Flushed> flushes) {}

    record Flushed(long count, long ms) {}

    /// The totals by device; empty if the kernel does not provide them.
    public Map<String, Totals> read() {
        Map<String, Totals> disks = new LinkedHashMap<>();
        for (String line : proc.text("diskstats").orElse("").lines().toList()) {
            String[] f = line.trim().split("\\s+");
            if (f.length >= COLUMNS && isDisk(f[2])) {
                disks.put(f[2], totals(f));
            }
        }
        return disks;
    }

    // 254 0 vda 465894 40544 15288034 282034 79357 169696 21633488 51107 0 52244 342337
    //   125359 61 13934064 8813 10067 381
    private static Totals totals(String[] f) {
        return new Totals(
                Long.parseLong(f[3]),
                Long.parseLong(f[5]),
                Long.parseLong(f[6]),
                Long.parseLong(f[7]),
                Long.parseLong(f[9]),
                Long.parseLong(f[10]),
                Long.parseLong(f[12]),
                Long.parseLong(f[13]),
                f.length >= COLUMNS_WITH_FLUSHES
                        ? Optional.of(new Flushed(Long.parseLong(f[18]), Long.parseLong(f[19])))
                        : Optional.empty());
    }

    private boolean isDisk(String name) {
        return !name.matches("(loop|ram|zram|sr|fd)\\d+")
                && !Files.exists(classOf(name).resolve("partition"))
                && TargetDisks.madeOf(classOf(name)).isEmpty();
    }

    private Path classOf(String name) {
        // the kernel replaces a slash in a name (cciss/c0d0) by an exclamation mark
        return sys.resolve("class/block").resolve(name.replace('/', '!'));
    }

    /// Use between two readings of the disks with the target's files, and of all active disks. The
    /// busiest is first.
    public List<DiskUse> between(Map<String, Totals> from, Map<String, Totals> to, double seconds) {
        return seconds < Probe.SHORTEST_FOR_RATES_S
                ? List.of()
                : between(from, to, seconds, ofTarget());
    }

    /// The names of the disks with the target's files.
    Set<String> ofTarget() {
        return new TargetDisks(proc, pid, sys).names();
    }

    /// @param ofTarget names of the disks with the target's files
    List<DiskUse> between(
            Map<String, Totals> from,
            Map<String, Totals> to,
            double seconds,
            Set<String> ofTarget) {
        if (seconds < Probe.SHORTEST_FOR_RATES_S) {
            return List.of();
        }
        List<DiskUse> disks = new ArrayList<>();
        to.forEach((name, after) -> {
            Totals before = from.get(name);
            // fewer than before: another device now has the name
            if (before != null && after.reads() >= before.reads()) {
                DiskUse use = use(name, ofTarget.contains(name), before, after, seconds);
                if (use.ofTarget() || use.operationsPerS() > 0 || use.utilisation() > 0) {
                    disks.add(use);
                }
            }
        });
        disks.sort(
                Comparator.comparingDouble(DiskUse::utilisation)
                        .reversed()
                        .thenComparing(DiskUse::device));
        return disks;
    }

    private static DiskUse use(
            String name, boolean ofTarget, Totals before, Totals after, double seconds) {
        long reads = after.reads() - before.reads();
        long writes = after.writes() - before.writes();
        long ms =
                millis(before.readMs(), after.readMs()) + millis(before.writeMs(), after.writeMs());
        return new DiskUse(
                name,
                ofTarget,
                reads / seconds,
                writes / seconds,
                (double) (after.sectorsRead() - before.sectorsRead()) * SECTOR_BYTES / seconds,
                (double) (after.sectorsWritten() - before.sectorsWritten())
                        * SECTOR_BYTES
                        / seconds,
                Math.min(1, millis(before.busyMs(), after.busyMs()) / 1e3 / seconds),
                mean(ms, reads + writes),
                millis(before.waitedMs(), after.waitedMs()) / 1e3 / seconds,
                before.flushes().flatMap(b -> after.flushes().map(a -> flushes(b, a, seconds))));
    }

    private static DiskUse.Flushes flushes(Flushed before, Flushed after, double seconds) {
        long count = after.count() - before.count();
        return new DiskUse.Flushes(count / seconds, mean(millis(before.ms(), after.ms()), count));
    }

    private static Optional<Double> mean(long ms, long count) {
        return count <= 0 ? Optional.empty() : Optional.of(ms / (double) count);
    }

    private static long millis(long before, long after) {
        return after >= before ? after - before : after - before + MILLIS_WRAP;
    }

    @Override
    public Sheet sheet() {
        return new Sheet(
                "disks",
                "Linux /proc/diskstats; to find the disks with the target's files, its"
                        + " /proc/PID/mountinfo and /proc/PID/fd, which its own user and root"
                        + " may read",
                "one file read at both ends of a diagnostic window, and a look at the target's"
                        + " descriptors at its end; with --headroom, the file each 5 s and the"
                        + " descriptors each minute");
    }

    @Override
    public Optional<String> missing() {
        if (proc.text("diskstats").isEmpty()) {
            return Optional.of("/proc/diskstats cannot be read: no use of disks by device");
        }
        if (proc.text(pid, "mountinfo").isEmpty()) {
            return Optional.of(
                    "/proc/"
                            + pid
                            + "/mountinfo cannot be read: which disks hold the target's files is not"
                            + " known");
        }
        return Optional.empty();
    }
}
