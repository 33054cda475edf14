package dev.jdyno.observe.host;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.target.ProcFs;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Time on a core and time waiting for one, per thread, from `/proc/PID/task/TID/schedstat`. These
/// times distinguish a running thread from one that waits for a core; Java's state `RUNNABLE`
/// covers both.
public final class SchedProbe implements Probe {
    /// Maximum length of a line: more than three numbers of 20 digits.
    private static final int LINE_BYTES = 80;

    private final ProcFs proc;
    private final long pid;
    private final NanoClock clock;

    public SchedProbe(ProcFs proc, long pid, NanoClock clock) {
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
    }

    /// Totals of one thread, in nanoseconds.
    public record Times(long onCpu, long waiting) {
        /// Parses a line `2812345 40112 37`: ns on a core, ns waiting for one, time slices. It
        /// creates no string, because this file is read most often.
        ///
        /// @param length bytes of the line
        /// @return null if the line has another format
        static @Nullable Times parse(byte[] line, int length) {
            int at = 0;
            long onCpu = 0;
            while (at < length && isDigit(line[at])) {
                onCpu = 10 * onCpu + line[at++] - '0';
            }
            int second = at + 1;
            if (at == 0 || second >= length || line[at] != ' ' || !isDigit(line[second])) {
                return null;
            }
            long waiting = 0;
            for (at = second; at < length && isDigit(line[at]); at++) {
                waiting = 10 * waiting + line[at] - '0';
            }
            return new Times(onCpu, waiting);
        }

        private static boolean isDigit(byte b) {
            return b >= '0' && b <= '9';
        }
    }

    /// Totals of all threads at one instant.
    ///
    /// @param costNanos duration of the reading itself
    public record Reading(Map<Long, Times> byThread, long costNanos) {
        /// Σ (time waiting for a core) ÷ time: the mean number of threads in the run queue. A
        /// thread that began or ended in between is counted only for the time in which it was
        /// found.
        public double runQueueSince(Reading before, double seconds) {
            double nanos = 0;
            for (var e : byThread.entrySet()) {
                Times then = before.byThread.getOrDefault(e.getKey(), new Times(0, 0));
                nanos += Math.max(0, e.getValue().waiting() - then.waiting());
            }
            return nanos / 1e9 / seconds;
        }
    }

    public List<Long> threads() {
        String[] tasks = proc.of(pid, "task").toFile().list();
        return tasks == null ? List.of() : Arrays.stream(tasks).map(Long::valueOf).toList();
    }

    public Reading read() {
        return read(threads());
    }

    public Reading read(Collection<Long> tids) {
        long start = clock.nanos();
        Map<Long, Times> times = HashMap.newHashMap(tids.size());
        byte[] buffer = new byte[LINE_BYTES];
        String folder = proc.of(pid, "task") + "/";
        for (long tid : tids) {
            int bytes = ProcFs.read(folder + tid + "/schedstat", buffer);
            Times now = bytes < 0 ? null : Times.parse(buffer, bytes);
            if (now != null) {
                times.put(tid, now);
            }
        }
        return new Reading(times, clock.nanos() - start);
    }

    public int liveThreads() {
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
        return read(List.of(pid)).byThread().containsKey(pid)
                ? Optional.empty()
                : Optional.of("/proc/" + pid + "/task/*/schedstat cannot be read");
    }
}
