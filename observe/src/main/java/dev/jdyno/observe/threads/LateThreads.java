package dev.jdyno.observe.threads;

import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// For which method the stops of our dumps waited. A thread that has stopped uses no CPU, so the
/// last one to stop is the one that used most of it while the others stood: the dump prints the CPU
/// time of each thread at the stop, and the kernel's statistics have it from just before. A thread
/// that only waited for a core used next to none meanwhile, however much it used before. The late
/// one is found where it stopped: behind the loop or the copy that it could not stop in, in the
/// same method or its caller.
public final class LateThreads {
    /// ms until the last thread had stopped, from which one ran on: with a core free a thread stops
    /// within one.
    static final double LATE_MS = 20;

    /// Share of the time until all had stopped that the thread must have used CPU for: it may lack
    /// a core at times.
    private static final double RAN = 0.5;

    private final Map<String, Double> methodsMs = new HashMap<>();
    private double lateMs;

    /// @param syncMs from the call for the dump's stop until the last thread had stopped
    /// @param before CPU time of the threads just before that call
    public void add(ThreadDump dump, double syncMs, SchedProbe.Reading before) {
        if (syncMs >= LATE_MS) {
            lateMs += syncMs;
            mostRun(dump, syncMs * RAN, before)
                    .flatMap(LateThreads::method)
                    .ifPresent(m -> methodsMs.merge(m, syncMs, Double::sum));
        }
    }

    private static Optional<JavaThread> mostRun(
            ThreadDump dump, double leastMs, SchedProbe.Reading before) {
        JavaThread most = null;
        double mostMs = leastMs;
        for (JavaThread thread : dump.threads()) {
            double ran = thread.state() == ThreadDump.State.RUNNABLE ? ranMs(thread, before) : 0;
            if (ran >= mostMs && !thread.frames().isEmpty()) {
                most = thread;
                mostMs = ran;
            }
        }
        return Optional.ofNullable(most);
    }

    /// 0 where it is not known.
    private static double ranMs(JavaThread thread, SchedProbe.Reading before) {
        SchedProbe.Times then = before.byThread().get(thread.tid());
        return then == null ? 0 : thread.cpuMs().map(now -> now - then.onCpu() / 1e6).orElse(0.0);
    }

    private static Optional<String> method(JavaThread thread) {
        return thread.frames().stream().filter(Profile::isOfTheApplication).findFirst();
    }

    /// The place of {@link Sign#SAFEPOINT_SYNC_SHARE}: the method for which most of that time was
    /// waited; nothing where no stop was late or no thread was seen running on.
    public Signals signals() {
        return new Signals(
                Map.of(), Signals.share(Sign.SAFEPOINT_SYNC_SHARE, methodsMs, lateMs).places());
    }
}
