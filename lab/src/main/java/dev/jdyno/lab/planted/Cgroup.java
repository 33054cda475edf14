package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// This process in a cgroup of its own, of version 1 or 2, left and removed at the end.
///
/// A killed process leaves the empty group behind; it holds nothing and its name has the process's
/// id.
record Cgroup(Path group) implements Closeable {
    private static final int PERIOD_MICROS = 100_000;

    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    /// @param percent CPU time per time, a hundred being one core
    static Cgroup limitedTo(int percent) {
        long quotaMicros = (long) PERIOD_MICROS * percent / 100;
        Path version1 = ROOT.resolve("cpu");
        Path parent = Files.isDirectory(version1) ? version1 : ROOT;
        Path group = parent.resolve("jdyno-lab-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(group);
            if (parent.equals(version1)) {
                write(group.resolve("cpu.cfs_period_us"), "" + PERIOD_MICROS);
                write(group.resolve("cpu.cfs_quota_us"), "" + quotaMicros);
            } else {
                write(group.resolve("cpu.max"), quotaMicros + " " + PERIOD_MICROS);
            }
            write(group.resolve("cgroup.procs"), "" + ProcessHandle.current().pid());
            return new Cgroup(group);
        } catch (IOException e) {
            throw new CannotStart(
                    "cannot limit the CPU time of this process",
                    e.toString(),
                    "start it as root where " + parent + " can be written");
        }
    }

    /// Leaves for the group above, then removes the group.
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
