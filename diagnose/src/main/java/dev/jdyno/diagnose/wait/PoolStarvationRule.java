package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Doubt;
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
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Requests wait for tasks, and the executor that should run them has no free worker. It is too
/// small, or its own tasks wait for tasks in its queue, which may end in a deadlock. If its tasks
/// wait for tasks of another saturated executor, the other executor limits ([WaitChain]).
public final class PoolStarvationRule implements Rule {
    /// Minimum share of the threads in use that wait for a task.
    static final double SHARE_LIMIT = 0.40;

    /// Maximum mean number of idle workers, as a share of all workers, at which an executor counts
    /// as full. A worker is idle for a moment between two tasks.
    static final double IDLE_LIMIT = 0.20;

    /// Maximum throughput, as a share of the best, if a pool waits for its own tasks. Each group of
    /// blocked tasks waits for a timeout; without a timeout, the pool stops completely.
    static final double COLLAPSED = 0.7;

    /// The thread of `CompletableFuture.delayedExecutor` and `orTimeout`.
    private static final String DELAYS = "DelayScheduler";

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.POOL_STARVATION;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.THREAD_POOL, Bottleneck.DOWNSTREAM, Bottleneck.DATABASE);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> waiting = evidence.busyShare(Cause.FUTURE);
        if (waiting.isEmpty()) {
            return SeenShare.notKnown(evidence.saturated());
        }
        double share = waiting.get();
        Optional<BelowLimit> few = BelowLimit.of(share, SHARE_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                    share * 0.5, few.get(), "of the threads in use wait for a task");
        }
        ThreadSamples threadSamples = evidence.saturated().orElseThrow();
        Optional<ThreadSamples.Pool> answers = ThreadPoolRule.calledByItself(threadSamples);
        if (answers.isPresent()) {
            return new Finding.Cleared(
                    0.5,
                    say(
                            "what they wait for is answered by %s, whose threads wait for"
                                    + " something else",
                            answers.get().name()));
        }
        Optional<ThreadSamples.Pool> full =
                asksItself(threadSamples)
                        ? waitsForItself(evidence)
                        : fullExecutor(threadSamples).or(() -> waitsForItself(evidence));
        if (full.isEmpty()) {
            return new Finding.Cleared(
                    0.3,
                    say(
                            "%.0f %% of the threads in use wait for a task, but no executor is full",
                            share * 100));
        }
        if (waitsForItself(threadSamples, full.get()) && !asksItself(threadSamples)) {
            Optional<WaitChain> chain = WaitChain.of(evidence);
            if (chain.isPresent()) {
                return found(evidence, share, chain.get().last(), chain.get().waiting(), false);
            }
        }
        boolean elsewhere = othersCompleteThem(evidence, threadSamples);
        if (elsewhere
                && full.get().doing(Cause.FUTURE)
                        >= Limits.AS_GOOD_AS_ALL * threadSamples.threads(Cause.FUTURE)) {
            return new Finding.Cleared(
                    0.4,
                    say(
                            "no thread runs the tasks that the threads of %s wait for, and throughput is steady:"
                                    + " answers of another machine complete it",
                            full.get().name()));
        }
        return found(evidence, share, full.get(), List.of(), elsewhere);
    }

    /// True if the threads do not wait for tasks in the queue of a full executor. Three conditions
    /// must be met: no thread works or makes calls for the awaited results, throughput does not
    /// fall, and calls to another machine are open. An HTTP/2 connection carries several calls, so
    /// there may be fewer connections in use than waiting threads.
    private static boolean othersCompleteThem(Evidence evidence, ThreadSamples threadSamples) {
        double awaited = awaited(threadSamples);
        double onConnections =
                threadSamples.busy().stream()
                        .filter(ThreadSamples.Busy::async)
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        double standing =
                threadSamples.threads(Cause.DOWNSTREAM)
                        + threadSamples.threads(Cause.DATABASE)
                        - onConnections;
        return awaited >= Limits.NONE
                && standing <= (1 - Limits.AS_GOOD_AS_ALL) * awaited
                && threadSamples.threads(Cause.FUTURE) + onConnections
                        >= Limits.AS_GOOD_AS_ALL * threadSamples.busyThreads()
                && !collapsed(evidence)
                && !asksItself(threadSamples);
    }

    private static Optional<ThreadSamples.Pool> fullExecutor(ThreadSamples threadSamples) {
        return threadSamples.pools().stream()
                .filter(p -> !p.serving() && p.busy() > 0)
                .filter(PoolStarvationRule::isFull)
                .max(Comparator.comparingDouble(ThreadSamples.Pool::busy));
    }

    static boolean isFull(ThreadSamples.Pool pool) {
        return pool.idle() <= IDLE_LIMIT * pool.size();
    }

    /// Returns the pool that handles requests, if its own threads wait for tasks that no other
    /// thread runs. One of three conditions must be met. Throughput fell far below its best, which
    /// waits for another machine do not cause. Or no other thread works and no call to another
    /// machine is open. Or the threads wait for an answer from a port of the service itself.
    private static Optional<ThreadSamples.Pool> waitsForItself(Evidence evidence) {
        ThreadSamples threadSamples = evidence.saturated().orElseThrow();
        if (!asksItself(threadSamples)
                && !collapsed(evidence)
                && !noOtherMachineWorks(evidence, threadSamples)) {
            return Optional.empty();
        }
        return threadSamples.pools().stream()
                .filter(p -> p.serving() && !p.loop() && p.busy() > 0)
                .filter(PoolStarvationRule::isFull)
                .filter(p -> p.doing(Cause.FUTURE) > SHARE_LIMIT * p.busy())
                .max(Comparator.comparingDouble(ThreadSamples.Pool::busy));
    }

    /// True if most threads that wait for a task wait for an answer of the service itself.
    static boolean asksItself(ThreadSamples threadSamples) {
        return threadSamples.awaitingItself() * 2 > threadSamples.threads(Cause.FUTURE);
    }

    /// Returns the mean number of connections with an open call.
    private static double awaited(ThreadSamples threadSamples) {
        return threadSamples.calls().stream().mapToDouble(Calls::awaiting).sum();
    }

    private static boolean collapsed(Evidence evidence) {
        return evidence.saturated().orElseThrow().qps() <= COLLAPSED * evidence.plateau().qps();
    }

    /// True if nearly all threads wait for a task, and the kernel reports no open call to another
    /// machine. An idle executor would have taken the tasks, so they are in the queue of the
    /// waiting threads' own pool. A JDK timer thread rules this out, because it may complete the
    /// results.
    private static boolean noOtherMachineWorks(Evidence evidence, ThreadSamples threadSamples) {
        boolean kernelWasAsked = evidence.sign(Sign.REQUESTS_INSIDE).isPresent();
        double awaited = awaited(threadSamples);
        return kernelWasAsked
                && awaited < Limits.NONE
                && threadSamples.threads(Cause.FUTURE)
                        >= Limits.AS_GOOD_AS_ALL * threadSamples.busyThreads()
                && threadSamples.pools().stream().noneMatch(p -> p.name().contains(DELAYS));
    }

    /// True if the threads of the pool can only wait for tasks in its own queue. Only this pool is
    /// examined.
    private static boolean waitsForItself(ThreadSamples threadSamples, ThreadSamples.Pool pool) {
        return WaitChain.waitsForTasks(pool) && !WaitChain.hasNoQueue(threadSamples, pool);
    }

    /// @param waiting pools whose threads wait for tasks of `pool`
    /// @param elsewhere true if other threads or machines complete what the threads wait for
    private static Finding found(
            Evidence evidence,
            double share,
            ThreadSamples.Pool pool,
            List<ThreadSamples.Pool> waiting,
            boolean elsewhere) {
        double sure = confidence(share, SHARE_LIMIT, 0.7, 0.75, 0.95);
        if (evidence.cpuIsShort()) {
            sure *= 0.6;
        }
        boolean standsStill = evidence.saturated().orElseThrow().qps() <= 0;
        if (evidence.stillRises() && !standsStill) {
            sure *= Evidence.STILL_RISES;
        }
        ThreadSamples threadSamples = evidence.saturated().orElseThrow();
        boolean waitsForItself = !elsewhere && waitsForItself(threadSamples, pool);
        if (!waitsForItself) {
            sure = Doubt.MAY_BE_TOO_SMALL.cap(sure);
        }
        if (pool.serving() && !collapsed(evidence) && !asksItself(threadSamples)) {
            sure = Doubt.NO_COLLAPSE.cap(sure);
        }
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.FUTURE_SHARE,
                        say("%.0f %% of the threads in use wait for a task", share * 100),
                        share,
                        SHARE_LIMIT));
        if (!waitsForItself) {
            WaitChain.capacityLine(evidence, pool).ifPresent(lines::add);
        }
        lines.add(
                line(
                        Figure.EXECUTOR_IDLE,
                        say(
                                "%.1f of the %.0f workers of %s are idle",
                                pool.idle(), pool.size(), pool.name()),
                        pool.idle() / pool.size(),
                        IDLE_LIMIT));
        double itsTasks = elsewhere ? 0 : pool.doing(Cause.FUTURE);
        lines.add(
                line(
                        Figure.WAITS_FOR_ITSELF,
                        elsewhere
                                ? "its workers wait for answers of another machine"
                                : waitsForItself
                                        ? say(
                                                "%.1f of its workers wait for tasks in the pool's"
                                                        + " own queue; if all do, no task runs"
                                                        + " (deadlock)",
                                                itsTasks)
                                        : say("%.1f of its workers wait for other tasks", itsTasks),
                        itsTasks,
                        0));
        SiteLines.origin(evidence, pool.name()).ifPresent(lines::add);
        SiteLines.timeouts(evidence).ifPresent(lines::add);
        lines.addAll(SiteLines.calls(evidence));
        evidence.scalingLine().ifPresent(lines::add);
        Statement says =
                waiting.isEmpty()
                        ? says(evidence, share, pool, waitsForItself)
                        : chainStatement(evidence, share, pool, waiting);
        return new Finding.Limits(pool.name(), sure, says, lines);
    }

    private static Statement chainStatement(
            Evidence evidence,
            double share,
            ThreadSamples.Pool last,
            List<ThreadSamples.Pool> waiting) {
        String chain =
                waiting.stream()
                        .map(p -> say("tasks of '%s'", p.name()))
                        .collect(Collectors.joining(", which wait for "));
        return Statement.of(
                "An inner executor is the bottleneck",
                "%.0f %% of the threads in use wait for a task: requests wait for %s, which wait"
                        + " for tasks of '%s', whose %.0f threads are all in use (mostly %s)%s.",
                share * 100,
                chain,
                last.name(),
                last.size(),
                WaitChain.mostly(evidence.saturated().orElseThrow(), last),
                Lines.cpuIs("; ", evidence));
    }

    private static Statement says(
            Evidence evidence, double share, ThreadSamples.Pool pool, boolean waitsForItself) {
        boolean asksItself = asksItself(evidence.saturated().orElseThrow());
        String itself =
                say(
                        ", %s waiting for %s (this can deadlock, or requests end by timeout: look at what"
                                + " it answers)",
                        pool.doing(Cause.FUTURE) >= Limits.AS_GOOD_AS_ALL * pool.busy()
                                ? "nearly all"
                                : "some",
                        asksItself
                                ? "requests that only they can answer"
                                : "tasks in its own queue");
        return Statement.of(
                (asksItself ? "The service's call to itself" : "An inner executor")
                        + " is the bottleneck",
                "%.0f %% of the threads in use wait for %s of the pool '%s', whose"
                        + " %.0f workers are all in use%s%s.",
                share * 100,
                asksItself ? "answers" : "results",
                pool.name(),
                pool.size(),
                waitsForItself ? itself : "",
                Lines.cpuIs("; ", evidence));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return QueueRecommendations.poolStarvation(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
