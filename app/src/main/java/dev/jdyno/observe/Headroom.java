package dev.jdyno.observe;

import dev.jdyno.measure.Bytes;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    private @Nullable FileStore tmpDisk;

    Headroom(ProcFs proc, long pid) {
        this(proc, pid, FREE_DISK);
    }

    Headroom(ProcFs proc, long pid, Bytes diskNeeded) {
        this.proc = proc;
        this.pid = pid;
        this.diskNeeded = diskNeeded;
    }

    /// The target's own `/tmp`, where its chunks lie.
    Path tmp() {
        return proc.of(pid, "root").resolve("tmp");
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
        try {
            FileStore disk = tmpDisk;
            if (disk == null) {
                // looks through all mounts; asking it for its space does not
                disk = Files.getFileStore(tmp());
                tmpDisk = disk;
            }
            Bytes free = new Bytes(disk.getUsableSpace());
            return free.compareTo(diskNeeded) < 0
                    ? Optional.of(
                            "its /tmp has only "
                                    + free
                                    + " free: a recording would abort it when the disk is full")
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of("the free space of its /tmp cannot be read");
        }
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
                .flatMap(t -> t.lines().filter(l -> l.startsWith("Max open files")).findFirst())
                .map(l -> l.substring("Max open files".length()).trim().split("\\s+")[0])
                .map(l -> l.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(l));
    }
}
