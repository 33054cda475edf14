package dev.jdyno.observe;

import dev.jdyno.measure.Calls;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Profile;
import dev.jdyno.measure.Signals;
import dev.jdyno.measure.Signals.Sign;
import dev.jdyno.measure.UserError;
import dev.jdyno.observe.CensusTally.CoreUse;
import dev.jdyno.observe.CensusTally.Seen;
import dev.jdyno.target.PerfData;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Takes the census of a target under load: some thread dumps, spread over a window, with the
/// scheduler's statistics and the sockets of the same window.
///
/// Each dump stops the target (0.5 ms with 50 threads, 3 ms with 400), so a census has a window of
/// its own, outside of every window whose latency is reported. It slows down by itself: dumps are
/// kept so far apart that they never stop the target for more than 5 % of the time, and the window
/// may grow to three times its length for that; then there are fewer dumps. `Thread.print -l` is
/// never used: it walks the heap.
public final class CensusTaker implements AutoCloseable {
    /// A pause of ours that asks for fewer dumps.
    static final double PAUSE_LIMIT_MS = 5;

    /// Dumps are at least this many pauses apart once a pause went over the limit.
    private static final int PAUSES_APART = 20;

    /// Multiples of it, modulo 1, spread as evenly as can be and never repeat.
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    private static final int WINDOW_GROWS_AT_MOST = 3;

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
    private StackTree stacks = new StackTree();
    private int stacksOfDumps;
    private Optional<URI> asked = Optional.empty();

    /// Once seen it stays: a dump in which no carrier carries anything shows no sign of them.
    private boolean runsVirtual;

    private CensusTaker(Target target, NanoClock clock, Frames frames, @Nullable PerfData perf) {
        this.frames = frames;
        this.threads = new ThreadReader(proc, target.pid(), new StackClassifier(frames));
        this.target = target;
        this.clock = clock;
        this.perf = perf;
        this.gcCounters = Optional.ofNullable(perf).map(GcCounterReader::new);
        this.sched = new SchedProbe(proc, target.pid(), clock);
        this.signals = new SignalsProbe(proc, target.pid());
        this.virtuals = new VirtualThreads(proc, target);
        this.databases = signals.databases();
        this.neighbours = new Neighbours(proc, Set.of(target.pid(), ProcessHandle.current().pid()));
    }

    public static CensusTaker of(Target target, NanoClock clock) {
        return of(target, clock, Frames.builtIn());
    }

    /// @param frames what stack frames mean
    public static CensusTaker of(Target target, NanoClock clock, Frames frames) {
        PerfData perf;
        try {
            perf = PerfData.of(target.pid());
        } catch (UserError none) {
            perf = null;
        }
        return new CensusTaker(target, clock, frames, perf);
    }

    /// The load goes there, which something in front of the target may listen on.
    public CensusTaker asking(URI url) {
        asked = Optional.of(url);
        return this;
    }

    /// @param concurrency the load's concurrency, for the record
    /// @param qps its throughput, for the record
    /// @param window time over which the dumps are spread
    /// @param dumps how many are wanted, at least 10 for means worth having
    /// @throws UserError when the target gives no thread dump
    public Census take(int concurrency, double qps, Duration window, int dumps)
            throws InterruptedException {
        Set<Long> listeners = Sockets.listeners(proc, target.pid());
        CensusTally tally = new CensusTally();
        stacks = new StackTree();
        stacksOfDumps = 0;
        long start = clock.nanos();
        long deadline = start + WINDOW_GROWS_AT_MOST * window.toNanos();
        SchedProbe.Reading before = sched.read();
        double longestPauseMs = 0;
        double waitingSockets = 0;
        double unsentSockets = 0;
        double listenQueue = 0;
        double virtualThreads = 0;
        double pinnedThreads = 0;
        double ownPauseMs = 0;
        double ownSyncMs = 0;
        long timeWait = 0;
        SocketStatistics kernel = signals.sockets();
        var connections = new Connections();
        var accepted = new AcceptedConnections();
        var front = new FrontConnections(asked);
        var ownCalls = new OwnCalls();
        var logCalls = new LogCalls(frames);
        var makers = new ClassMakers(frames);
        SignalsProbe.Totals totals = signals.read(counters());
        Map<Long, Long> others = neighbours.read();
        for (int i = 0; i < dumps; i++) {
            long dumpStart = clock.nanos();
            Sockets sockets = Sockets.read(proc, target.pid(), listeners);
            waitingSockets += sockets.waiting();
            listenQueue += sockets.listenQueue();
            unsentSockets += sockets.unsent();
            timeWait = sockets.timeWait();
            front.add(sockets);
            Set<SocketStatistics.End> own = sockets.own(proc, target.pid());
            ownCalls.add(sockets);
            kernel.ask(clock)
                    .ifPresent(all -> {
                        connections.add(all, own);
                        accepted.add(all, sockets.accepted());
                    });
            Dumped dumped = dump();
            runsVirtual |= VirtualThreads.runIn(dumped.dump());
            List<ThreadDump.JavaThread> virtual = runsVirtual ? virtuals.dump() : List.of();
            virtualThreads += threads.busy(virtual);
            pinnedThreads += virtual.stream().filter(VirtualThreads::isPinned).count();
            ownPauseMs += dumped.pauseMs();
            ownSyncMs += dumped.syncMs();
            List<Seen> seen = threads.read(dumped.dump(), virtual, sockets);
            tally.add(seen);
            logCalls.add(seen);
            makers.add(seen);
            stacksOfDumps++;
            seen.forEach(this::keepStack);
            longestPauseMs = Math.max(longestPauseMs, dumped.pauseMs());
            long gap = gapNanos(window, dumps, i, dumped.pauseMs());
            long next = dumpStart + gap;
            if (next > deadline) {
                break;
            }
            if (i < dumps - 1) {
                TimeUnit.NANOSECONDS.sleep(next - clock.nanos());
            }
        }
        Sockets last = Sockets.read(proc, target.pid(), listeners);
        Map<String, Integer> downstreams = new HashMap<>();
        last.own(proc, target.pid()).forEach(c -> downstreams.merge(c.remote(), 1, Integer::sum));
        tally.downstreams(downstreams.keySet());
        List<Calls> calls = connections.calls(databases::at);
        ownCalls.tell(tally, calls);
        Signals inside = accepted.inside();
        inside.of(Sign.REQUESTS_INSIDE).ifPresent(tally::requestsInside);
        SchedProbe.Reading after = sched.read();
        double seconds = clock.secondsSince(start);
        Map<Long, CoreUse> cores = coreUse(before, after, seconds);
        int n = tally.dumps();
        Map<Sign, Double> levels = new EnumMap<>(Sign.class);
        levels.put(Sign.UNSENT_SOCKETS, unsentSockets / n);
        levels.put(Sign.TIME_WAIT_SOCKETS, (double) timeWait);
        levels.put(Sign.VIRTUAL_THREADS, virtualThreads / n);
        levels.put(Sign.PINNED_THREADS, pinnedThreads / n);
        levels.put(Sign.OWN_PAUSE_SHARE, (ownPauseMs + ownSyncMs) / 1000 / seconds);
        Census census =
                tally.census(
                        concurrency,
                        qps,
                        cores,
                        longestPauseMs,
                        waitingSockets / n,
                        listenQueue / n);
        return AwaitedCalls.told(ownCalls.told(census, calls))
                .withSignals(
                        signals.between(totals, signals.read(counters()), seconds, cores)
                                .less(Sign.SAFEPOINT_SHARE, ownPauseMs / 1000 / seconds)
                                .less(Sign.SAFEPOINT_SYNC_SHARE, ownSyncMs / 1000 / seconds)
                                .less(Sign.SAFEPOINTS_PER_S, n / seconds)
                                .and(new Signals(levels))
                                .and(signals.ports(last, downstreams.keySet()))
                                .and(connections.heldBack())
                                .and(inside)
                                .and(front.held())
                                .and(logCalls.signals())
                                .and(makers.signals())
                                .and(SignalsProbe.mostConnections(downstreams))
                                .and(neighbours.between(others, neighbours.read(), seconds))
                                .and(CompilerState.ask(target.jcmd())));
    }

    private void keepStack(Seen seen) {
        ThreadDump.JavaThread thread = seen.thread().thread();
        if (seen.thread().isAtWork() && !seen.serverSide()) {
            stacks.add(PoolName.of(thread.name()), thread.frames().reversed(), 1);
        }
    }

    /// The busy threads of the last census as a flame graph; one sample is a thread in a dump.
    public Profile profile() {
        return stacks.profile(
                Profile.Kind.WALL, "dumps", stacksOfDumps == 0 ? 0 : 1.0 / stacksOfDumps);
    }

    /// Time from the i-th dump to the next: the window's share, or so much that the pauses are at
    /// most 5 % of the time once they are long.
    static long gapNanos(Duration window, int dumps, int i, double pauseMs) {
        long share = Math.round(window.toNanos() / (double) dumps * uneven(i));
        return pauseMs <= PAUSE_LIMIT_MS
                ? share
                : Math.max(share, Math.round(PAUSES_APART * pauseMs * 1e6));
    }

    /// Factor on the i-th gap, 0.5…1.5, 1 on average: requests of a closed load with steady service
    /// times run in step, and dumps at even distances would find them at the same place each time.
    static double uneven(int i) {
        return 0.5 + i * GOLDEN_RATIO % 1;
    }

    /// Counts the live objects three times and says what was added in between. Each count collects
    /// the whole heap and stops the target meanwhile (240 ms at 600 MB): only for a window of its
    /// own, and where there is a reason.
    ///
    /// @param apart time from one to the next
    /// @throws UserError when the target gives no count
    public LiveGrowth liveGrowth(Duration apart) throws InterruptedException {
        Counted before = countLive();
        long start = clock.nanos();
        TimeUnit.NANOSECONDS.sleep(apart.toNanos());
        Counted middle = countLive();
        double until = clock.secondsSince(start);
        TimeUnit.NANOSECONDS.sleep(apart.toNanos());
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
                        .and(new Signals(Map.of(Sign.LIVE_COUNT_PAUSE_MS, longest))),
                steady.steady());
    }

    private record Counted(LiveObjects live, double tookMs) {}

    private Counted countLive() throws InterruptedException {
        long start = clock.nanos();
        String histogram = target.jcmd().run("GC.class_histogram");
        double tookMs = (clock.nanos() - start) / 1e6;
        return new Counted(LiveObjects.parse(histogram), tookMs);
    }

    private static Map<Long, CoreUse> coreUse(
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

    /// @param pauseMs for which the target stood still
    /// @param syncMs until its last thread had stopped: long when its threads do not get a core
    private record Dumped(ThreadDump dump, double pauseMs, double syncMs) {}

    private Dumped dump() throws InterruptedException {
        Optional<GcCounters> before = counters();
        long start = clock.nanos();
        String text = target.jcmd().run("Thread.print");
        double tookMs = (clock.nanos() - start) / 1e6;
        Optional<GcCounters> after = counters();
        if (before.isEmpty() || after.isEmpty()) {
            return new Dumped(ThreadDump.parse(text), tookMs, 0);
        }
        double pauseMs = Math.min(tookMs, stoppedMs(before.get(), after.get()));
        double syncMs =
                (after.get().safepointSyncNanos() - before.get().safepointSyncNanos()) / 1e6;
        return new Dumped(
                ThreadDump.parse(text), pauseMs, Math.clamp(syncMs, 0.0, tookMs - pauseMs));
    }

    /// Time at safepoints that was not for the collector.
    private static double stoppedMs(GcCounters before, GcCounters after) {
        long safepoints = after.safepointNanos() - before.safepointNanos();
        long collector = after.pauseNanosSince(before);
        return Math.max(0, safepoints - collector) / 1e6;
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
