package dev.jdyno.observe;

import dev.jdyno.measure.Census;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.ThreadReport;
import dev.jdyno.observe.ThreadDump.JavaThread;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Looks at the threads of a JVM for a moment: a census, who used the CPU meanwhile, and who waits
/// for whom at its end.
public final class ThreadWatch {
    /// A thread below this used no CPU worth a line.
    private static final double SHOWN_FROM_CORES = 0.001;

    private final Target target;
    private final NanoClock clock;
    private final Frames frames;

    public ThreadWatch(Target target, NanoClock clock) {
        this(target, clock, Frames.builtIn());
    }

    /// @param frames what stack frames mean
    public ThreadWatch(Target target, NanoClock clock, Frames frames) {
        this.target = target;
        this.clock = clock;
        this.frames = frames;
    }

    /// @param window over which CPU is counted and the dumps are spread
    /// @param dumps thread dumps of the census
    /// @param owners also ask once who owns the java.util.concurrent locks (`Thread.print -l`): it
    ///   walks the heap and stops the JVM meanwhile
    /// @throws dev.jdyno.measure.UserError when the JVM gives no thread dump
    public ThreadReport look(Duration window, int dumps, boolean owners)
            throws InterruptedException {
        var sched = new SchedProbe(ProcFs.SYSTEM, target.pid(), clock);
        long start = clock.nanos();
        SchedProbe.Reading before = sched.read();
        Census census;
        try (var taker = CensusTaker.of(target, clock, frames)) {
            census = taker.take(0, 0, window, dumps);
        }
        SchedProbe.Reading after = sched.read();
        double seconds = clock.secondsSince(start);
        ThreadDump last =
                ThreadDump.parse(target.jcmd().run(owners ? "Thread.print -l" : "Thread.print"));
        var graph = new LockGraph(last.threads());
        return new ThreadReport(
                seconds,
                census,
                states(last),
                busiest(last, before, after, seconds),
                graph.queues(),
                graph.deadlocks(),
                owners);
    }

    private static Map<String, Integer> states(ThreadDump dump) {
        Map<String, Integer> states = new TreeMap<>();
        dump.threads().forEach(t -> states.merge(t.state().name(), 1, Integer::sum));
        return states;
    }

    private List<ThreadReport.Busy> busiest(
            ThreadDump dump, SchedProbe.Reading before, SchedProbe.Reading after, double seconds) {
        Map<Long, JavaThread> byTid = new HashMap<>();
        Map<Long, Long> outer = ThreadReader.outerTids(ProcFs.SYSTEM, target.pid());
        dump.threads().forEach(t -> byTid.put(outer.getOrDefault(t.tid(), t.tid()), t));
        List<ThreadReport.Busy> busy = new ArrayList<>();
        after.byThread()
                .forEach((tid, now) -> {
                    var then = before.byThread().getOrDefault(tid, new SchedProbe.Times(0, 0));
                    double cores = (now.onCpu() - then.onCpu()) / 1e9 / seconds;
                    if (cores >= SHOWN_FROM_CORES) {
                        Optional<JavaThread> java = Optional.ofNullable(byTid.get(tid));
                        busy.add(
                                new ThreadReport.Busy(
                                        java.map(JavaThread::name).orElseGet(() -> comm(tid)),
                                        tid,
                                        cores,
                                        (now.waiting() - then.waiting()) / 1e9 / seconds,
                                        java.map(t -> t.state().name()),
                                        java.map(JavaThread::frames).orElse(List.of())));
                    }
                });
        busy.sort(Comparator.comparingDouble(ThreadReport.Busy::cores).reversed());
        return busy;
    }

    /// The kernel's name of a thread of the JVM's own: `C2 CompilerThre`, `GC Thread#0`.
    private String comm(long tid) {
        return ProcFs.text(ProcFs.SYSTEM.of(target.pid()).resolve("task/" + tid + "/comm"))
                .map(String::strip)
                .orElse("thread " + tid);
    }
}
