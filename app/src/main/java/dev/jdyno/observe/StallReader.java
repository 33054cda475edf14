package dev.jdyno.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Follows a GC log for the time that threads stood still because the collector had no memory to
/// give: ZGC's pauses look perfect meanwhile, so no counter shows it.
final class StallReader {
    // [12.345s][info][gc] Allocation Stall (http-nio-exec-3) 41.230ms
    private static final Pattern STALL = Pattern.compile("Allocation Stall \\(.*\\) ([\\d.]+)ms");

    /// Read at once at most; what a second writes beyond it is read with the next.
    private static final int READ_BYTES = 4 << 20;

    private final Path log;
    private long at;

    /// @param log that may not exist yet
    StallReader(Path log) {
        this.log = log;
    }

    /// Thread-seconds of stalls written since the last call, each counted where it ended.
    ///
    /// @throws IOException when the log cannot be read any more
    double takeSeconds() throws IOException {
        if (!Files.exists(log)) {
            return 0;
        }
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            if (channel.size() < at) {
                // rotated
                at = 0;
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(READ_BYTES, channel.size() - at));
            channel.read(bytes, at);
            String text =
                    new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
            int whole = text.lastIndexOf('\n') + 1;
            at += whole;
            return seconds(text.substring(0, whole));
        }
    }

    static double seconds(String lines) {
        double ms = 0;
        Matcher stall = STALL.matcher(lines);
        while (stall.find()) {
            ms += Double.parseDouble(stall.group(1));
        }
        return ms / 1000;
    }
}
