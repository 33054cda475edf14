package dev.jdyno.observe.host;

import dev.jdyno.files.Folder;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.TargetFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/// Whether the target has what a flight recording needs. A JVM that finds no free file descriptor
/// or no disk space when it opens its next chunk does not give up the recording: it aborts itself
/// (seen on JDK 17, 21 and 25). So nothing is recorded without a good reserve of both.
public final class Headroom {
    /// Fewer free file descriptors than this, and the recording ends.
    public static final long FREE_FDS = 64;

    /// Free space the disk must have: several times what a recording may take.
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

    /// From now on the disk below this folder must have room, too.
    ///
    /// @param seenByTarget where its chunks lie or will lie (`ChunkFolder`)
    public void writesChunksIn(String seenByTarget) {
        chunks = Optional.of(seenByTarget);
    }

    /// Why nothing may be recorded now; empty when there is room.
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

    /// Asks the disk by the path of a folder on it: a {@link java.nio.file.FileStore} is only found
    /// for disks that are mounted where we are, not for a container's own. The JVM makes what is
    /// missing of the folder.
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

    /// The soft limit less what is open; empty when either may not be read.
    public Optional<Long> freeFds() {
        return openFds().flatMap(open -> fdLimit().map(limit -> limit - open));
    }

    /// Its threads now; 0 when they cannot be counted.
    public long threads() {
        return proc.status(pid, "Threads").map(Long::parseLong).orElse(0L);
    }

    /// Since Linux 6.2 the folder's size is their number; before, it is 0 and they are listed.
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
