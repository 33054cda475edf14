package dev.jdyno.observe.window;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.KernelThreads;
import dev.jdyno.observe.threads.LockGraph;
import dev.jdyno.observe.threads.ThreadReader;
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
import java.util.function.BooleanSupplier;

/// Observes the threads of a JVM for a short time: thread samples, CPU use of threads meanwhile,
/// and locks with their waiters at the end.
public final class ThreadWatch {
    /// Minimum CPU use of a thread that is listed, in cores.
    private static final double SHOWN_FROM_CORES = 0.001;

    private final Target target;
    private final NanoClock clock;
    private final Frames frames;
    private final BooleanSupplier stop;
    private final KernelThreads kernel;

    public ThreadWatch(Target target, NanoClock clock) {
        this(target, clock, Frames.builtIn(), () -> false);
    }

    /// @param frames meanings of stack frames
    /// @param stop ends the observation early, with the data so far
    public ThreadWatch(Target target, NanoClock clock, Frames frames, BooleanSupplier stop) {
        this.target = target;
        this.clock = clock;
        this.frames = frames;
        this.stop = stop;
        this.kernel = new KernelThreads(ProcFs.SYSTEM, target.pid());
    }

    /// Observes the threads. If the JVM gives no thread dump, the report has only the kernel's data
    /// on its threads.
    ///
    /// @param window time over which CPU is counted and the dumps are spread
    /// @param dumps number of thread dumps
    /// @param owners also ask once for the owners of java.util.concurrent locks (`Thread.print
    ///   -l`): it walks the heap and stops the JVM meanwhile
    /// @throws UserError when the JVM ends meanwhile
    public ThreadReport look(Duration window, int dumps, boolean owners)
            throws InterruptedException {
        var sched = new SchedProbe(ProcFs.SYSTEM, target.pid(), clock);
        long start = clock.nanos();
        SchedProbe.Reading before = sched.read();
        ThreadSamples threadSamples;
        List<String> missing;
        try (var taker = ThreadSampler.of(target, clock, frames).until(stop)) {
            threadSamples = taker.take(0, window, dumps).at(0, 0);
            missing = new ArrayList<>(taker.missing());
        }
        SchedProbe.Reading after = sched.read();
        double seconds = clock.secondsSince(start);
        Map<Long, CoreUse> use = ThreadSampler.coreUse(before, after, seconds);
        List<ThreadReport.Group> groups = kernel.groups(use);
        if (!target.isAlive()) {
            throw UserError.target(
                    "the JVM ended while its threads were looked at",
                    "process " + target.pid() + " is gone",
                    "see its own log");
        }
        Optional<ThreadDump> dump =
                threadSamples.dumps() == 0 ? Optional.empty() : lastDump(owners, missing);
        ThreadDump last = dump.orElse(ThreadDump.NONE);
        var graph = new LockGraph(last.threads());
        return new ThreadReport(
                seconds,
                threadSamples,
                states(last),
                busiest(last, use),
                graph.queues(),
                graph.deadlocks(),
                owners,
                dump.isPresent() ? List.of() : groups,
                missing);
    }

    private Optional<ThreadDump> lastDump(boolean owners, List<String> missing)
            throws InterruptedException {
        try {
            return Optional.of(
                    ThreadDump.parse(
                            target.jcmd().run(owners ? "Thread.print -l" : "Thread.print")));
        } catch (UserError refused) {
            missing.add("the last thread dump: " + refused.why() + "; no locks, no stacks");
            return Optional.empty();
        }
    }

    private static Map<String, Integer> states(ThreadDump dump) {
        Map<String, Integer> states = new TreeMap<>();
        dump.threads().forEach(t -> states.merge(t.state().name(), 1, Integer::sum));
        return states;
    }

    private List<ThreadReport.Busy> busiest(ThreadDump dump, Map<Long, CoreUse> use) {
        Map<Long, JavaThread> byTid = new HashMap<>();
        Map<Long, Long> outer = ThreadReader.outerTids(ProcFs.SYSTEM, target.pid());
        dump.threads().forEach(t -> byTid.put(outer.getOrDefault(t.tid(), t.tid()), t));
        List<ThreadReport.Busy> busy = new ArrayList<>();
        use.forEach((tid, of) -> {
            if (of.onCpu() >= SHOWN_FROM_CORES) {
                Optional<JavaThread> java = Optional.ofNullable(byTid.get(tid));
                busy.add(
                        new ThreadReport.Busy(
                                java.map(JavaThread::name).orElseGet(() -> kernel.name(tid)),
                                tid,
                                of.onCpu(),
                                of.waiting(),
                                java.map(t -> t.state().name()),
                                java.map(JavaThread::frames).orElse(List.of())));
            }
        });
        busy.sort(Comparator.comparingDouble(ThreadReport.Busy::cores).reversed());
        return busy;
    }
}
