package dev.jdyno.sizing;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a GC log that was switched on in a running JVM. Such a log lacks the lines that a JVM logs
/// at its start, so this class inserts them.
public final class TappedLog {
    // The time stamp in: [12.345s][info][gc] GC(3) Pause Young …
    private static final Pattern STAMP = Pattern.compile("^\\[\\d+\\.\\d+s\\]");

    // The maximum heap size in: -XX:MaxHeapSize=268435456 -XX:G1HeapRegionSize=1048576 -XX:+UseG1GC
    private static final Pattern HEAP_MAX = Pattern.compile("-XX:MaxHeapSize=(\\d{1,18})\\b");
    private static final Pattern REGION = Pattern.compile("-XX:G1HeapRegionSize=(\\d{1,18})\\b");
    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use(\\w+?)GC\\b");
    private static final String Z_NAME = "The Z Garbage Collector";
    private static final long KIB = 1024;

    /// Maximum length of a time stamp.
    private static final int STAMP_BYTES = 64;

    private TappedLog() {}

    /// @param flags in force, as `jcmd PID VM.flags` prints them: collector, heap and region size
    /// @throws UserError of kind usage if the log cannot be read or is no GC log
    public static Analysis read(Path log, String flags) {
        try (InputStream in =
                new SequenceInputStream(
                        new ByteArrayInputStream(
                                head(stamp(log), flags).getBytes(StandardCharsets.UTF_8)),
                        Files.newInputStream(log))) {
            return GcLog.read(log.toString(), in, GcLog.Options.DEFAULT);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read " + log,
                            String.valueOf(e.getMessage()),
                            "leave the folder as it is while jdyno works in it")
                    .causedBy(e);
        }
    }

    /// The time stamp of the first line.
    private static String stamp(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            var begin = new String(in.readNBytes(STAMP_BYTES), StandardCharsets.ISO_8859_1);
            Matcher first = STAMP.matcher(begin);
            return first.find() ? first.group() : "[0.000s]";
        }
    }

    private static String head(String stamp, String flags) {
        var head = new StringBuilder();
        first(COLLECTOR, flags)
                .ifPresent(name ->
                        head.append(stamp)
                                .append("[info][gc] Using ")
                                .append(name.equals("Z") ? Z_NAME : name)
                                .append('\n'));
        first(HEAP_MAX, flags).ifPresent(b -> size(head.append(stamp), "Heap Max Capacity: ", b));
        first(REGION, flags).ifPresent(b -> size(head.append(stamp), "Heap Region Size: ", b));
        return head.toString();
    }

    private static void size(StringBuilder head, String what, String bytes) {
        head.append("[info][gc,init] ")
                .append(what)
                .append(Long.parseLong(bytes) / KIB)
                .append("K\n");
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }
}
