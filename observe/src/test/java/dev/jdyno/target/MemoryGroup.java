package dev.jdyno.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A control group of version 1 or 2 with a memory limit, for tests. It is removed when no process
/// is left in it.
public record MemoryGroup(Path folder) implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    /// True if this process is root and the memory controller can be written.
    public static boolean canBeMade() {
        return Files.isWritable(parent())
                && (Files.exists(parent().resolve("memory.limit_in_bytes"))
                        || ProcFs.text(parent().resolve("cgroup.subtree_control"))
                                .filter(t -> t.contains("memory"))
                                .isPresent());
    }

    private static Path parent() {
        Path own = ROOT.resolve("memory");
        return Files.isDirectory(own) ? own : ROOT;
    }

    public static MemoryGroup limitedTo(int mebibytes) throws IOException {
        Path folder =
                Files.createDirectory(
                        parent().resolve("jdyno-test-" + ProcessHandle.current().pid()));
        boolean first = Files.exists(folder.resolve("memory.limit_in_bytes"));
        long bytes = (long) mebibytes << 20;
        Files.writeString(
                folder.resolve(first ? "memory.limit_in_bytes" : "memory.max"),
                Long.toString(bytes));
        return new MemoryGroup(folder);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(folder);
    }
}
