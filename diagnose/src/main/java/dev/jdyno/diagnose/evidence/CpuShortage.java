package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whether the target lacked CPU: by what it used, and by the threads that ran or waited for a
/// core.
public record CpuShortage(Evidence evidence) {
    /// Share of the threads in use on a core or waiting for one from which CPU is what they lack:
    /// E1's page at twice its knee has half of them there, a page behind a lock or a pool under a
    /// tenth.
    public static final double WANTS_CPU = 0.3;

    /// Threads on a core or waiting for one, for each core that the target may use, from which
    /// cores can be what it lacks. A service that uses up the cores that are left to it has more
    /// than one: 0.9 running and the others waiting. A service whose calls are answered elsewhere
    /// has 0.1, on a machine whose cores are all held by others too.
    static final double WANTS_CORES = 0.7;

    /// The same from which cores are short though most of the threads in use wait for something
    /// else: one runs and one waits for each core.
    static final double OVERBOOKED = 2;

    /// Share of its cores that it must hold itself for that: where other processes use them, few
    /// threads are enough to queue.
    static final double MOST_CORES = 0.7;

    /// Threads that dumps found computing, as a share of the cores, below which they did not see
    /// those who compute. A dump of platform threads finds each of them.
    static final double SEEN_COMPUTING = 0.3;

    /// Calls under way, as a share of the requests in flight, from which their answers are what
    /// event loops wait for.
    static final double CALLS_UNDER_WAY = 0.15;

    /// Share of the process's CPU that its own code must use for the counters to decide.
    static final double MOST_OWN = 0.5;

    /// CPU of the load generator, as a share of the service's, from which both compete for cores.
    private static final double SHARING = 0.25;

    /// Share of their cores that service and load generator use together from which these are
    /// short.
    public static final double SHARED_USED_UP = 0.75;

    /// Threads of the service on a core or waiting for one, for each core, from which they queue.
    private static final double QUEUED_FOR_SHARED = 1.25;

    /// Where threads are that use a core or want one; those that write an answer are at it.
    private static final Set<Cause> ON_CORES =
            EnumSet.of(Cause.CPU, Cause.RUN_QUEUE, Cause.NETWORK);

    /// Whether the target wanted more CPU than it could get. Its share of the cores available to it
    /// says that alone only when no other process uses the machine: where other processes use the
    /// cores, whatever it uses is all that was left. Then its threads must be found on a core or
    /// waiting for one, too: many of those in use, and nearly one for each core that it may use.
    public boolean isThere() {
        return computesUnseen() || (usesUpCores() && (coresAreWanted() || isSeenByCounters()));
    }

    /// What decided that a target that uses up its cores does not lack them.
    ///
    /// @param below the figure
    /// @param ofBusy whether it is a share of the threads in use; else it is threads for each core
    public record Enough(BelowLimit below, boolean ofBusy) {
        /// As a part of a sentence: `only 12 % of its threads in use run or wait for a core (limit
        /// 30 %)`.
        public String says() {
            return ofBusy
                    ? below.only("of its threads in use run or wait for a core")
                    : below.onlyOf("threads for each core run or wait for one");
        }
    }

    /// Which figure says that its threads want no more cores; empty where they do, and where there
    /// was no thread dump to tell.
    public Optional<Enough> enough() {
        Optional<Enough> few =
                onOrWaitingForCpu()
                        .filter(_ -> !isOverbooked())
                        .flatMap(share -> BelowLimit.of(share, WANTS_CPU))
                        .map(below -> new Enough(below, true));
        return few.or(() ->
                coresWanted()
                        .flatMap(threads -> BelowLimit.of(threads, WANTS_CORES))
                        .map(below -> new Enough(below, false)));
    }

    /// Whether the counters alone say that cores are short. A page of some microseconds is over
    /// before a dump finds its thread, and event loops stand in their selectors between two such
    /// pages. The clocks of the processes do not miss them. They decide where the service's own
    /// code and not its collector or compilers use the cores, the threads that serve requests are
    /// not all busy in the dumps, and few of the requests in flight were found waiting for anything
    /// else. Where other processes hold much, all that is left is used by whatever runs: the
    /// service's threads must wait for a core by the kernel's clock, too.
    private boolean isSeenByCounters() {
        return evidence.fullestCpu()
                .filter(c -> c.heldByOthers() < Limits.HELD_BY_OTHERS || waitsForCores(c))
                .filter(c -> ownCores(c) >= MOST_OWN * c.processCores())
                .flatMap(_ -> evidence.saturated())
                .filter(c -> c.pools().stream().noneMatch(CpuShortage::isFull))
                .filter(c -> waitingForOthers(c) < Evidence.QUEUED * c.concurrency())
                .isPresent();
    }

    /// Whether service and load generator use most of the cores that they share, and the service's
    /// threads queue for them by the kernel's clock. A page of some microseconds passes from one to
    /// the other ten thousands of times a second: both sleep and wake so often that a core is idle
    /// for moments while threads wait for another one, and the service's share of what is left to
    /// it stays below the usual limit. Tomcat and Jetty with 20 connections on two cores: both used
    /// 78 to 86 % of them, and 1.7 to 1.8 threads of the service ran or waited for each core; with
    /// 2 connections 63 to 69 %, and 0.9. The two event loops of Undertow: 88 to 91 %, and 0.9
    /// (`bench/fast/matrix.py`).
    public boolean isQueuedForSharedCores() {
        return evidence.fullestCpu().filter(this::isQueuedForShared).isPresent()
                && isSeenByCounters();
    }

    private boolean isQueuedForShared(CpuUse c) {
        if (c.availableCores() <= 0
                || c.heldByOthers() >= Limits.HELD_BY_OTHERS
                || c.takenByClient() < SHARING * c.processCores()) {
            return false;
        }
        double used = (c.processCores() + c.takenByClient()) / c.availableCores();
        double wanted =
                (c.processCores() + waitingForCores(evidence.fullestRound())) / c.availableCores();
        // a few event loops are all that can queue
        return (used >= SHARED_USED_UP && wanted >= QUEUED_FOR_SHARED)
                || (used >= Saturation.CPU_USED_UP && wanted >= WANTS_CORES);
    }

    /// Whether threads that used a core or waited for one were nearly one for each core.
    private boolean waitsForCores(CpuUse use) {
        return use.processCores() + waitingForCores(evidence.fullestRound())
                >= WANTS_CORES * use.availableCores();
    }

    /// Threads of the service that waited for a core by the kernel's clock. It counts the JIT
    /// compilers, too: they serve no request, and what they wait for is taken off.
    private double waitingForCores(Optional<Round> round) {
        double all = round.flatMap(Round::threads).map(ThreadCounts::runQueueThreads).orElse(0.0);
        return Math.max(0, all - evidence.sign(Sign.JIT_WAITED_CORES).orElse(0.0));
    }

    /// A pool of which each dump finds every thread at work: the dumps see what they do.
    private static boolean isFull(ThreadSamples.Pool pool) {
        return pool.serving() && !pool.loop() && pool.usedUp();
    }

    private double ownCores(CpuUse use) {
        return use.processCores()
                - evidence.sign(Sign.GC_CORES).orElse(0.0)
                - evidence.sign(Sign.JIT_CORES).orElse(0.0);
    }

    /// Requests found waiting for something that is no core: threads in waits, and calls under way
    /// for which no thread waits.
    private static double waitingForOthers(ThreadSamples c) {
        double threads =
                c.busy().stream()
                        .filter(b -> !ON_CORES.contains(b.cause()))
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        double calls = c.callsOfNoThread().stream().mapToDouble(ThreadSamples.Busy::threads).sum();
        return threads + calls;
    }

    private boolean usesUpCores() {
        return evidence.cpuUtilisation().filter(u -> u >= Saturation.CPU_USED_UP).isPresent();
    }

    /// Whether the target's threads run or wait for a core, nearly one for each that it may use.
    public boolean coresAreWanted() {
        boolean byMany = onOrWaitingForCpu().filter(share -> share < WANTS_CPU).isEmpty();
        return (byMany || isOverbooked())
                && coresWanted().filter(share -> share < WANTS_CORES).isEmpty();
    }

    /// Whether it holds most of its cores itself and many more of its threads want one: then cores
    /// are short whatever else its other threads wait for, the answers of those for example; but
    /// not where they stand at a lock, which more cores would not pass on faster.
    private boolean isOverbooked() {
        return evidence.busyShare(Cause.LOCK).filter(s -> s < Limits.LOCK_WAITERS).isPresent()
                && coresWanted().filter(threads -> threads >= OVERBOOKED).isPresent()
                && evidence.cpu()
                        .filter(c -> c.processCores() >= MOST_CORES * c.availableCores())
                        .isPresent();
    }

    /// Whether threads that dumps show idle keep nearly all cores busy, and hardly any other thread
    /// was found on one: carriers of virtual threads that could not be dumped. Then the clock is
    /// right.
    private boolean computesUnseen() {
        if (evidence.saturated().isEmpty() || evidence.cpu().isEmpty()) {
            return false;
        }
        double available = evidence.cpu().get().availableCores();
        double idleYetOnCores =
                evidence.saturated().get().pools().stream()
                        .filter(p -> p.busy() < 1)
                        .mapToDouble(ThreadSamples.Pool::cores)
                        .max()
                        .orElse(0);
        return available > 0
                && idleYetOnCores >= Saturation.CPU_USED_UP * available
                && evidence.saturated().get().threads(Cause.CPU) < SEEN_COMPUTING * available;
    }

    /// Threads on a core or waiting for one ÷ the cores that the target may use; empty without
    /// thread dumps. Below 1 another process may hold a core, but not one that it lacks. On a core
    /// by the kernel's clock or by the dumps, whichever finds more: compilers are in no dump.
    public Optional<Double> coresWanted() {
        Optional<Double> threads =
                evidence.saturated()
                        .map(c ->
                                Math.max(
                                        Math.max(c.threads(Cause.CPU), c.cores())
                                                + c.threads(Cause.RUN_QUEUE),
                                        atLoops(c)));
        return evidence.cpu()
                .filter(c -> c.availableCores() > 0)
                .flatMap(c -> threads.map(t -> t / c.availableCores()));
    }

    /// Event loops on a core or waiting for one beside others who hold the machine. Dumps find only
    /// those at work: one that its sockets woke and that has no core yet still stands in its
    /// selector. The kernel's clock tells, unless calls are under way whose answers wake the loops,
    /// or one of them has a core for itself.
    private double atLoops(ThreadSamples c) {
        List<ThreadSamples.Pool> serving =
                c.pools().stream().filter(ThreadSamples.Pool::serving).toList();
        double calls = c.calls().stream().mapToDouble(Calls::awaiting).sum();
        boolean held =
                evidence.cpu().filter(u -> u.heldByOthers() >= Limits.HELD_BY_OTHERS).isPresent();
        if (serving.isEmpty()
                || !serving.stream().allMatch(ThreadSamples.Pool::loop)
                || calls >= CALLS_UNDER_WAY * c.concurrency()
                || !held
                || evidence.sign(Sign.HOTTEST_THREAD_CORES)
                        .filter(h -> h < WANTS_CORES)
                        .isEmpty()) {
            return 0;
        }
        double loops = serving.stream().mapToDouble(ThreadSamples.Pool::size).sum();
        double onCores = serving.stream().mapToDouble(ThreadSamples.Pool::cores).sum();
        double waiting = waitingForCores(Optional.of(evidence.plateau()));
        return onCores + Math.clamp(waiting, 0.0, Math.max(0, loops - onCores));
    }

    /// Share of the threads in use found on a core or waiting for one; empty without thread dumps.
    public Optional<Double> onOrWaitingForCpu() {
        return evidence.busyShare(Cause.CPU)
                .flatMap(on -> evidence.busyShare(Cause.RUN_QUEUE).map(waiting -> on + waiting));
    }
}
