package dev.jdyno.target.cgroup;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files of the control groups, and the end of the processes in them. The kernel gives a new
/// folder its files, and removes a folder with its files only if no process is in it; a test plays
/// the kernel.
interface ControlFiles {
    boolean isFolder(Path path);

    /// The text of a file; empty if it does not exist or cannot be read.
    Optional<String> read(Path file);

    /// Writes a file that exists.
    void write(Path file, String value) throws IOException;

    void make(Path folder) throws IOException;

    /// Removes a group without processes. Does nothing if there is no such folder.
    void remove(Path folder) throws IOException;

    /// The folders in a folder; none if it cannot be read.
    List<Path> folders(Path parent);

    /// Kills a process. Does nothing if it has ended. It leaves its group only some time later.
    void kill(long pid);

    ControlFiles SYSTEM =
            new ControlFiles() {
                @Override
                public boolean isFolder(Path path) {
                    return Files.isDirectory(path);
                }

                @Override
                public Optional<String> read(Path file) {
                    return ProcFs.text(file);
                }

                @Override
                public void write(Path file, String value) throws IOException {
                    Files.writeString(file, value, StandardOpenOption.WRITE);
                }

                @Override
                public void make(Path folder) throws IOException {
                    Files.createDirectory(folder);
                }

                @Override
                public void remove(Path folder) throws IOException {
                    Files.deleteIfExists(folder);
                }

                @Override
                public List<Path> folders(Path parent) {
                    try (Stream<Path> all = Files.list(parent)) {
                        return all.filter(Files::isDirectory).toList();
                    } catch (IOException unreadable) {
                        return List.of();
                    }
                }

                @Override
                public void kill(long pid) {
                    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                }
            };
}
