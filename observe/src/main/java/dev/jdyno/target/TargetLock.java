package dev.jdyno.target;

import dev.jdyno.files.FileLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// A lock that allows one jdyno at a time on a target: two would measure each other.
///
/// It is an advisory lock (`flock`) on the target's own `/proc/PID/status`. The kernel drops it
/// when its holder ends in any way, nothing is written, and the target is not affected. While the
/// descriptor is open the kernel keeps the inode. So every process that opens the same path of the
/// same mount finds the same lock, whatever its user; a process that gets the pid later has another
/// inode.
///
/// A holder with another mount of `/proc` is not detected, for example if one jdyno runs inside a
/// container and one outside.
public final class TargetLock implements AutoCloseable {
    private final FileLock lock;

    private TargetLock(FileLock lock) {
        this.lock = lock;
    }

    /// The result of taking the lock.
    public sealed interface Outcome {
        /// @param lock held until it is closed
        record Held(TargetLock lock) implements Outcome {}

        record HeldBy(LockHolder other) implements Outcome {}

        /// @param why the reason if the lock could not be tried; other holders are then unknown
        record NotTried(String why) implements Outcome {}
    }

    /// Takes the lock if it is free.
    ///
    /// @throws dev.jdyno.measure.text.UserError when the target has ended
    public static Outcome take(Target target) {
        return take(ProcFs.SYSTEM, target);
    }

    private static Outcome take(ProcFs proc, Target target) {
        Path file = proc.of(target.pid(), "status");
        Outcome outcome;
        try {
            outcome =
                    FileLock.take(file)
                            .<Outcome>map(lock -> new Outcome.Held(new TargetLock(lock)))
                            .orElseGet(() ->
                                    new Outcome.HeldBy(
                                            LockHolder.of(proc, pidOfHolder(proc, file))));
        } catch (AccessDeniedException notForUs) {
            outcome = new Outcome.NotTried("this user may not open " + file);
        } catch (IOException why) {
            outcome = new Outcome.NotTried("no lock on " + file + ": " + why.getMessage());
        }
        // a reused pid would mean the lock of another process
        if (!target.isAlive()) {
            if (outcome instanceof Outcome.Held(TargetLock another)) {
                another.close();
            }
            target.requireAlive();
        }
        return outcome;
    }

    /// The holder's pid; empty if the holder is in a process namespace that is not visible.
    private static Optional<Long> pidOfHolder(ProcFs proc, Path file) {
        try {
            String inode = inode(file);
            // 1: FLOCK  ADVISORY  WRITE 10695 00:15:15681 0 EOF
            return proc.text("locks").stream()
                    .flatMap(String::lines)
                    .map(l -> l.trim().split("\\s+"))
                    .filter(f -> f.length > 5 && f[1].equals("FLOCK") && f[5].equals(inode))
                    .map(f -> Long.parseLong(f[4]))
                    .filter(pid -> pid > 0)
                    .findFirst();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /// The inode as the kernel's list of locks writes it.
    private static String inode(Path file) throws IOException {
        long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
        long major = (device >> 8) & 0xfff;
        long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
        return String.format(
                Locale.ROOT,
                "%02x:%02x:%d",
                major,
                minor,
                ((Number) Files.getAttribute(file, "unix:ino")).longValue());
    }

    /// Releases the lock.
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException stillHeld) {
            throw new UncheckedIOException(stillHeld);
        }
    }
}
