package dev.jdyno.observe.window;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.SampledThreads;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.observe.gc.GcCounterReader;
import dev.jdyno.observe.gc.GcCounters;
import dev.jdyno.observe.heap.LiveGrowth;
import dev.jdyno.observe.heap.LiveObjects;
import dev.jdyno.observe.host.Neighbours;
import dev.jdyno.observe.host.SchedProbe;
import dev.jdyno.observe.probe.Wait;
import dev.jdyno.observe.sockets.Databases;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.PoolName;
import dev.jdyno.observe.stacks.SourceLines;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.StackTree;
import dev.jdyno.observe.stacks.ThreadDump;
import dev.jdyno.observe.threads.ClassMakers;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.Dumps;
import dev.jdyno.observe.threads.LateThreads;
import dev.jdyno.observe.threads.LockGraph;
import dev.jdyno.observe.threads.LogCalls;
import dev.jdyno.observe.threads.SampledThread;
import dev.jdyno.observe.threads.ThreadReader;
import dev.jdyno.observe.threads.VirtualSample;
import dev.jdyno.observe.threads.VirtualThreads;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.PerfData;
import dev.jdyno.target.PoolBeans;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Takes the thread samples of a target under load: some thread dumps, spread over a window, with
/// the scheduler's statistics and the sockets of the same window.
///
/// Each dump stops the target (0.5 ms with 50 threads, 3 ms with 400). So thread samples have a
/// separate window, whose latency is not reported. The sampler limits itself: the gaps between
/// dumps keep the target stopped for at most 5 % of the time. The window may grow to three times
/// its length for that; after that there are fewer dumps. `Thread.print -l` is never used, because
/// it walks the heap.
public final class ThreadSampler implements AutoCloseable {
    /// Maximum pause by a dump without a longer gap to the next dump.
    static final double PAUSE_LIMIT_MS = 5;

    /// Minimum gap between dumps, as a multiple of the pause, once a pause exceeded the limit.
    private static final int PAUSES_APART = 20;

    /// Multiples of it, modulo 1, are spread as evenly as possible and never repeat.
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    private static final int MAX_WINDOW_GROWTH = 3;

    private final Target target;
    private final NanoClock clock;
    private final ProcFs proc = ProcFs.SYSTEM;
    private final SchedProbe sched;
    private final SignalsProbe signals;
    private final VirtualThreads virtuals;
    private final Databases databases;
    private final Neighbours neighbours;
    private final ThreadReader threads;
    private final Frames frames;
    private final @Nullable PerfData perf;
    private final Optional<GcCounterReader> gcCounters;
    private final SourceLines lines = new SourceLines();
    private StackTree stacks = new StackTree();
    private int stacksOfDumps;
    private double stacksOwed;

    /// Missing evidence by source; of several windows the first one that lacked it.
    private final Map<String, Unseen> missing = new LinkedHashMap<>();

    private Optional<URI> asked = Optional.empty();
    private BooleanSupplier stop = () -> false;

    /// True once a dump has shown virtual threads. It stays true, because they are not visible in a
    /// dump in which no carrier runs one.
    private boolean runsVirtual;

    private ThreadSampler(Target target, NanoClock clock, Frames frames, @Nullable PerfData perf) {
        this.frames = frames;
        this.threads = new ThreadReader(proc, target.pid(), new StackClassifier(frames));
        this.target = target;
        this.clock = clock;
        this.perf = perf;
        this.gcCounters = Optional.ofNullable(perf).map(GcCounterReader::new);
        this.sched = new SchedProbe(proc, target.pid(), clock);
        this.signals = new SignalsProbe(proc, target.pid());
        this.virtuals = new VirtualThreads(proc, target, clock);
        this.databases = signals.databases();
        this.neighbours = new Neighbours(proc, Set.of(target.pid(), ProcessHandle.current().pid()));
    }

    public static ThreadSampler of(Target target, NanoClock clock) {
        return of(target, clock, Frames.builtIn());
    }

    /// @param frames meanings of stack frames
    public static ThreadSampler of(Target target, NanoClock clock, Frames frames) {
        PerfData perf;
        try {
            perf = PerfData.of(target.pid());
        } catch (UserError none) {
            perf = null;
        }
        return new ThreadSampler(target, clock, frames, perf);
    }

    /// Sets the URL of the load. A server in front of the target may listen on it.
    public ThreadSampler asking(URI url) {
        asked = Optional.of(url);
        return this;
    }

    /// Sets the condition for ending early. The sampler then returns what it has.
    public ThreadSampler until(BooleanSupplier wish) {
        stop = wish;
        return this;
    }

    /// Takes the dumps, spread over the window, and samples the sockets before each.
    private void spread(
            Duration window,
            int wanted,
            long start,
            SocketSamples sockets,
            Dumps dumps,
            Found found)
            throws InterruptedException {
        long deadline = start + MAX_WINDOW_GROWTH * window.toNanos();
        for (int i = 0; i < wanted; i++) {
            long dumpStart = clock.nanos();
            Sockets now = sockets.look(clock);
            SchedProbe.Reading before = sched.read();
            Optional<Dumps.Dumped> dumped = dumps.take();
            if (dumped.isPresent()) {
                found.add(dumped.get(), read(dumped.get().dump(), now, found), before);
            } else if (!target.isAlive()) {
                break;
            }
            double pauseMs = dumped.map(Dumps.Dumped::pauseMs).orElse(0.0);
            long next = dumpStart + gapNanos(window, wanted, i, pauseMs);
            if (next > deadline + virtuals.tookNanos() || i == wanted - 1) {
                break;
            }
            Wait.until(clock, next, stop);
            if (stop.getAsBoolean()) {
                break;
            }
        }
    }

    /// Takes the thread samples of one window. The target may refuse dumps, have no file
    /// descriptors left or be stopped. Then only data of the kernel and the JVM's counters remain:
    /// {@link #missing} reports it, and the thread samples have no dump.
    ///
    /// @param qps throughput meanwhile; 0 if only the client knows it
    /// @param window time over which the dumps are spread
    /// @param wanted number of dumps, at least 10 for useful means
    public SampledThreads take(double qps, Duration window, int wanted)
            throws InterruptedException {
        ThreadSampleTally tally = new ThreadSampleTally();
        stacks = new StackTree();
        stacksOfDumps = 0;
        stacksOwed = 0;
        virtuals.beginWindow();
        long start = clock.nanos();
        SchedProbe.Reading before = sched.read();
        SignalsProbe.Totals totals = signals.read(counters());
        Neighbours.Reading others = neighbours.read();
        var disks = DiskWindow.begin(proc, target.pid());
        var sockets = new SocketSamples(proc, target.pid(), signals, asked);
        var dumps = new Dumps(target, clock, this::counters);
        var found = new Found(tally, frames, proc.standardOutputOf(target.pid()));
        spread(window, wanted, start, sockets, dumps, found);
        lines.addAll(dumps.lines());
        Stream.of(dumps.missing(), virtuals.missing(), sockets.missing())
                .flatMap(Optional::stream)
                .forEach(this::unseen);
        SocketSamples.Last last = sockets.last();
        tally.downstreams(last.downstreams().keySet());
        List<Calls> calls = sockets.calls(databases::at);
        tally.correctPeers(calls);
        sockets.own().markOwn(tally, calls);
        sockets.inside().of(Sign.REQUESTS_INSIDE).ifPresent(tally::requestsInside);
        SchedProbe.Reading after = sched.read();
        double seconds = clock.secondsSince(start);
        Map<Long, CoreUse> cores = coreUse(before, after, seconds);
        double unread = sockets.waiting();
        ThreadPlaces places =
                AwaitedCalls.applied(
                        sockets.own().applied(tally.places(qps, cores, unread), calls),
                        tally.awaitingTasks());
        Signals signs =
                sockets.ofTarget(
                                found.withoutOurs(
                                        signals.between(
                                                totals, signals.read(counters()), seconds, cores),
                                        seconds))
                        .and(sockets.signals(last))
                        .and(neighbours.between(others, neighbours.read(others), seconds))
                        .and(disks.end(seconds))
                        .and(
                                tally.dumps() == 0
                                        ? Signals.NONE
                                        : CompilerState.ask(target.jcmd()::run));
        // read after the window, because it is not a part of it
        SocketSamples.Limits limits = sockets.limits();
        limits.missing().ifPresent(this::unseen);
        PoolBeans.Reported beans = reportedByBeans(tally.dumps());
        var requests =
                new PoolQueues.Requests(
                        places.requests().busyThreads() + unread,
                        signs.of(Sign.REQUESTS_INSIDE).orElse(0.0));
        return new SampledThreads(
                tally.dumps(),
                found.longestPauseMs,
                places,
                unread,
                sockets.listenQueue(),
                signs,
                ReportedQueues.of(
                        PoolQueues.of(places, requests, sockets.waitingByPort()), beans.queues()),
                ReportedQueues.limits(limits.known(), beans.limits()));
    }

    /// Reads the MBeans. It must come after all window counters, because JMX answers use threads of
    /// the target.
    private PoolBeans.Reported reportedByBeans(int dumps) throws InterruptedException {
        if (dumps == 0) {
            return PoolBeans.Reported.NOTHING;
        }
        try {
            return PoolBeans.read(target);
        } catch (UserError unread) {
            unseen(new Unseen("queues and limits by MBeans", unread.why()));
            return PoolBeans.Reported.NOTHING;
        }
    }

    /// The results of the dumps of one window. The tally contains where the threads are in the
    /// code.
    private static final class Found {
        private final ThreadSampleTally tally;
        private final LogCalls logCalls;
        private final ClassMakers makers;
        private final LateThreads late = new LateThreads();
        // of the last dump: a deadlock that a timeout ended does not count
        private List<ThreadReport.Deadlock> deadlocks = List.of();
        private double behindDeadlocks;
        private double longestPauseMs;
        private double pauseMs;
        private double syncMs;
        private double virtualThreads;
        private double pinnedThreads;

        Found(ThreadSampleTally tally, Frames frames, Optional<String> standardOutput) {
            this.tally = tally;
            this.logCalls = new LogCalls(frames, standardOutput);
            this.makers = new ClassMakers(frames);
        }

        /// @param before CPU time of the threads just before the dump
        void add(Dumps.Dumped dumped, List<SampledThread> seen, SchedProbe.Reading before) {
            tally.add(seen);
            logCalls.add(seen);
            makers.add(seen);
            late.add(dumped.dump(), dumped.syncMs(), before);
            var locks = new LockGraph(dumped.dump().threads());
            deadlocks = locks.deadlocks();
            behindDeadlocks = locks.behindDeadlocks();
            pauseMs += dumped.pauseMs();
            syncMs += dumped.syncMs();
            longestPauseMs = Math.max(longestPauseMs, dumped.pauseMs());
        }

        /// @param counted counters of the window, including the stops by jdyno
        Signals withoutOurs(Signals counted, double seconds) {
            int n = tally.dumps();
            if (n == 0) {
                return counted;
            }
            return counted.less(Sign.SAFEPOINT_SHARE, pauseMs / 1000 / seconds)
                    .less(Sign.SAFEPOINT_SYNC_SHARE, syncMs / 1000 / seconds)
                    .less(Sign.SAFEPOINTS_PER_S, n / seconds)
                    .and(
                            new Signals(
                                    Map.of(
                                            Sign.VIRTUAL_THREADS,
                                            virtualThreads / n,
                                            Sign.PINNED_THREADS,
                                            pinnedThreads / n,
                                            Sign.OWN_PAUSE_SHARE,
                                            (pauseMs + syncMs) / 1000 / seconds)))
                    .and(deadlocked())
                    .and(logCalls.signals())
                    .and(makers.signals())
                    .and(late.signals());
        }

        private Signals deadlocked() {
            if (deadlocks.isEmpty()) {
                return Signals.NONE;
            }
            double threads = deadlocks.stream().mapToInt(d -> d.circle().size()).sum();
            String says =
                    deadlocks.stream()
                            .flatMap(d -> d.says().stream())
                            .collect(Collectors.joining("; "));
            return new Signals(
                    Map.of(Sign.DEADLOCKED_THREADS, threads, Sign.BEHIND_DEADLOCK, behindDeadlocks),
                    Map.of(Sign.DEADLOCKED_THREADS, says));
        }
    }

    private List<SampledThread> read(ThreadDump dump, Sockets sockets, Found found)
            throws InterruptedException {
        runsVirtual |= VirtualThreads.runIn(dump);
        VirtualSample virtual = runsVirtual ? virtuals.look(stop) : VirtualSample.NONE;
        found.virtualThreads += threads.busy(virtual);
        found.pinnedThreads +=
                virtual.weight()
                        * virtual.threads().stream().filter(VirtualThreads::isPinned).count();
        List<SampledThread> seen = threads.read(dump, virtual, sockets);
        stacksOfDumps++;
        seen.forEach(this::keepStack);
        return seen;
    }

    /// The source lines of methods in the windows so far.
    public SourceLines lines() {
        return lines;
    }

    /// The data that could not be observed in the windows so far, with the reasons.
    public List<String> missing() {
        return missing.values().stream().map(Unseen::text).toList();
    }

    private void unseen(Unseen unseen) {
        missing.putIfAbsent(unseen.source(), unseen);
    }

    private void keepStack(SampledThread seen) {
        ThreadDump.JavaThread thread = seen.thread().thread();
        if (seen.thread().isAtWork() && !seen.serverSide()) {
            // whole samples only: the fraction of a weight is added to the next one
            stacksOwed += seen.weight();
            long whole = (long) stacksOwed;
            stacksOwed -= whole;
            stacks.add(PoolName.of(thread.name()), thread.frames().reversed(), whole);
        }
    }

    /// The threads in use of the last thread samples as a flame graph; one sample is a thread in a
    /// dump.
    public Profile profile() {
        return stacks.profile(
                Profile.Kind.WALL, "dumps", stacksOfDumps == 0 ? 0 : 1.0 / stacksOfDumps);
    }

    /// Time from the i-th dump to the next: its share of the window. If pauses are long, the gap is
    /// so long that they take at most 5 % of the time.
    public static long gapNanos(Duration window, int dumps, int i, double pauseMs) {
        long share = Math.round(window.toNanos() / (double) dumps * uneven(i));
        return pauseMs <= PAUSE_LIMIT_MS
                ? share
                : Math.max(share, Math.round(PAUSES_APART * pauseMs * 1e6));
    }

    /// Factor for the i-th gap, 0.5…1.5, mean 1. Requests of a closed load with steady service
    /// times run in step, so dumps at equal distances would always find them at the same place.
    public static double uneven(int i) {
        return 0.5 + i * GOLDEN_RATIO % 1;
    }

    /// Counts the live objects three times and returns the growth in between. Each count collects
    /// the whole heap and stops the target meanwhile (240 ms at 600 MB). So it must only be used in
    /// a separate window, and if there is a reason.
    ///
    /// @param apart time from one count to the next
    /// @return only the cost of the counts so far if it was stopped early
    /// @throws UserError when the target gives no count
    public LiveGrowth liveGrowth(Duration apart) throws InterruptedException {
        Counted before = countLive();
        long start = clock.nanos();
        Wait.during(clock, apart, stop);
        if (stop.getAsBoolean()) {
            return LiveGrowth.cost(before.tookMs());
        }
        Counted middle = countLive();
        double until = clock.secondsSince(start);
        Wait.during(clock, apart, stop);
        if (stop.getAsBoolean()) {
            return LiveGrowth.cost(Math.max(before.tookMs(), middle.tookMs()));
        }
        Counted after = countLive();
        double seconds = clock.secondsSince(start);
        double longest = Math.max(before.tookMs(), Math.max(middle.tookMs(), after.tookMs()));
        LiveGrowth steady =
                after.live()
                        .steadyGrowthSince(before.live(), middle.live(), until, seconds - until);
        return new LiveGrowth(
                after.live()
                        .growthSince(before.live(), seconds)
                        .and(steady.signals())
                        .and(after.live().most())
                        .and(new Signals(Map.of(Sign.LIVE_COUNT_PAUSE_MS, longest))),
                steady.steady());
    }

    private record Counted(LiveObjects live, double tookMs) {}

    private Counted countLive() throws InterruptedException {
        long start = clock.nanos();
        String histogram = target.jcmd().run("GC.class_histogram", Jcmd.LIMIT);
        double tookMs = (clock.nanos() - start) / 1e6;
        return new Counted(LiveObjects.parse(histogram), tookMs);
    }

    static Map<Long, CoreUse> coreUse(
            SchedProbe.Reading before, SchedProbe.Reading after, double seconds) {
        Map<Long, CoreUse> use = new HashMap<>();
        after.byThread()
                .forEach((tid, now) -> {
                    var then = before.byThread().getOrDefault(tid, new SchedProbe.Times(0, 0));
                    use.put(
                            tid,
                            new CoreUse(
                                    (now.onCpu() - then.onCpu()) / 1e9 / seconds,
                                    (now.waiting() - then.waiting()) / 1e9 / seconds));
                });
        return use;
    }

    private Optional<GcCounters> counters() {
        return gcCounters.map(GcCounterReader::read);
    }

    @Override
    public void close() {
        if (perf != null) {
            perf.close();
        }
    }
}
