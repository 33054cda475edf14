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

/// Decides whether the target lacked CPU. It uses the CPU time of the target, and the threads that
/// ran or waited for a core.
public record CpuShortage(Evidence evidence) {
    /// Minimum share of the threads in use that run on a core or wait for one, at which they lack
    /// CPU. A page that computes has half of its threads there at twice its knee (experiment E1). A
    /// page behind a lock or a pool has less than a tenth.
    public static final double WANTS_CPU = 0.3;

    /// Minimum number of threads on a core or waiting for one, per core that the target may use, at
    /// which it lacks cores. A service that uses all cores left to it has more than 1: about 0.9
    /// threads run and the others wait. A service that mostly waits for other services has 0.1,
    /// even if other processes use all cores of the machine.
    static final double WANTS_CORES = 0.7;

    /// Minimum value of that number at which cores are short although most threads in use wait for
    /// something else. For each core, one thread runs and one waits.
    static final double OVERBOOKED = 2;

    /// Minimum share of its cores that the target itself must use for {@link #OVERBOOKED} to apply.
    /// If other processes use the cores, a few threads of the target already form a run queue.
    static final double MIN_CORES_USED = 0.7;

    /// Number of computing threads found in dumps, as a share of the cores. Below it, virtual
    /// threads compute that the dumps missed, because a dump contains all platform threads.
    static final double SEEN_COMPUTING = 0.3;

    /// Minimum number of open calls, as a share of the requests in flight, at which event loops
    /// wait for the answers to these calls.
    static final double CALLS_UNDER_WAY = 0.15;

    /// Minimum share of the service's CPU that its own code must use for the CPU counters to
    /// decide; collector and compilers use the rest. It is also the minimum share at which child
    /// processes use most of the CPU.
    static final double MIN_OWN_SHARE = 0.5;

    /// Minimum CPU of the load generator, as a share of the service's, at which the two compete for
    /// cores.
    private static final double SHARING = 0.25;

    /// Minimum share of shared cores that service and load generator use together for these cores
    /// to be short.
    public static final double SHARED_CORES_SATURATED = 0.75;

    /// Minimum number of the service's threads on a core or waiting for one, per core, at which
    /// threads queue for cores.
    private static final double QUEUED_FOR_SHARED = 1.25;

    /// Causes of threads that use a core or wait for one. A thread that writes an answer uses a
    /// core.
    private static final Set<Cause> ON_CORES =
            EnumSet.of(Cause.CPU, Cause.RUN_QUEUE, Cause.NETWORK);

    /// True if the target needed more CPU than it could get. A high use of its available cores
    /// proves that only if no other process uses the machine. If others leave only a few cores,
    /// these are always in use. So its threads must also be found on a core or waiting for one.
    /// Their number must be a large share of the threads in use, and nearly one per core that the
    /// target may use.
    public boolean isThere() {
        return computesUnseen()
                || (usesUpCores()
                        && (coresAreWanted() || isSeenByCounters() || isUsedByChildren()));
    }

    /// The figure which decided that a target that uses all of its cores does not lack CPU.
    ///
    /// @param below the figure
    /// @param ofBusy true for a share of the threads in use, false for a number of threads per core
    public record Enough(BelowLimit below, boolean ofBusy) {
        /// The evidence as a part of a sentence: `only 12 % of its threads in use run or wait for a
        /// core (limit 30 %)`.
        public String says() {
            return ofBusy
                    ? below.only("of its threads in use run or wait for a core")
                    : below.onlyOf("threads for each core run or wait for one");
        }
    }

    /// Returns the figure which shows that the threads need no more cores. Empty if they need more,
    /// or if no thread dump was taken.
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

    /// True if the counters alone show that cores are short. Thread dumps miss short work, such as
    /// pages of some microseconds. Between two such pages, dumps find event loops in their
    /// selectors. The processes' CPU clocks count this work. The counters decide under three
    /// conditions. The service's own code uses the cores, not its collector or compilers. No pool
    /// that serves requests is fully busy in the dumps. Few requests in flight wait for another
    /// resource. If other processes use many cores, the kernel's clock must also show that threads
    /// of the service wait for a core.
    private boolean isSeenByCounters() {
        return evidence.fullestCpu()
                .filter(c -> c.heldByOthers() < Limits.HELD_BY_OTHERS || waitsForCores(c))
                .filter(c -> withoutJvmWork(c) >= MIN_OWN_SHARE * c.processCores())
                .flatMap(_ -> evidence.saturated())
                .filter(c -> c.pools().stream().noneMatch(CpuShortage::isFull))
                .filter(c -> waitingForOthers(c) < Evidence.QUEUED * c.concurrency())
                .isPresent();
    }

    /// True if processes that the target started use most of its CPU. The target's own threads then
    /// wait for these processes and not for a core, so they do not show the shortage.
    private boolean isUsedByChildren() {
        return evidence.fullestCpu()
                .filter(CpuShortage::isMostlyOfChildren)
                .filter(c -> c.heldByOthers() < Limits.HELD_BY_OTHERS)
                .isPresent();
    }

    /// True if processes that the target started use most of the service's CPU.
    public static boolean isMostlyOfChildren(CpuUse use) {
        return use.childCores() > 0 && use.childCores() >= MIN_OWN_SHARE * use.processCores();
    }

    /// True if service and load generator use most of the cores that they share, and by the
    /// kernel's clock the service's threads queue for them. A page of some microseconds passes
    /// between the two tens of thousands of times a second. Both sleep and wake so often that one
    /// core is idle for moments while threads wait for another. So the service's share of its
    /// available cores stays below the usual limit. Measured on two cores (`bench/fast/matrix.py`):
    /// Tomcat and Jetty with 20 connections used 78 to 86 % of the cores together with the load
    /// generator. 1.7 to 1.8 threads of the service ran or waited per core. With 2 connections the
    /// figures were 63 to 69 %, and 0.9. The two event loops of Undertow had 88 to 91 %, and 0.9.
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
        // the second condition is for a service with few event loops, which cannot form a longer
        // queue
        return (used >= SHARED_CORES_SATURATED && wanted >= QUEUED_FOR_SHARED)
                || (used >= Saturation.CPU_SATURATED && wanted >= WANTS_CORES);
    }

    /// True if the number of threads that used a core or waited for one was nearly one per core or
    /// more.
    private boolean waitsForCores(CpuUse use) {
        return use.processCores() + waitingForCores(evidence.fullestRound())
                >= WANTS_CORES * use.availableCores();
    }

    /// Returns the number of the service's threads that waited for a core, by the kernel's clock.
    /// The kernel also counts the JIT compilers, which serve no request, so their share is
    /// subtracted.
    private double waitingForCores(Optional<Round> round) {
        double all = round.flatMap(Round::threads).map(ThreadCounts::runQueueThreads).orElse(0.0);
        return Math.max(0, all - evidence.sign(Sign.JIT_WAITED_CORES).orElse(0.0));
    }

    /// True if every dump finds all threads of the pool busy. The dumps then show what these
    /// threads do.
    private static boolean isFull(ThreadSamples.Pool pool) {
        return pool.serving() && !pool.loop() && pool.isSaturated();
    }

    /// Returns the cores that the target used, without those of collector and compilers.
    private double withoutJvmWork(CpuUse use) {
        return use.processCores()
                - evidence.sign(Sign.GC_CORES).orElse(0.0)
                - evidence.sign(Sign.JIT_CORES).orElse(0.0);
    }

    /// Returns the number of requests that wait for something other than a core: waiting threads,
    /// and open calls for which no thread waits.
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
        return evidence.cpuUtilisation().filter(u -> u >= Saturation.CPU_SATURATED).isPresent();
    }

    /// True if nearly one thread per core that the target may use, or more, runs or waits for a
    /// core.
    public boolean coresAreWanted() {
        boolean byMany = onOrWaitingForCpu().filter(share -> share < WANTS_CPU).isEmpty();
        return (byMany || isOverbooked())
                && coresWanted().filter(share -> share < WANTS_CORES).isEmpty();
    }

    /// True if the target uses most of its cores itself and many more of its threads wait for one.
    /// Cores are then short even if other threads wait for another resource. Locks are an
    /// exception, because more cores would not make a lock faster.
    private boolean isOverbooked() {
        return evidence.busyShare(Cause.LOCK).filter(s -> s < Limits.LOCK_WAITERS).isPresent()
                && coresWanted().filter(threads -> threads >= OVERBOOKED).isPresent()
                && evidence.cpu()
                        .filter(c -> c.processCores() >= MIN_CORES_USED * c.availableCores())
                        .isPresent();
    }

    /// True if threads that seem idle in the dumps use nearly all cores, and few other threads were
    /// found on a core. Such threads are carriers of virtual threads that could not be dumped. So
    /// the CPU clock is right and the dumps are not.
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
                && idleYetOnCores >= Saturation.CPU_SATURATED * available
                && evidence.saturated().get().threads(Cause.CPU) < SEEN_COMPUTING * available;
    }

    /// Returns the threads on a core or waiting for one ÷ the cores that the target may use; empty
    /// without thread dumps. Below 1, the target does not lack a core, even if other processes use
    /// some of the cores. The threads on a core are the larger of two figures, the kernel's clock
    /// or the dumps, because dumps do not contain compilers.
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

    /// Returns the event loops on a core or waiting for one, if other processes use many cores.
    /// Dumps find only the loops on a core: a loop that has data but no core yet is still in its
    /// selector. So the kernel's clock is used instead. There are two exceptions, for which the
    /// result is 0: open calls whose answers wake the loops, and a loop that uses a core alone.
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

    /// Returns the share of the threads in use found on a core or waiting for one; empty without
    /// thread dumps.
    public Optional<Double> onOrWaitingForCpu() {
        return evidence.busyShare(Cause.CPU)
                .flatMap(on -> evidence.busyShare(Cause.RUN_QUEUE).map(waiting -> on + waiting));
    }
}
