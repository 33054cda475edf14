package dev.jdyno.observe.host;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Memory limit of a process, by its cgroup and every cgroup above (v2 `memory.max`, v1
/// `memory.limit_in_bytes`).
public final class MemoryLimit {
    static final Path MOUNT = Path.of("/sys/fs/cgroup");

    /// Smallest value that means no limit. It is less than the value of v1 for no limit, and more
    /// than the memory of any machine.
    private static final long NONE = 1L << 60;

    private MemoryLimit() {}

    /// The limit; empty when there is none, or nothing can be read.
    public static Optional<Bytes> of(long pid) {
        return of(ProcFs.SYSTEM, MOUNT, pid);
    }

    /// What is left of the limit for this process and those that it starts: of each group the limit
    /// without its use, to which file pages that the kernel can drop do not count. Empty if there
    /// is no limit, or nothing can be read.
    public static Optional<Bytes> left(long pid) {
        return left(ProcFs.SYSTEM, MOUNT, pid);
    }

    static Optional<Bytes> of(ProcFs proc, Path mount, long pid) {
        return least(proc, mount, pid, false);
    }

    static Optional<Bytes> left(ProcFs proc, Path mount, long pid) {
        return least(proc, mount, pid, true);
    }

    private static Optional<Bytes> least(ProcFs proc, Path mount, long pid, boolean left) {
        long least = NONE;
        for (String line : proc.text(pid, "cgroup").orElse("").lines().toList()) {
            // 0::/system.slice/app.service   or   9:memory:/docker/ab12
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                least = Math.min(least, least(mount, parts[2], Files.V2, left));
            } else if (parts.length == 3 && parts[1].equals("memory")) {
                Path controller = mount.resolve("memory");
                least = Math.min(least, least(controller, parts[2], Files.V1, left));
            }
        }
        return least < NONE ? Optional.of(new Bytes(least)) : Optional.empty();
    }

    /// The files of a memory group.
    ///
    /// @param inactive key of `memory.stat` for file pages that can be dropped
    private record Files(String limit, String use, String inactive) {
        static final Files V2 = new Files("memory.max", "memory.current", "inactive_file");
        static final Files V1 =
                new Files("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");

        /// Bytes in use that cannot be dropped; 0 if the use cannot be read.
        long used(Path group) {
            long dropped =
                    ProcFs.text(group.resolve("memory.stat"))
                            .orElse("")
                            .lines()
                            .filter(l -> l.startsWith(inactive + " "))
                            .mapToLong(l -> number(l.substring(inactive.length())))
                            .filter(n -> n < NONE)
                            .findFirst()
                            .orElse(0);
            long all = number(ProcFs.text(group.resolve(use)).orElse("0"));
            return all >= NONE ? 0 : Math.max(0, all - dropped);
        }
    }

    /// The lowest limit from the group up to the mount point, or the least that is left of one.
    private static long least(Path mount, String group, Files files, boolean left) {
        long least = NONE;
        for (Path at : upwards(mount, group)) {
            long limit = number(ProcFs.text(at.resolve(files.limit())).orElse("max"));
            if (limit < NONE) {
                least = Math.min(least, left ? Math.max(0, limit - files.used(at)) : limit);
            }
        }
        return least;
    }

    private static long number(String text) {
        String digits = text.trim();
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : NONE;
    }

    /// The folders of a group and of all groups above it, up to the mount point; empty for a path
    /// that leads out of it.
    static List<Path> upwards(Path mount, String group) {
        List<Path> all = new ArrayList<>();
        Path at = mount.resolve(group.replaceFirst("^/+", "")).normalize();
        while (at != null && at.startsWith(mount)) {
            all.add(at);
            at = at.getParent();
        }
        return all;
    }
}
