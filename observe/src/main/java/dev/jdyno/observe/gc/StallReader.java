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

/// Follows a GC log for the time that threads stood still because the collector had no memory to
/// give: ZGC's pauses look perfect meanwhile, so no counter shows it.
///
/// It always holds the log open, of which the JVM makes a new one when it rotates: what it logged
/// last says most of its end.
public final class StallReader implements AutoCloseable {
    // [12.345s][info][gc] Allocation Stall (http-nio-exec-3) 41.230ms
    private static final Pattern STALL = Pattern.compile("Allocation Stall \\(.*\\) ([\\d.]+)ms");

    /// Read at once at most; what a second writes beyond it is read with the next.
    private static final int READ_BYTES = 4 << 20;

    /// Twice the size at which the JVM rotates the log: a longer one was not written by it.
    static final long KEPT_BYTES = 64L << 20;

    private final Source log;
    private @Nullable FileChannel held;
    private long at;

    /// Opens the log that has its name now.
    @FunctionalInterface
    public interface Source {
        /// @throws NoSuchFileException when there is none, yet or any more
        FileChannel open() throws IOException;
    }

    public StallReader(Source log) {
        this.log = log;
    }

    /// Thread-seconds of stalls written since the last call, each counted where it ended.
    ///
    /// @throws IOException when the log cannot be read any more
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
        // so much without a line's end is no log: it is passed over, or it would be read for ever
        at += whole == 0 && bytes.position() == READ_BYTES ? READ_BYTES : whole;
        return seconds(text.substring(0, whole));
    }

    /// Keeps what the log holds now.
    ///
    /// @throws IOException when there was never a log, or it cannot be written there
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

    /// The log that has this name now, or, where nobody finds it any more, the last one that had.
    private @Nullable FileChannel newest() throws IOException {
        try {
            FileChannel found = log.open();
            close();
            held = found;
        } catch (NoSuchFileException gone) {
            // then the last one is read on
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
