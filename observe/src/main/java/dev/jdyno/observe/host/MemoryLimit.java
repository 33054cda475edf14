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

    static Optional<Bytes> of(ProcFs proc, Path mount, long pid) {
        long least = NONE;
        for (String line : proc.text(pid, "cgroup").orElse("").lines().toList()) {
            // 0::/system.slice/app.service   or   9:memory:/docker/ab12
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                least = Math.min(least, least(mount, parts[2], "memory.max"));
            } else if (parts.length == 3 && parts[1].equals("memory")) {
                Path controller = mount.resolve("memory");
                least = Math.min(least, least(controller, parts[2], "memory.limit_in_bytes"));
            }
        }
        return least < NONE ? Optional.of(new Bytes(least)) : Optional.empty();
    }

    /// The lowest limit from the group up to the mount point.
    private static long least(Path mount, String group, String file) {
        long least = NONE;
        for (Path at : upwards(mount, group)) {
            String text = ProcFs.text(at.resolve(file)).orElse("max").trim();
            if (text.matches("\\d{1,18}")) {
                least = Math.min(least, Long.parseLong(text));
            }
        }
        return least;
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
