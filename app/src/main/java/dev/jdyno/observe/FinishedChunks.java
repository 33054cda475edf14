package dev.jdyno.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What a JVM that was killed had recorded: the chunks in its repository, each a recording by
/// itself, but for the last one, which nobody can read as it was never finished.
///
/// A chunk begins so, big endian: `"FLR\0"` · 2 major · 2 minor · 8 its size · … · at 64 a byte
/// that is 0 once it is finished: before, it counts the flushes from 1 on, and is 255 during one.
/// Whoever reads a chunk that is not finished waits for the next flush, for ever.
final class FinishedChunks {
    private static final int MAGIC = 0x464C5200;
    private static final int SIZE_AT = 8;
    private static final int STATE_AT = 64;
    private static final byte COMPLETE = 0;

    /// Of all chunks together: more than a JVM keeps of a recording of ours.
    private static final long MOST_BYTES = 256L << 20;

    private FinishedChunks() {}

    /// Joins them to one recording.
    ///
    /// @param repository the folder with the chunks, which stay there
    /// @return how many there were; without any, nothing is written
    static int join(Path repository, Path recording) throws IOException {
        List<Path> finished = new ArrayList<>();
        long bytes = 0;
        try (var files = Files.newDirectoryStream(repository, "*.jfr")) {
            for (Path file : files) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isFinished(file)) {
                    finished.add(file);
                    bytes += Files.size(file);
                }
            }
        }
        if (bytes > MOST_BYTES) {
            throw new IOException("its chunks are larger than " + (MOST_BYTES >> 20) + " MiB");
        }
        if (finished.isEmpty()) {
            return 0;
        }
        // named after the time at which they were begun
        Collections.sort(finished);
        try (var joined = Files.newOutputStream(recording)) {
            for (Path chunk : finished) {
                Files.copy(chunk, joined);
            }
        }
        return finished.size();
    }

    private static boolean isFinished(Path file) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(STATE_AT + 1);
        try (FileChannel chunk = FileChannel.open(file, StandardOpenOption.READ)) {
            chunk.read(head, 0);
            return !head.hasRemaining()
                    && head.getInt(0) == MAGIC
                    && head.getLong(SIZE_AT) == chunk.size()
                    && head.get(STATE_AT) == COMPLETE;
        }
    }
}
