package dev.jdyno.cli.heap;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.GcLogWindow;
import dev.jdyno.observe.host.MemoryLimit;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.sizing.HeapReading;
import dev.jdyno.sizing.TappedLog;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/// Sizing advice for a JVM that runs: live set, allocation, survival and promotion are read from a
/// GC log that is switched on in it for a while.
record LiveHeap(
        long pid,
        HeapReading read,
        HeapGoal goal,
        HeapAdvice advice,
        Optional<Bytes> container,
        String limitFrom) {
    /// @param stop ends the look early, with what it has
    /// @throws UserError when it is no JVM of ours, or did not collect meanwhile
    static LiveHeap watch(
            long pid, Duration length, BooleanSupplier stop, HeapGoal goal, SizingOptions sizing)
            throws InterruptedException, IOException {
        Path file = Files.createTempFile("jdyno-heap-", ".log");
        try (Target target = Target.attach(pid)) {
            String flags = target.jcmd().run("VM.flags");
            long start = NanoClock.SYSTEM.nanos();
            try (GcLogWindow window = GcLogWindow.open(target)) {
                window.stay(length, stop);
                target.requireAlive();
                window.finish(file);
            }
            Analysis a = TappedLog.read(file, flags);
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
        }
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
