package dev.jdyno.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A file to which lines are only appended, and that only its owner can read. When {@link #append}
/// returns, the whole line is on the disk; if it fails, no part of the line is. Only one process at
/// a time can write the file.
///
/// A kill or a power cut can damage only the last line: opening the file again drops that line and
/// reports it. Not thread-safe.
public final class PrivateLines implements AutoCloseable {
    /// Maximum size: a measurement of a day has some MiB.
    private static final int MAX_BYTES = 256 << 20;

    private static final String OWNER_ONLY = "rw-------";

    private final Path file;
    private final FileChannel channel;
    private long end;

    private PrivateLines(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Receives the existing lines.
    @FunctionalInterface
    public interface Reader {
        /// @param number number of the line, from 1
        /// @return true if the line is valid; reading ends at an invalid line, unless it is the
        ///   last
        boolean read(int number, String line);
    }

    /// The existing content.
    ///
    /// @param lines number of valid lines
    /// @param dropped number of the last line, if it was incomplete or invalid
    public record Found(int lines, Optional<Integer> dropped) {}

    /// An invalid line that is not the last.
    public static final class BadLine extends IOException {
        private static final long serialVersionUID = 1;
        private final int number;

        BadLine(int number) {
            super("line " + number + " cannot be read");
            this.number = number;
        }

        /// Line number, from 1.
        public int number() {
            return number;
        }
    }

    /// Another process writes it.
    public static final class Busy extends IOException {
        private static final long serialVersionUID = 1;

        Busy() {
            super("another process writes it");
        }
    }

    /// An open file and its existing content.
    public record Opened(PrivateLines lines, Found found) {}

    /// Opens the file to append lines, or creates the file.
    ///
    /// @throws Busy while another process has it open
    /// @throws BadLine when a line that is not the last is invalid
    public static Opened open(Path file, Reader reader) throws IOException {
        return open(file, reader, PrivateFiles.Disk.REAL);
    }

    static Opened open(Path file, Reader reader, PrivateFiles.Disk disk) throws IOException {
        PrivateLines lines = locked(file, disk);
        try {
            return new Opened(lines, lines.take(reader));
        } catch (IOException | RuntimeException notOurs) {
            lines.close();
            throw notOurs;
        }
    }

    /// Creates the file, or removes its content once the lock shows that no process writes the
    /// file.
    ///
    /// @throws Busy while another process has it open
    public static PrivateLines begin(Path file) throws IOException {
        PrivateLines lines = locked(file, PrivateFiles.Disk.REAL);
        try {
            lines.channel.truncate(0);
            return lines;
        } catch (IOException failed) {
            lines.close();
            throw failed;
        }
    }

    private static PrivateLines locked(Path file, PrivateFiles.Disk disk) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is no regular file");
        }
        FileAttribute<?>[] owned =
                Owners.known()
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString(OWNER_ONLY))
                        }
                        : new FileAttribute<?>[0];
        FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        owned);
        var lines = new PrivateLines(file, channel);
        try {
            lines.lock();
            lines.own();
        } catch (IOException | RuntimeException notOurs) {
            channel.close();
            throw notOurs;
        }
        // a line on the disk is useless if the file's name is not on the disk
        PrivateFiles.keepName(file, disk);
        return lines;
    }

    /// Reads a file without changes. Refuses a file that another process writes, because the result
    /// would be incomplete.
    ///
    /// @throws Busy while another process has the file open for writing
    /// @throws BadLine when a line that is not the last is invalid
    public static Found read(Path file, Reader reader) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(file.toString());
        }
        try (FileChannel channel =
                FileChannel.open(
                        file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            requireUnwritten(channel);
            return found(content(channel), reader, new ArrayList<>());
        }
    }

    /// True if a process has it open for writing; false if it does not exist.
    public static boolean isWritten(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel =
                FileChannel.open(
                        file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            requireUnwritten(channel);
            return false;
        } catch (Busy writes) {
            return true;
        }
    }

    private static void requireUnwritten(FileChannel channel) throws Busy {
        try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            if (lock == null) {
                throw new Busy();
            }
            // released at once, so that a reader does not keep a writer from the lock
        } catch (OverlappingFileLockException here) {
            throw busy(here);
        } catch (Busy writes) {
            throw writes;
        } catch (IOException noLocks) {
            // this system has no locks, so no process holds one
        }
    }

    private void lock() throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new Busy();
            }
        } catch (OverlappingFileLockException here) {
            throw busy(here);
        }
    }

    private static Busy busy(OverlappingFileLockException here) {
        var busy = new Busy();
        busy.initCause(here);
        return busy;
    }

    /// Sets the mode, because an existing file may have another mode, or a umask may have changed
    /// the mode.
    private void own() throws IOException {
        if (Owners.known()) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(OWNER_ONLY));
        }
    }

    private Found take(Reader reader) throws IOException {
        List<Integer> ends = new ArrayList<>();
        Found found = found(content(channel), reader, ends);
        end = ends.isEmpty() ? 0 : ends.getLast();
        channel.truncate(end);
        channel.position(end);
        return found;
    }

    private static byte[] content(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size > MAX_BYTES) {
            throw new IOException("it has more than " + (MAX_BYTES >> 20) + " MiB");
        }
        ByteBuffer all = ByteBuffer.allocate((int) size);
        while (all.hasRemaining() && channel.read(all, all.position()) >= 0) {
            // until the buffer is full or the file ends
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    /// @param ends receives the position after each valid line
    private static Found found(byte[] all, Reader reader, List<Integer> ends) throws IOException {
        int at = 0;
        int number = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] != '\n') {
                continue;
            }
            number++;
            if (!reader.read(number, new String(all, at, i - at, StandardCharsets.UTF_8))) {
                if (i + 1 < all.length) {
                    throw new BadLine(number);
                }
                return new Found(number - 1, Optional.of(number));
            }
            at = i + 1;
            ends.add(at);
        }
        return new Found(number, at < all.length ? Optional.of(number + 1) : Optional.empty());
    }

    /// Appends a line. When the method returns, the whole line is on the disk. If the method fails,
    /// the file is unchanged.
    ///
    /// @param line without a line end
    public void append(String line) throws IOException {
        if (line.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("more than a line");
        }
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        long length = bytes.remaining();
        try {
            long at = end;
            while (bytes.hasRemaining()) {
                // a disk that becomes full accepts a part of it
                at += channel.write(bytes, at);
            }
            channel.force(true);
        } catch (IOException full) {
            channel.truncate(end);
            throw full;
        }
        end += length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
