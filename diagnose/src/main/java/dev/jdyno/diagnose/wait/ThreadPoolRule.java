package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The serving pool has no idle thread, requests wait for a thread, and its threads wait for
/// something that is not saturated itself (experiment E6). The law of the knee (F1) gives the
/// useful number of threads.
public final class ThreadPoolRule implements Rule {
    /// Minimum ratio of the gain by parallel calls to the gain by more threads, at which both count
    /// as equal. It allows for the error of the calls' times, which come from some hundred samples.
    static final double EQUAL_GAIN = 0.7;

    /// Minimum share of the requests in flight that wait outside the pool.
    static final double OUTSIDE_SHARE = 0.2;

    /// Minimum share of the time or the CPU used by the collector, at which threads seem busy
    /// because the collector stops them.
    static final double STOPPED_BY_COLLECTOR = 0.50;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.THREAD_POOL;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        if (evidence.saturated().isEmpty()) {
            return SeenShare.notKnown(evidence.saturated());
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        Optional<ThreadSamples.Pool> pool = handling(evidence, threadSamples);
        if (pool.isEmpty()) {
            return new Finding.NotApplicable("no pool was seen serving requests");
        }
        ThreadSamples.Pool serving = pool.get();
        double idleShare = serving.size() <= 0 ? 1 : serving.idle() / serving.size();
        double outside = outside(serving, threadSamples);
        if (!serving.isSaturated()) {
            return new Finding.Cleared(
                    0.1,
                    say(
                            "%.1f of the %.0f threads of %s are idle",
                            serving.idle(), serving.size(), serving.name()));
        }
        Optional<BelowLimit> few = BelowLimit.of(outside, OUTSIDE_SHARE);
        if (few.isPresent()) {
            return new Finding.Cleared(
                    0.1,
                    all(serving) + " in use, but " + few.get().only("of the requests wait for one"),
                    few);
        }
        Optional<BelowLimit> lessThanOne =
                BelowLimit.of(outside * threadSamples.concurrency(), SeenShare.QUEUE);
        if (lessThanOne.isPresent()) {
            return new Finding.Cleared(
                    0.1,
                    all(serving)
                            + " in use, but "
                            + lessThanOne.get().onlyOf("requests wait for one on average"),
                    lessThanOne);
        }
        double sure = confidence(outside, OUTSIDE_SHARE, 0.6, 0.75, 0.95);
        boolean askedByItself = calledByItself(threadSamples).isPresent();
        Sentence doing = askedByItself ? mostly(serving) : mostly(threadSamples);
        if (evidence.cpuIsShort()
                || saturatedElsewhere(evidence, threadSamples)
                || heldByCallsInSeries(evidence, serving, threadSamples)
                || evidence.gcCost() >= STOPPED_BY_COLLECTOR) {
            sure *= 0.5;
        }
        return new Finding.Limits(
                serving.name(),
                sure,
                Statement.of(
                        "The thread pool is the bottleneck",
                        "%s in use in every"
                                + " dump (%s) while %.0f %% of the requests wait for one%s.",
                        all(serving),
                        doing,
                        outside * 100,
                        Lines.cpuIs("; ", evidence)),
                lines(evidence, serving, idleShare, outside));
    }

    /// Returns the pool that handles the requests, if it has no idle thread and requests wait for
    /// one.
    public static Optional<ThreadSamples.Pool> saturatedPool(Evidence evidence) {
        return evidence.saturated()
                .flatMap(threadSamples ->
                        handling(evidence, threadSamples)
                                .filter(p ->
                                        p.isSaturated()
                                                && SeenShare.isQueue(
                                                        outside(p, threadSamples)
                                                                * threadSamples.concurrency(),
                                                        OUTSIDE_SHARE,
                                                        threadSamples.concurrency())));
    }

    private static Optional<ThreadSamples.Pool> handling(
            Evidence evidence, ThreadSamples threadSamples) {
        return calledByItself(threadSamples).or(() -> calledByOthers(evidence, threadSamples));
    }

    /// Returns the pool without an idle thread that answers the requests of the target to itself.
    /// The target's other threads wait for this pool, and its threads wait for another resource.
    static Optional<ThreadSamples.Pool> calledByItself(ThreadSamples threadSamples) {
        return threadSamples.awaitingItself()
                        < PoolStarvationRule.SHARE_LIMIT * threadSamples.busyThreads()
                ? Optional.empty()
                : threadSamples.answersItself();
    }

    private static Optional<ThreadSamples.Pool> calledByOthers(
            Evidence evidence, ThreadSamples threadSamples) {
        Optional<ThreadSamples.Pool> front = busiest(threadSamples, ThreadSamples.Pool::serving);
        return front.filter(p -> !p.loop() && p.isSaturated())
                .or(() -> behind(front, evidence, threadSamples))
                .or(() -> front);
    }

    /// Returns the share of the requests in flight that are outside the pool.
    private static double outside(ThreadSamples.Pool pool, ThreadSamples threadSamples) {
        return Math.max(0, threadSamples.concurrency() - pool.busy()) / threadSamples.concurrency();
    }

    /// True if sequential calls hold the threads, and parallel calls would gain about as much as
    /// one thread per request in flight.
    private static boolean heldByCallsInSeries(
            Evidence evidence, ThreadSamples.Pool pool, ThreadSamples threadSamples) {
        double bySide = DownstreamSerialRule.gain(evidence);
        return bySide > 1
                && bySide >= EQUAL_GAIN * threadSamples.concurrency() / Math.max(1, pool.size());
    }

    private static String all(ThreadSamples.Pool pool) {
        return Math.round(pool.size()) == 1
                ? "the one thread of " + pool.name() + " is"
                : say(
                        "all %.0f %sthreads of %s are",
                        pool.size(), pool.virtual() ? "virtual " : "", pool.name());
    }

    private static Optional<ThreadSamples.Pool> busiest(
            ThreadSamples threadSamples, Predicate<ThreadSamples.Pool> which) {
        return threadSamples.pools().stream()
                .filter(which)
                .max(Comparator.comparingDouble(ThreadSamples.Pool::busy));
    }

    /// Returns the executor behind the threads that accept requests: event loops, or threads that
    /// suspend the answer and then are idle. Threads that suspend an answer may keep the requests
    /// in their own queue, so throughput must have reached its maximum.
    private static Optional<ThreadSamples.Pool> behind(
            Optional<ThreadSamples.Pool> front, Evidence evidence, ThreadSamples threadSamples) {
        return front.filter(p -> !p.loop()).isEmpty()
                ? handedTo(threadSamples)
                : handedTo(threadSamples).filter(p -> p.isSaturated() && !evidence.stillRises());
    }

    /// Returns the executor to which requests are passed: most busy threads belong to it, and no
    /// thread waits for it.
    private static Optional<ThreadSamples.Pool> handedTo(ThreadSamples threadSamples) {
        return busiest(threadSamples, p -> !p.serving() && !p.loop())
                .filter(p -> p.busy() > Limits.MAJORITY_OF_BUSY * threadSamples.busyThreads())
                .filter(p -> p.size() > 1);
    }

    /// True if the pool is only the outer limit, because its threads wait in a queue for another
    /// resource.
    private static boolean saturatedElsewhere(Evidence evidence, ThreadSamples threadSamples) {
        double busy = Math.max(1e-9, threadSamples.busyThreads());
        boolean onePlace =
                (threadSamples.threads(Cause.LOCK) + threadSamples.threads(Cause.POOL)) / busy
                        > Limits.LOCK_WAITERS;
        boolean waitGrows =
                evidence.growth(Cause.DOWNSTREAM).filter(g -> g > Limits.WAIT_GROWS).isPresent()
                        && threadSamples.threads(Cause.DOWNSTREAM) / busy > 0.5;
        return onePlace || waitGrows;
    }

    private static Sentence mostly(ThreadSamples threadSamples) {
        return threadSamples.busy().stream()
                .max(Comparator.comparingDouble(ThreadSamples.Busy::threads))
                .map(b ->
                        Sentence.format(
                                "%s%s%s%s",
                                b.threads() * 2 >= threadSamples.busyThreads()
                                        ? "mostly "
                                        : "most often ",
                                b.cause().key(),
                                b.where().isEmpty() ? "" : " ",
                                b.place().named()))
                .orElse(Sentence.of("mostly unknown"));
    }

    private static Sentence mostly(ThreadSamples.Pool pool) {
        return pool.doing().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(e -> Sentence.of("mostly " + e.getKey().key()))
                .orElse(Sentence.of("mostly unknown"));
    }

    /// Returns text with the mean number of idle threads of a saturated pool, and with their
    /// smallest number in a dump if it is lower.
    private static String idle(ThreadSamples.Pool pool) {
        String idle = say("%.1f", pool.idle());
        if (idle.equals("0.0")) {
            return say("none of the %.0f threads of %s is idle", pool.size(), pool.name());
        }
        return say("%s of the %.0f threads of %s are idle", idle, pool.size(), pool.name())
                + (pool.minIdle() < Math.floor(pool.idle())
                        ? say(", %d in the dump with the fewest", pool.minIdle())
                        : "");
    }

    private static List<EvidenceLine> lines(
            Evidence evidence, ThreadSamples.Pool pool, double idleShare, double outside) {
        List<EvidenceLine> lines = new ArrayList<>();
        evidence.saturated()
                .filter(c -> calledByItself(c).isPresent())
                .ifPresent(c ->
                        lines.add(
                                line(
                                        Figure.AWAITING_ITSELF,
                                        say(
                                                "%.1f other threads of the service wait for"
                                                        + " answers of this pool, through the"
                                                        + " service's own port",
                                                c.awaitingItself()),
                                        c.awaitingItself(),
                                        0)));
        lines.add(line(Figure.POOL_IDLE, idle(pool), idleShare, ThreadSamples.IDLE_SHARE));
        lines.addAll(SiteLines.calls(evidence));
        lines.add(
                line(
                        Figure.WAITING_OUTSIDE,
                        say("%.0f %% of the requests wait outside the pool", outside * 100),
                        outside,
                        OUTSIDE_SHARE));
        evidence.saturated()
                .filter(c -> c.qps() > 0)
                .ifPresent(c ->
                        lines.add(
                                line(
                                        Figure.HELD_TIME,
                                        say(
                                                "throughput %.0f/s in the window at N=%d out of"
                                                        + " %.0f threads: each request holds one for %s"
                                                        + " ms",
                                                c.qps(),
                                                c.concurrency(),
                                                pool.size(),
                                                Lines.ms(pool.size() / c.qps() * 1000)),
                                        pool.size() / c.qps() * 1000,
                                        0)));
        SiteLines.origin(evidence, pool.name()).ifPresent(lines::add);
        SiteLines.connections(evidence).ifPresent(lines::add);
        Lines.cpuLine(evidence).ifPresent(lines::add);
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return QueueRecommendations.threadPool(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.largerPool(LargerPool.Kind.THREADS);
        experiments.enoughCores();
    }
}
