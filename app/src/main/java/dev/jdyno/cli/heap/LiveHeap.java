package dev.jdyno.cli.heap;

import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.GcLogWindow;
import dev.jdyno.observe.host.MemoryLimit;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sizing advice for a JVM that runs: live set, allocation, survival and promotion are read from a
/// GC log that is switched on in it for a while.
record LiveHeap(
        long pid,
        HeapReading read,
        HeapGoal goal,
        HeapAdvice advice,
        Optional<Bytes> container,
        String limitFrom) {
    // [12.345s][info][gc] GC(3) Pause Young …
    private static final Pattern STAMP = Pattern.compile("^\\[\\d+\\.\\d+s\\]");

    // -XX:MaxHeapSize=268435456 -XX:G1HeapRegionSize=1048576 -XX:+UseG1GC
    private static final Pattern HEAP_MAX = Pattern.compile("-XX:MaxHeapSize=(\\d{1,18})\\b");
    private static final Pattern REGION = Pattern.compile("-XX:G1HeapRegionSize=(\\d{1,18})\\b");
    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use(\\w+?)GC\\b");
    private static final String Z_NAME = "The Z Garbage Collector";
    private static final long KIB = 1024;

    /// More than the digits of any stamp.
    private static final int STAMP_BYTES = 64;

    /// @param stop ends the look early, with what it has
    /// @throws UserError when it is no JVM of ours, or did not collect meanwhile
    static LiveHeap watch(
            long pid, Duration length, BooleanSupplier stop, HeapGoal goal, SizingOptions sizing)
            throws InterruptedException, IOException {
        Path head = Files.createTempFile("jdyno-heap-head-", ".log");
        Path file = Files.createTempFile("jdyno-heap-", ".log");
        try (Target target = Target.attach(pid)) {
            String flags = target.jcmd().run("VM.flags");
            long start = NanoClock.SYSTEM.nanos();
            try (GcLogWindow window = GcLogWindow.open(target)) {
                window.stay(length, stop);
                target.requireAlive();
                window.finish(file);
            }
            Files.writeString(head, head(stamp(file), flags));
            Analysis a = GcLog.read(List.of(head, file), GcLog.Options.DEFAULT);
            if (a.pauses().count() < 2) {
                throw new UserError(
                        UserError.Kind.INVALID,
                        "process " + pid + " did not collect enough to advise anything",
                        String.format(
                                Locale.ROOT,
                                "%d pauses in %.0f s",
                                a.pauses().count(),
                                NanoClock.SYSTEM.secondsSince(start)),
                        "watch it under load, or for longer with --duration");
            }
            Optional<Bytes> limit = sizing.container().or(() -> MemoryLimit.of(pid));
            HeapReading read = HeapReading.of(a);
            return new LiveHeap(
                    pid,
                    read,
                    goal,
                    sizing.advice(read, goal, limit),
                    limit,
                    sizing.container().isPresent() ? "--container" : "its cgroup");
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(head);
        }
    }

    /// When the log begins.
    private static String stamp(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            var begin = new String(in.readNBytes(STAMP_BYTES), StandardCharsets.ISO_8859_1);
            Matcher first = STAMP.matcher(begin);
            return first.find() ? first.group() : "[0.000s]";
        }
    }

    /// What the JVM wrote at its start, before the log was opened.
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

    String text() {
        var seen = read.seen();
        var lines = new ArrayList<String>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "process %d in %.0f s: %d collections, %s allocated and %s promoted a second,"
                                + " %s alive",
                        pid,
                        seen.spanS(),
                        seen.gcs(),
                        rate(seen.allocatedBytes() / seen.spanS()),
                        rate(seen.promotedBytes() / seen.spanS()),
                        rate(seen.liveBytes())));
        container.ifPresent(c -> lines.add("memory limit " + c + " (" + limitFrom + ")"));
        lines.addAll(HeapAdviceText.lines(read, goal, advice, OptionalDouble.empty()));
        return String.join(System.lineSeparator(), lines);
    }

    private static Bytes rate(double bytes) {
        return new Bytes(Math.round(bytes));
    }

    private record Document(String schema, long pid, HeapAdviceDocument advice) {}

    String json() {
        return JsonDocument.text(
                new Document(
                        "jdyno/heap-advice/1",
                        pid,
                        HeapAdviceDocument.of(read, goal, advice, container)));
    }
}
