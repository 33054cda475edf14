package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A separate cgroup of version 1 or 2 for this process, which leaves and removes it at the end.
///
/// A killed process leaves the empty group behind. The group uses no resources, and its name has
/// the process id.
record Cgroup(Path group) implements Closeable {
    private static final long PERIOD_MICROS = 100_000;

    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    /// @param percent CPU limit in per cent of one core
    static Cgroup limitedTo(int percent) {
        long quotaMicros = PERIOD_MICROS * percent / 100;
        return limited(
                "cpu",
                Map.of("cpu.cfs_period_us", PERIOD_MICROS, "cpu.cfs_quota_us", quotaMicros),
                Map.of("cpu.max", quotaMicros + " " + PERIOD_MICROS));
    }

    /// Limits the memory that this process allocates from now on, including file pages. Memory that
    /// it already has still counts in its former group.
    static Cgroup memoryLimitedTo(int megabytes) {
        long bytes = (long) megabytes << 20;
        return limited(
                "memory", Map.of("memory.limit_in_bytes", bytes), Map.of("memory.max", "" + bytes));
    }

    /// @param version1 values by file, if the controller has its own hierarchy
    /// @param version2 values by file, for the single hierarchy of version 2
    private static Cgroup limited(
            String controller, Map<String, Long> version1, Map<String, String> version2) {
        Path own = ROOT.resolve(controller);
        Path parent = Files.isDirectory(own) ? own : ROOT;
        Path group = parent.resolve("jdyno-lab-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(group);
            for (var e : (parent.equals(own) ? version1 : version2).entrySet()) {
                write(group.resolve(e.getKey()), "" + e.getValue());
            }
            write(group.resolve("cgroup.procs"), "" + ProcessHandle.current().pid());
            return new Cgroup(group);
        } catch (IOException e) {
            throw new CannotStart(
                    "cannot limit the " + controller + " of this process",
                    e.toString(),
                    "start it as root where " + parent + " can be written");
        }
    }

    /// Moves the process to the parent group, then removes this group.
    @Override
    public void close() throws IOException {
        Path above = group.resolveSibling("cgroup.procs");
        write(above, "" + ProcessHandle.current().pid());
        Files.deleteIfExists(group);
    }

    private static void write(Path file, String value) throws IOException {
        Files.writeString(file, value);
    }
}
