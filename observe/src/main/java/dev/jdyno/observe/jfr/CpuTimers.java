package dev.jdyno.observe.jfr;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.target.ProcFs;
import java.time.Duration;
import java.util.OptionalLong;

/// Checks whether a JVM takes the requested CPU-time samples. The JVM sets a POSIX timer for each
/// of its threads, which the kernel lists. It sets no timers if other code in the process, such as
/// a user's profiler, already uses the signal. The JVM reports this only in its own log.
final class CpuTimers {
    // signal: 27/0000000000000000
    private static final String PROFILING = "signal: 27/";

    /// Maximum wait for the timers. They exist when the JVM answers; on a machine without a free
    /// core a little later.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ProcFs proc;
    private final long pid;
    private final OptionalLong before;

    private CpuTimers(ProcFs proc, long pid, OptionalLong before) {
        this.proc = proc;
        this.pid = pid;
        this.before = before;
    }

    /// Counts the timers before the samples are requested.
    static CpuTimers before(ProcFs proc, long pid) {
        return new CpuTimers(proc, pid, count(proc, pid));
    }

    private static OptionalLong count(ProcFs proc, long pid) {
        return proc.text(pid, "timers").stream()
                .mapToLong(t -> t.lines().filter(l -> l.startsWith(PROFILING)).count())
                .findFirst();
    }

    /// True if timers were set since {@link #before}. If the kernel does not list them, the JVM's
    /// answer is trusted.
    boolean cameSince(NanoClock clock) throws InterruptedException {
        long begun = clock.nanos();
        while (true) {
            OptionalLong now = count(proc, pid);
            if (before.isEmpty() || now.isEmpty() || now.getAsLong() > before.getAsLong()) {
                return true;
            }
            if (clock.nanos() - begun > PATIENCE.toNanos()) {
                return false;
            }
            Wait.during(clock, Duration.ofMillis(50), () -> false);
        }
    }
}
