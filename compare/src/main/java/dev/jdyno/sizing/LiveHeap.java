package dev.jdyno.sizing;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.GcLogWindow;
import dev.jdyno.observe.host.MemoryLimit;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Sizing advice for a running JVM. Live set, allocation, survival and promotion come from a GC log
/// that is switched on for a while.
///
/// @param container memory limit of the whole JVM: the limit that the user gave, or the limit of
///   its cgroup
public record LiveHeap(
        long pid,
        HeapReading read,
        HeapGoal goal,
        HeapAdvice advice,
        Optional<Bytes> container,
        SizingWishes wishes) {
    /// @param stop ends the observation early; the advice then uses the data so far
    /// @throws UserError if the process is no JVM of this user, or it collected fewer than twice
    public static LiveHeap watch(
            long pid, Duration length, BooleanSupplier stop, HeapGoal goal, SizingWishes wishes)
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
            Optional<Bytes> limit = wishes.container().or(() -> MemoryLimit.of(pid));
            HeapReading read = HeapReading.of(a);
            return new LiveHeap(pid, read, goal, wishes.advice(read, goal, limit), limit, wishes);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// True if the user gave the limit, false if it is the limit of the process's cgroup.
    public boolean isAsked() {
        return wishes.container().isPresent();
    }
}
