package dev.jdyno.observe.gc;

import dev.jdyno.measure.gc.HeapFill;
import dev.jdyno.measure.text.Bytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The last full collections in jdyno's own GC log, for a target that publishes no counters.
public final class GcLogEnd {
    // [12.345s][info][gc] GC(57) Pause Full (Allocation Failure) 63M->62M(64M) 101.2ms
    private static final Pattern FULL =
            Pattern.compile("Pause Full .{0,80}? (\\d+[KMG])->(\\d+[KMG])\\((\\d+[KMG])\\)");

    /// Maximum number of bytes that are read from the end: enough for hundreds of collections.
    /// Earlier ones are not needed.
    private static final int MAX_BYTES = 256 * 1024;

    /// Minimum ratio of the used bytes after a collection to those before for a collection that
    /// freed almost nothing.
    private static final double FREED_NOTHING = 0.95;

    private GcLogEnd() {}

    /// The occupancy of the heap; empty when there is no log, or no full collection near its end.
    public static Optional<HeapFill> read(Path log) {
        if (!Files.isRegularFile(log)) {
            return Optional.empty();
        }
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            return of(new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    static Optional<HeapFill> of(String text) {
        long full = 0;
        Optional<HeapFill> last = Optional.empty();
        Matcher pause = FULL.matcher(text);
        while (pause.find()) {
            full++;
            long before = Bytes.parse(pause.group(1)).value();
            long after = Bytes.parse(pause.group(2)).value();
            last =
                    Optional.of(
                            new HeapFill(
                                    HeapFill.Part.HEAP,
                                    after,
                                    Bytes.parse(pause.group(3)).value(),
                                    full,
                                    0,
                                    after >= FREED_NOTHING * before));
        }
        return last;
    }
}
