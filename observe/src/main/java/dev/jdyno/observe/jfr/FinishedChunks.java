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

/// The recording of a killed JVM: the chunks in its repository. Each chunk is a complete recording,
/// except the last one, which was never finished and cannot be read.
///
/// A chunk begins as follows, big endian: `"FLR\0"` · 2 major · 2 minor · 8 its size · … · at 64 a
/// state byte. It is 0 once the chunk is finished; before, it counts the flushes from 1 on, and is
/// 255 during one. A reader of an unfinished chunk waits for the next flush, forever.
final class FinishedChunks {
    private static final int MAGIC = 0x464C5200;
    private static final int SIZE_AT = 8;
    private static final int STATE_AT = 64;
    private static final byte COMPLETE = 0;

    private FinishedChunks() {}

    /// Joins the finished chunks to one recording.
    ///
    /// @param repository the folder of the chunks, which are not removed
    /// @param mostBytes maximum size of a chunk, and of all chunks together; a larger chunk is left
    ///   out
    /// @return number of chunks; without any, nothing is written
    static int join(Folder repository, long mostBytes, Path recording) throws IOException {
        // the JVM's own user created the folder and its content
        var trust = Trust.madeBy(Set.of(repository.stat().uid()), mostBytes);
        List<String> finished = new ArrayList<>();
        long bytes = 0;
        // the name of a chunk is its start time, so the chunks are in order
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
