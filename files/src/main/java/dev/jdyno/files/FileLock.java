package dev.jdyno.files;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// An exclusive `flock` on a file that may only be read. Java's own `FileLock` is another kind
/// (POSIX record locks) and wants the file opened for writing. The kernel drops it when its holder
/// ends in whatever way.
public final class FileLock implements AutoCloseable {
    private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Descriptor descriptor;

    private FileLock(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /// Takes the lock if it is free.
    ///
    /// @param file a path that no other user can choose
    /// @return empty when another process has it
    /// @throws IOException when it could not be tried, which says nothing of others
    public static Optional<FileLock> take(Path file) throws IOException {
        if (!LINUX) {
            throw new IOException("only Linux has such locks");
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
        return ours ? Optional.of(new FileLock(descriptor)) : Optional.empty();
    }

    /// Takes the lock, once it is free.
    ///
    /// @param file as above
    /// @throws IOException when others have held it for so long
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

    /// Lets others have it.
    @Override
    public void close() throws IOException {
        descriptor.close();
    }
}
