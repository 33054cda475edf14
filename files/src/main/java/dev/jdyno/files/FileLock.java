package dev.jdyno.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// An exclusive `flock` on a file that may be read-only. Java's own `FileLock` is another kind
/// (POSIX record locks) and needs a file opened for writing. The kernel drops the lock when its
/// holder ends in any way. Systems other than Linux have no such call here. There the lock is a
/// record lock on an empty file next to the file, `.NAME.lock`, which stays. The file itself cannot
/// be used, because closing a descriptor of it would end the record locks that SQLite holds on it.
public final class FileLock implements AutoCloseable {
    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    private static final Duration PAUSE = Duration.ofMillis(10);

    /// Ends the lock when it is closed.
    private final Closeable held;

    private FileLock(Closeable held) {
        this.held = held;
    }

    /// Takes the lock if no process holds the file.
    ///
    /// @param file a path that no other user can choose
    /// @return empty when another process has the lock
    /// @throws IOException if the lock could not be tried, so that other holders are unknown
    public static Optional<FileLock> take(Path file) throws IOException {
        if (!LINUX) {
            return elsewhere(file);
        }
        Descriptor descriptor = new Descriptor(Calls.open(file.toString(), Calls.O_RDONLY));
        boolean ours = false;
        try {
            ours = descriptor.use(fd -> Calls.lock(fd, file.toString()));
        } finally {
            if (!ours) {
                descriptor.close();
            }
        }
        return ours ? Optional.of(new FileLock(descriptor::close)) : Optional.empty();
    }

    static Optional<FileLock> elsewhere(Path file) throws IOException {
        Path lockFile = file.resolveSibling("." + file.getFileName() + ".lock");
        FileChannel channel =
                FileChannel.open(
                        lockFile,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS));
        boolean ours = false;
        try {
            ours = channel.tryLock() != null;
        } catch (OverlappingFileLockException here) {
            // another thread of this JVM has the lock
            ours = false;
        } finally {
            if (!ours) {
                channel.close();
            }
        }
        return ours ? Optional.of(new FileLock(channel)) : Optional.empty();
    }

    /// Waits until the lock is free, and takes it.
    ///
    /// @param file a path that no other user can choose
    /// @throws IOException when other processes held it for the whole time
    public static FileLock await(Path file, Duration atMost) throws IOException {
        Duration waited = Duration.ZERO;
        for (Optional<FileLock> lock = take(file); ; lock = take(file)) {
            if (lock.isPresent()) {
                return lock.get();
            }
            if (waited.compareTo(atMost) >= 0) {
                throw new IOException(
                        "another process has held " + file + " for " + atMost.toSeconds() + " s");
            }
            waited = waited.plus(PAUSE);
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while another process held " + file, stopped);
            }
        }
    }

    /// Releases the lock.
    @Override
    public void close() throws IOException {
        held.close();
    }
}
