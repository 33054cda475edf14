package dev.jdyno.observe.jfr;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Handle;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.files.Stat;
import dev.jdyno.files.Trust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

    private FinishedChunks() {}

    /// Joins them to one recording.
    ///
    /// @param repository the folder with the chunks, which stay there
    /// @param mostBytes a chunk larger than this is left out, and all together may not be larger
    /// @return how many there were; without any, nothing is written
    static int join(Folder repository, long mostBytes, Path recording) throws IOException {
        // the JVM's own user made the folder and what is in it
        var trust = Trust.madeBy(Set.of(repository.stat().uid()), mostBytes);
        List<String> finished = new ArrayList<>();
        long bytes = 0;
        // named after the time at which they were begun
        for (String name : repository.names()) {
            if (name.endsWith(".jfr") && isFinished(repository, name, trust)) {
                finished.add(name);
                bytes += repository.stat(name).map(Stat::bytes).orElse(0L);
            }
        }
        if (bytes > mostBytes) {
            throw new IOException("its chunks are larger than " + (mostBytes >> 20) + " MiB");
        }
        if (finished.isEmpty()) {
            return 0;
        }
        try (var joined = PrivateFiles.create(recording)) {
            for (String name : finished) {
                try (Handle chunk = repository.file(name, trust)) {
                    chunk.copyTo(joined);
                }
            }
        }
        return finished.size();
    }

    private static boolean isFinished(Folder repository, String name, Trust trust)
            throws IOException {
        try (Handle chunk = repository.file(name, trust)) {
            ByteBuffer head = ByteBuffer.wrap(chunk.head(STATE_AT + 1));
            return head.limit() > STATE_AT
                    && head.getInt(0) == MAGIC
                    && head.getLong(SIZE_AT) == chunk.stat().bytes()
                    && head.get(STATE_AT) == COMPLETE;
        } catch (NotTrusted noChunk) {
            return false;
        }
    }
}
