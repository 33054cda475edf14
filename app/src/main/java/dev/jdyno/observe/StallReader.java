package dev.jdyno.observe;

import dev.jdyno.foreign.ForeignNumber;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Follows a GC log for the time that threads stood still because the collector had no memory to
/// give: ZGC's pauses look perfect meanwhile, so no counter shows it.
///
/// It always holds the log open: a target that ends takes the way to its `/tmp` with it when it had
/// mounts of its own, and what it logged last says most of its end.
final class StallReader implements AutoCloseable {
    // [12.345s][info][gc] Allocation Stall (http-nio-exec-3) 41.230ms
    private static final Pattern STALL = Pattern.compile("Allocation Stall \\(.*\\) ([\\d.]+)ms");

    /// Read at once at most; what a second writes beyond it is read with the next.
    private static final int READ_BYTES = 4 << 20;

    private final Path log;
    private @Nullable FileChannel held;
    private long at;

    /// @param log that may not exist yet
    StallReader(Path log) {
        this.log = log;
    }

    /// Thread-seconds of stalls written since the last call, each counted where it ended.
    ///
    /// @throws IOException when the log cannot be read any more
    double takeSeconds() throws IOException {
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
            throw new NoSuchFileException(log.toString());
        }
        Files.copy(
                Channels.newInputStream(channel.position(0)),
                file,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /// The log that has this name now, or, where nobody finds it any more, the last one that had.
    private @Nullable FileChannel newest() throws IOException {
        if (Files.exists(log)) {
            FileChannel found = FileChannel.open(log, StandardOpenOption.READ);
            close();
            held = found;
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

    static double seconds(String lines) {
        double ms = 0;
        Matcher stall = STALL.matcher(lines);
        while (stall.find()) {
            ms += ForeignNumber.decimal(stall.group(1)).orElse(0);
        }
        return ms / 1000;
    }
}
