package dev.jdyno.observe;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Time on a core and time waiting for one, per thread, from `/proc/PID/task/TID/schedstat`. The
/// run queue is what tells a thread that works from one that only would like to ("RUNNABLE" says
/// neither).
final class SchedProbe implements Probe {
    private final ProcFs proc;
    private final long pid;
    private final NanoClock clock;

    SchedProbe(ProcFs proc, long pid, NanoClock clock) {
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
    }

    /// Totals of one thread, in nanoseconds.
    record Times(long onCpu, long waiting) {}

    /// Totals of all threads at one instant.
    ///
    /// @param costNanos what the reading itself took
    record Reading(Map<Long, Times> byThread, long costNanos) {
        /// Σ (time waiting for a core) ÷ time: the mean number of threads in the run queue. A
        /// thread that began or ended in between is counted from or up to where it was seen.
        double runQueueSince(Reading before, double seconds) {
            double nanos = 0;
            for (var e : byThread.entrySet()) {
                Times then = before.byThread.getOrDefault(e.getKey(), new Times(0, 0));
                nanos += Math.max(0, e.getValue().waiting() - then.waiting());
            }
            return nanos / 1e9 / seconds;
        }
    }

    List<Long> threads() {
        List<Long> tids = new ArrayList<>();
        try (var tasks = Files.newDirectoryStream(proc.of(pid, "task"))) {
            for (Path task : tasks) {
                tids.add(Long.parseLong(task.getFileName().toString()));
            }
        } catch (IOException gone) {
            return List.of();
        }
        return tids;
    }

    Reading read() {
        return read(threads());
    }

    Reading read(Collection<Long> tids) {
        long start = clock.nanos();
        Map<Long, Times> times = new HashMap<>();
        for (long tid : tids) {
            of(tid).ifPresent(t -> times.put(tid, t));
        }
        return new Reading(times, clock.nanos() - start);
    }

    private Optional<Times> of(long tid) {
        // 2812345 40112 37 : ns on a core, ns waiting for one, time slices
        return ProcFs.text(proc.of(pid).resolve("task/" + tid + "/schedstat"))
                .map(t -> t.trim().split(" "))
                .filter(t -> t.length >= 2)
                .map(t -> new Times(Long.parseLong(t[0]), Long.parseLong(t[1])));
    }

    int liveThreads() {
        return proc.status(pid, "Threads").map(Integer::parseInt).orElse(0);
    }

    @Override
    public Sheet sheet() {
        return new Sheet(
                "schedstat",
                "a kernel with scheduler statistics (CONFIG_SCHED_INFO)",
                "one small read per thread, at most 1 % of a core: rarer with many threads");
    }

    @Override
    public Optional<String> missing() {
        return of(pid).isPresent()
                ? Optional.empty()
                : Optional.of("/proc/" + pid + "/task/*/schedstat cannot be read");
    }
}
