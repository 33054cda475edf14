package dev.jdyno.observe.gc;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.foreign.ForeignNumber;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads from a GC log the time in which threads waited because the collector had no free memory.
/// ZGC's pauses stay short meanwhile, so no counter shows this time.
///
/// The file stays open so that it can be read after its name is gone: at a rotation, or after the
/// JVM ended. The last lines are the most important ones.
public final class StallReader implements AutoCloseable {
    // [12.345s][info][gc] Allocation Stall (http-nio-exec-3) 41.230ms
    private static final Pattern STALL = Pattern.compile("Allocation Stall \\(.*\\) ([\\d.]+)ms");

    /// Maximum number of bytes per reading; the rest is read the next time.
    private static final int READ_BYTES = 4 << 20;

    /// Maximum size that is kept: twice the size at which the JVM rotates the log. A longer file
    /// was not written by it.
    static final long KEPT_BYTES = 64L << 20;

    private final Source log;
    private @Nullable FileChannel held;
    private long at;

    /// Opens the file that has the log's name at present.
    @FunctionalInterface
    public interface Source {
        /// @throws NoSuchFileException if the file does not exist yet, or no longer exists
        FileChannel open() throws IOException;
    }

    public StallReader(Source log) {
        this.log = log;
    }

    /// Thread-seconds of stalls written since the last call. A stall counts when it ends.
    ///
    /// @throws IOException when the log can no longer be read
    public double takeSeconds() throws IOException {
        FileChannel channel = newest();
        if (channel == null) {
            return 0;
        }
        if (channel.size() < at) {
            // rotated
            at = 0;
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(READ_BYTES, channel.size() - at));
        channel.read(bytes, at);
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
        int whole = text.lastIndexOf('\n') + 1;
        // a log has no line of this length: the bytes are skipped, otherwise they would be read
        // forever
        at += whole == 0 && bytes.position() == READ_BYTES ? READ_BYTES : whole;
        return seconds(text.substring(0, whole));
    }

    /// Copies the log's present content.
    ///
    /// @throws IOException when there was never a log, or the copy cannot be written
    void copyTo(Path file) throws IOException {
        FileChannel channel = newest();
        if (channel == null) {
            throw new NoSuchFileException("the GC log");
        }
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try (OutputStream out = PrivateFiles.create(file)) {
            long from = 0;
            while (from < KEPT_BYTES && channel.read(buffer, from) > 0) {
                out.write(buffer.array(), 0, buffer.position());
                from += buffer.position();
                buffer.clear();
            }
        }
    }

    /// The log with this name, or, if it no longer exists, the last one that had it.
    private @Nullable FileChannel newest() throws IOException {
        try {
            FileChannel found = log.open();
            close();
            held = found;
        } catch (NoSuchFileException gone) {
            // the file that was opened last is read
        }
        return held;
    }

    @Override
    public void close() throws IOException {
        if (held != null) {
            held.close();
            held = null;
        }
    }

    public static double seconds(String lines) {
        double ms = 0;
        Matcher stall = STALL.matcher(lines);
        while (stall.find()) {
            ms += ForeignNumber.decimal(stall.group(1)).orElse(0);
        }
        return ms / 1000;
    }
}
