package dev.jdyno.observe;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A disk of a known size in memory, for tests. The test is skipped if it may not mount one.
public record SmallDisk(Path folder) implements AutoCloseable {
    public static SmallDisk mount(Path folder, String size)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int code = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
        assumeTrue(code == 0, "a file system can be mounted");
        return new SmallDisk(folder);
    }

    /// Creates a JDK whose JVMs have such a disk, as in a container. Other processes do not see the
    /// mount.
    ///
    /// @param home folder in which the JDK is created
    public static Path ownedByJvmsOf(Path jdk, Path home, Path folder, String size)
            throws IOException, InterruptedException {
        assumeTrue(run("unshare", "-m", "true") == 0, "a process may get mounts of its own");
        Files.createDirectories(folder);
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(
                java,
                """
                #!/bin/sh
                exec unshare -m sh -c 'mount -t tmpfs -o size=%s tmpfs %s && exec "$@"' sh %s/bin/java "$@"
                """
                        .formatted(size, folder, jdk));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    public void resize(String size) throws IOException, InterruptedException {
        int code = run("mount", "-o", "remount,size=" + size, folder.toString());
        if (code != 0) {
            throw new IOException("not resized: " + folder);
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", "-l", folder.toString());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
