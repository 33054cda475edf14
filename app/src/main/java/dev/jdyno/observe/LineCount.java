package dev.jdyno.observe;

import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Counts the lines that are appended to a growing file: an access log has one for each request. A
/// file that shrank or was replaced (rotation) is read from its beginning.
public final class LineCount {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private long position;
    private Object identity;

    private LineCount(Path file, long position, Object identity) {
        this.file = file;
        this.position = position;
        this.identity = identity;
    }

    /// Starts at the file's end.
    ///
    /// @throws UserError when the file cannot be read
    public static LineCount of(Path file) {
        try {
            return new LineCount(file, Files.size(file), identity(file));
        } catch (IOException unreadable) {
            throw UserError.usage(
                            "cannot read the access log " + file,
                            String.valueOf(unreadable.getMessage()),
                            "give the file that the service appends a line to for each request")
                    .causedBy(unreadable);
        }
    }

    private static Object identity(Path file) throws IOException {
        Object key =
                Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class)
                        .fileKey();
        return key == null ? file : key;
    }

    /// Lines that came since the last call.
    ///
    /// @throws IOException when the file cannot be read any more
    public long take() throws IOException {
        Object now = identity(file);
        if (!now.equals(identity) || Files.size(file) < position) {
            identity = now;
            position = 0;
        }
        long lines = 0;
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.position(position);
            while (channel.read(buffer.clear()) > 0) {
                position += buffer.flip().limit();
                while (buffer.hasRemaining()) {
                    lines += buffer.get() == '\n' ? 1 : 0;
                }
            }
        }
        return lines;
    }
}
