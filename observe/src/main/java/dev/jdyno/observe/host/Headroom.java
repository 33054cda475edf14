package dev.jdyno.observe.host;

import dev.jdyno.files.Folder;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.TargetFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/// Checks whether the target has the reserves that a flight recording needs. A JVM opens a file for
/// each chunk. Without a free file descriptor or disk space for the chunk, the JVM aborts itself
/// instead of the recording. This was observed on JDK 17, 21 and 25. So nothing is recorded without
/// a good reserve of both.
public final class Headroom {
    /// Minimum number of free file descriptors; with fewer, the recording ends.
    public static final long FREE_FDS = 64;

    /// Minimum free space on the disk: several times the maximum size of a recording.
    static final Bytes FREE_DISK = Bytes.mebi(512);

    private final ProcFs proc;
    private final long pid;
    private final Bytes diskNeeded;
    private final TargetFiles files;
    private volatile Optional<String> chunks = Optional.empty();

    public Headroom(ProcFs proc, long pid) {
        this(proc, pid, FREE_DISK);
    }

    public Headroom(ProcFs proc, long pid, Bytes diskNeeded) {
        this.proc = proc;
        this.pid = pid;
        this.diskNeeded = diskNeeded;
        this.files = TargetFiles.of(proc, pid);
    }

    /// Requires free space on the disk of this folder, too.
    ///
    /// @param seenByTarget folder of the present or future chunks (`ChunkFolder`)
    public void writesChunksIn(String seenByTarget) {
        chunks = Optional.of(seenByTarget);
    }

    /// The reason why nothing may be recorded now; empty when the reserve is sufficient.
    public Optional<String> shortOf() {
        Optional<Long> fds = freeFds();
        if (fds.isEmpty()) {
            return Optional.of("its file descriptors cannot be counted");
        }
        if (fds.get() < FREE_FDS) {
            return Optional.of(
                    "it has only "
                            + fds.get()
                            + " free file descriptors: a recording would abort it when they run out");
        }
        return chunks.flatMap(folder ->
                        shortOfDisk(
                                folder,
                                "the folder of its flight recorder, " + folder + ",",
                                "; free some, or name it a larger one before it records:"
                                        + " jcmd "
                                        + pid
                                        + " JFR.configure repositorypath=FOLDER"))
                .or(() -> shortOfDisk("/tmp", "its /tmp", ""));
    }

    /// Reads the free space by the path of a folder on the disk. A {@link java.nio.file.FileStore}
    /// is only found for disks that are mounted in jdyno's namespace, not for a container's own. If
    /// the folder does not exist yet, its nearest existing parent is used.
    private Optional<String> shortOfDisk(String seenByTarget, String name, String fix) {
        try (Folder there = files.nearestFolder(seenByTarget)) {
            File disk = there.path().toFile();
            if (disk.getTotalSpace() == 0) {
                return Optional.of("the free space of " + name + " cannot be read" + fix);
            }
            var free = new Bytes(disk.getUsableSpace());
            return free.compareTo(diskNeeded) < 0
                    ? Optional.of(
                            name
                                    + " has only "
                                    + free
                                    + " free: a recording would abort it when the disk is full"
                                    + fix)
                    : Optional.empty();
        } catch (IOException unreachable) {
            return Optional.of(
                    "the free space of "
                            + name
                            + " cannot be read: "
                            + unreachable.getMessage()
                            + fix);
        }
    }

    /// The soft limit minus the open descriptors; empty when either cannot be read.
    public Optional<Long> freeFds() {
        return openFds().flatMap(open -> fdLimit().map(limit -> limit - open));
    }

    /// Current number of threads of the process; 0 if they cannot be counted.
    public long threads() {
        return proc.status(pid, "Threads").map(Long::parseLong).orElse(0L);
    }

    /// Number of open descriptors. Since Linux 6.2 it is the folder's size; before, the size is 0
    /// and they are listed.
    public Optional<Long> openFds() {
        long counted = proc.of(pid, "fd").toFile().length();
        if (counted > 0) {
            return Optional.of(counted);
        }
        try (var fds = Files.list(proc.of(pid, "fd"))) {
            return Optional.of(fds.count());
        } catch (IOException notOurs) {
            return Optional.empty();
        }
    }

    // Max open files            1024                 524288               files
    public Optional<Long> fdLimit() {
        return proc.text(pid, "limits")
                .flatMap(t -> ProcFs.afterKey(t, "Max open files"))
                .map(l -> l.substring(0, l.indexOf(' ')))
                .map(l -> l.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(l));
    }
}
