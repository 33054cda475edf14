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

/// A file that only grows, line by line, and that only its owner can read. A line is on the disk as
/// a whole when {@link #append} returns; where that fails, nothing of it is there. One process at a
/// time writes it.
///
/// A kill or a power cut can spoil the last line only: opening the file again drops that line and
/// reports it. Not safe for several threads.
public final class PrivateLines implements AutoCloseable {
    /// A measurement of a day has some MiB.
    private static final int MOST_BYTES = 256 << 20;

    private static final String OWNER_ONLY = "rw-------";

    private final Path file;
    private final FileChannel channel;
    private long end;

    private PrivateLines(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Takes the lines that are there.
    @FunctionalInterface
    public interface Reader {
        /// @param number from 1
        /// @return whether it is a line of this file; a line that is not, and is not the last, ends
        ///   the reading
        boolean read(int number, String line);
    }

    /// What was there.
    ///
    /// @param lines that were taken
    /// @param dropped the number of the last line, where it was unfinished or no line of this file
    public record Found(int lines, Optional<Integer> dropped) {}

    /// A line in the middle that is no line of this file.
    public static final class BadLine extends IOException {
        private static final long serialVersionUID = 1;
        private final int number;

        BadLine(int number) {
            super("line " + number + " cannot be read");
            this.number = number;
        }

        /// From 1.
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

    /// An open file and what was in it.
    public record Opened(PrivateLines lines, Found found) {}

    /// Opens it to go on, or begins one.
    ///
    /// @throws Busy while another process has it open
    /// @throws BadLine when a line that is not the last is none
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

    /// Begins one. What an earlier one of its name holds goes, once the lock says that no process
    /// writes it.
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
        // a line that is on the disk is of no use in a file that is not
        PrivateFiles.keepName(file, disk);
        return lines;
    }

    /// Reads one without changing it. One that grows meanwhile is left alone: what is read of it
    /// would be less than there is.
    ///
    /// @throws Busy while another process has it open to write it
    /// @throws BadLine when a line that is not the last is none
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

    /// Whether a process has it open to write it; false where there is none.
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
            // given back at once: a process that begins to write must not find it taken by a reader
        } catch (OverlappingFileLockException here) {
            throw busy(here);
        } catch (Busy writes) {
            throw writes;
        } catch (IOException noLocks) {
            // where there are no locks no process holds one
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

    /// One that is there may have another mode, or have got one from a umask.
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
        if (size > MOST_BYTES) {
            throw new IOException("it has more than " + (MOST_BYTES >> 20) + " MiB");
        }
        ByteBuffer all = ByteBuffer.allocate((int) size);
        while (all.hasRemaining() && channel.read(all, all.position()) >= 0) {
            // until it is full or the file ends
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    /// @param ends gets the place behind each line that was taken
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

    /// On the disk, as a whole, when it returns; when it fails, the file is as it was.
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
                // a disk that gets full takes a part of it
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
