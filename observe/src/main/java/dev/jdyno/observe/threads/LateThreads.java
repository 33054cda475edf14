package dev.jdyno.observe.threads;

import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// For which method the stops of our dumps waited. A thread that has stopped uses no CPU, so the
/// last one to stop is the one that used most of it since the dump before. It is found where it
/// stopped: behind the loop or the copy that it could not stop in, in the same method or its
/// caller.
public final class LateThreads {
    /// ms until the last thread had stopped, from which one ran on: with a core free a thread stops
    /// within one.
    static final double LATE_MS = 20;

    /// Share of the time until all had stopped that the thread must have used CPU for: it may lack
    /// a core at times.
    private static final double RAN = 0.5;

    private final Map<Long, Double> cpuMsBefore = new HashMap<>();
    private final Map<String, Double> methodsMs = new HashMap<>();
    private double lateMs;

    /// @param syncMs from the call for the dump's stop until the last thread had stopped
    public void add(ThreadDump dump, double syncMs) {
        if (syncMs >= LATE_MS) {
            lateMs += syncMs;
            mostRun(dump, syncMs * RAN)
                    .flatMap(LateThreads::method)
                    .ifPresent(m -> methodsMs.merge(m, syncMs, Double::sum));
        }
        cpuMsBefore.clear();
        dump.threads().forEach(t -> t.cpuMs().ifPresent(ms -> cpuMsBefore.put(t.tid(), ms)));
    }

    private Optional<JavaThread> mostRun(ThreadDump dump, double leastMs) {
        JavaThread most = null;
        double mostMs = leastMs;
        for (JavaThread thread : dump.threads()) {
            double ran = thread.state() == ThreadDump.State.RUNNABLE ? ranMs(thread) : 0;
            if (ran >= mostMs && !thread.frames().isEmpty()) {
                most = thread;
                mostMs = ran;
            }
        }
        return Optional.ofNullable(most);
    }

    /// 0 where it is not known.
    private double ranMs(JavaThread thread) {
        Double before = cpuMsBefore.get(thread.tid());
        return before == null ? 0 : thread.cpuMs().map(now -> now - before).orElse(0.0);
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
