package dev.jdyno.target;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Folders that killed jdyno processes left in a target's `/tmp`. A later run of the same user, or
/// of root, removes them once they are no longer needed. The folder of a run is needed while a
/// process holds a file in it open: a JVM that still writes its log continues until a run on that
/// JVM switches the log off. A profiler's library and stored pool sizes are needed until their JVM
/// has ended.
public final class LeftFolders {
    private LeftFolders() {}

    /// @return number of folders that were removed
    public static int remove(ProcFs proc, long pid) {
        List<SharedFolder> left;
        try {
            left = SharedFolder.left(proc, pid);
        } catch (IOException unreadable) {
            // then nothing can be removed either
            return 0;
        }
        Set<Object> open = left.isEmpty() ? Set.of() : openFiles(proc);
        int removed = 0;
        for (SharedFolder folder : left) {
            try {
                if (isNeeded(folder, open, proc)) {
                    folder.leave();
                } else {
                    folder.close();
                    removed++;
                }
            } catch (IOException notOurs) {
                // another user's: that user's next run removes it
            }
        }
        return removed;
    }

    private static boolean isNeeded(SharedFolder folder, Set<Object> open, ProcFs proc)
            throws IOException {
        SharedFolder.Label label = folder.label();
        if (label.purpose() != SharedFolder.Purpose.RUN) {
            return label.target().lives(proc);
        }
        for (String file : folder.files()) {
            Path entry = folder.disk().resolve(file);
            if (open.contains(identity(entry, LinkOption.NOFOLLOW_LINKS))) {
                return true;
            }
        }
        return false;
    }

    /// The open files of every process that can be read: device and inode, which do not depend on
    /// the file's name in a container.
    private static Set<Object> openFiles(ProcFs proc) {
        Set<Object> open = new HashSet<>();
        for (long pid : proc.pids()) {
            try (var fds = Files.newDirectoryStream(proc.of(pid, "fd"))) {
                for (Path fd : fds) {
                    try {
                        open.add(identity(fd));
                    } catch (IOException closedMeanwhile) {
                        // the process has closed the file meanwhile
                    }
                }
            } catch (IOException | DirectoryIteratorException endedOrNotOurs) {
                // another user's files must not be deleted by jdyno either
            }
        }
        return open;
    }

    private static Object identity(Path file, LinkOption... links) throws IOException {
        return Files.getAttribute(file, "unix:dev", links)
                + ":"
                + Files.getAttribute(file, "unix:ino", links);
    }
}
