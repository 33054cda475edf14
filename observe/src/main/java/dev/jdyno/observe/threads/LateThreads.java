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

/// Finds the method that delayed the stops of jdyno's dumps. A stopped thread uses no CPU, so the
/// last thread to stop is the one that used most CPU while the others were already stopped. The
/// dump contains the CPU time of each thread at the stop, and the kernel's statistics contain it
/// from just before. A thread that only waited for a core used almost none meanwhile, however much
/// it used before. The late thread is found where it stopped: after the loop or the copy in which
/// it could not stop, in the same method or its caller.
public final class LateThreads {
    /// Minimum time in ms until the last thread had stopped for a thread to have kept running. With
    /// a free core a thread stops within 1 ms.
    static final double LATE_MS = 20;

    /// Minimum CPU time of that thread, as a share of the time until all had stopped. It is below
    /// 1, because the thread may lack a core at times.
    private static final double RAN = 0.5;

    private final Map<String, Double> methodsMs = new HashMap<>();
    private double lateMs;

    /// @param syncMs time from the request of the dump's safepoint until the last thread had
    ///   stopped
    /// @param before CPU time of the threads just before that request
    public void add(ThreadDump dump, double syncMs, SchedProbe.Reading before) {
        if (syncMs >= LATE_MS) {
            lateMs += syncMs;
            longestRun(dump, syncMs * RAN, before)
                    .flatMap(LateThreads::method)
                    .ifPresent(m -> methodsMs.merge(m, syncMs, Double::sum));
        }
    }

    private static Optional<JavaThread> longestRun(
            ThreadDump dump, double leastMs, SchedProbe.Reading before) {
        JavaThread max = null;
        double mostMs = leastMs;
        for (JavaThread thread : dump.threads()) {
            double ran = thread.state() == ThreadDump.State.RUNNABLE ? ranMs(thread, before) : 0;
            if (ran >= mostMs && !thread.frames().isEmpty()) {
                max = thread;
                mostMs = ran;
            }
        }
        return Optional.ofNullable(max);
    }

    /// CPU time in ms since `before`; 0 if it is not known.
    private static double ranMs(JavaThread thread, SchedProbe.Reading before) {
        SchedProbe.Times then = before.byThread().get(thread.tid());
        return then == null ? 0 : thread.cpuMs().map(now -> now - then.onCpu() / 1e6).orElse(0.0);
    }

    private static Optional<String> method(JavaThread thread) {
        return thread.frames().stream().filter(Profile::isOfTheApplication).findFirst();
    }

    /// The place of {@link Sign#SAFEPOINT_SYNC_SHARE}: the method that caused most of that time.
    /// Nothing if no stop was late or no running thread was found.
    public Signals signals() {
        return new Signals(
                Map.of(), Signals.share(Sign.SAFEPOINT_SYNC_SHARE, methodsMs, lateMs).places());
    }
}
