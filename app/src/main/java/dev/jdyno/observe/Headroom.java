package dev.jdyno.observe;

import dev.jdyno.measure.Bytes;
import dev.jdyno.target.ProcFs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Whether the target has what a flight recording needs. A JVM that finds no free file descriptor
/// or no disk space when it opens its next chunk does not give up the recording: it aborts itself
/// (seen on JDK 17, 21 and 25). So nothing is recorded without a good reserve of both.
final class Headroom {
    /// Fewer free file descriptors than this, and the recording ends.
    static final long FREE_FDS = 64;

    /// Free space the disk must have: several times what a recording may take.
    static final Bytes FREE_DISK = Bytes.mebi(512);

    private final ProcFs proc;
    private final long pid;
    private final Bytes diskNeeded;
    private final Path root;
    private volatile Optional<Folder> chunks = Optional.empty();

    /// @param seenByTarget how the target calls it
    private record Folder(String seenByTarget, Path place) {}

    Headroom(ProcFs proc, long pid) {
        this(proc, pid, FREE_DISK);
    }

    Headroom(ProcFs proc, long pid, Bytes diskNeeded) {
        this.proc = proc;
        this.pid = pid;
        this.diskNeeded = diskNeeded;
        this.root = proc.rootOf(pid);
    }

    /// The target's own `/tmp`, where recordings are handed over. What lies there is still reached
    /// when the target has ended, unless it had a container of its own.
    Path tmp() {
        return root.resolve("tmp");
    }

    /// From now on the disk below this folder must have room, too.
    ///
    /// @param seenByTarget where its chunks lie or will lie ({@link ChunkFolder})
    void writesChunksIn(String seenByTarget) {
        chunks = Optional.of(new Folder(seenByTarget, proc.seenBy(pid, seenByTarget)));
    }

    /// Where we find its chunks, once that is known.
    Optional<Path> chunks() {
        return chunks.map(Folder::place);
    }

    /// Why nothing may be recorded now; empty when there is room.
    Optional<String> shortOf() {
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
                                folder.place(),
                                "the folder of its flight recorder, " + folder.seenByTarget() + ",",
                                "; free some, or name it a larger one before it records:"
                                        + " jcmd "
                                        + pid
                                        + " JFR.configure repositorypath=FOLDER"))
                .or(() -> shortOfDisk(tmp(), "its /tmp", ""));
    }

    /// Asks the disk by its path: a {@link java.nio.file.FileStore} is only found for disks that
    /// are mounted where we are, not for a container's own.
    private Optional<String> shortOfDisk(Path folder, String name, String fix) {
        Path there = folder;
        while (!Files.exists(there) && there.getParent() != null) {
            // the JVM makes what is missing of it
            there = there.getParent();
        }
        File disk = there.toFile();
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
    }

    /// The soft limit less what is open; empty when either may not be read.
    Optional<Long> freeFds() {
        return openFds().flatMap(open -> fdLimit().map(limit -> limit - open));
    }

    /// Its threads now; 0 when they cannot be counted.
    long threads() {
        return proc.status(pid, "Threads").map(Long::parseLong).orElse(0L);
    }

    /// Since Linux 6.2 the folder's size is their number; before, it is 0 and they are listed.
    Optional<Long> openFds() {
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
    Optional<Long> fdLimit() {
        return proc.text(pid, "limits")
                .flatMap(t -> ProcFs.afterKey(t, "Max open files"))
                .map(l -> l.substring(0, l.indexOf(' ')))
                .map(l -> l.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(l));
    }
}
