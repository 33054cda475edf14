package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A chain of pools whose threads wait for tasks of another pool. The last pool does the work: all
/// of its threads are busy and do not wait for tasks.
///
/// A thread dump does not show which executor runs the task that a thread waits for. It is assumed
/// to be a saturated pool that does not wait for tasks itself. The assumption is wrong if the
/// service answered more requests than the pool's threads can serve (throughput at saturation, F2).
///
/// @param waiting pools without an idle thread that wait for tasks, largest first
/// @param last the pool that all of them wait for
/// @param capacity throughput that its threads can serve; empty if no window at a lower load shows
///   the thread time that a request needs
public record WaitChain(
        List<ThreadSamples.Pool> waiting, ThreadSamples.Pool last, Optional<Capacity> capacity) {
    /// Minimum share of a pool's threads in use that wait for a task, for the pool to count as
    /// waiting.
    static final double WAITS = 0.3;

    /// Additional error of a throughput, as a ratio, because two windows at the same load may
    /// differ by this factor.
    private static final double ERROR_OF_WINDOWS = 1.1;

    /// Number of standard errors up to which two figures count as equal.
    private static final double SIGMAS = 2;

    /// The throughput that a pool allows (throughput at saturation, F2): its threads ÷ the thread
    /// time per request, measured below saturation.
    ///
    /// @param demandMs thread time per request
    /// @param concurrency requests in flight in the window in which the thread time was measured
    /// @param qps requests per second that all of its threads can serve
    /// @param error ratio by which `qps` may be too high or too low
    public record Capacity(double demandMs, int concurrency, double qps, double error) {
        boolean isBelow(double measured) {
            return qps * error < measured;
        }
    }

    public WaitChain {
        waiting = List.copyOf(waiting);
    }

    /// Returns the chain of waits at saturation; empty if no saturated pool waits for another one.
    static Optional<WaitChain> of(Evidence evidence) {
        ThreadSamples seen = evidence.saturated().orElseThrow();
        List<ThreadSamples.Pool> waiting =
                executors(seen)
                        .filter(WaitChain::waitsForTasks)
                        .sorted(Comparator.comparingDouble(ThreadSamples.Pool::busy).reversed())
                        .toList();
        return waiting.isEmpty()
                ? Optional.empty()
                : executors(seen)
                        .filter(p -> !waitsForTasks(p) && !hasNoQueue(seen, p))
                        .map(p -> new WaitChain(waiting, p, capacity(evidence, p)))
                        .filter(c -> !c.isRuledOut(evidence))
                        .min(Comparator.comparingDouble(c -> c.capacityOr(Double.MAX_VALUE)));
    }

    private static Stream<ThreadSamples.Pool> executors(ThreadSamples seen) {
        return seen.pools().stream()
                .filter(p -> !p.serving() && !p.loop() && !p.virtual() && p.busy() > 0)
                .filter(PoolStarvationRule::isFull);
    }

    static boolean waitsForTasks(ThreadSamples.Pool pool) {
        return pool.doing(Cause.FUTURE) > WAITS * pool.busy();
    }

    /// True if the length of the pool's queue is known, and the queue is empty.
    static boolean hasNoQueue(ThreadSamples seen, ThreadSamples.Pool pool) {
        return seen.queue(pool)
                .filter(q -> !q.atLeast())
                .flatMap(PoolQueue::length)
                .filter(length -> length <= 0)
                .isPresent();
    }

    private boolean isRuledOut(Evidence evidence) {
        return capacity.filter(c -> c.isBelow(evidence.plateau().qps())).isPresent();
    }

    private double capacityOr(double unknown) {
        return capacity.map(Capacity::qps).orElse(unknown);
    }

    /// Returns the capacity of a pool, from the window with the fewest requests in flight. Sampled
    /// stacks are preferred to thread dumps, because there are more of them.
    static Optional<Capacity> capacity(Evidence evidence, ThreadSamples.Pool pool) {
        int saturated = evidence.saturated().orElseThrow().concurrency();
        return evidence.insight().profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.WALL && p.concurrency() < saturated)
                .filter(p -> p.qps() > 0 && p.samplesOf(pool.name()) > 0)
                .min(Comparator.comparingInt(Profile::concurrency))
                .map(p -> {
                    long samples = p.samplesOf(pool.name());
                    return capacity(
                            pool, p.perRequestMs(samples), p.concurrency(), (double) samples);
                })
                .or(() -> byDumps(evidence, pool));
    }

    private static Optional<Capacity> byDumps(Evidence evidence, ThreadSamples.Pool pool) {
        return evidence.relaxed()
                .filter(r -> r.qps() > 0)
                .flatMap(r ->
                        r.pools().stream()
                                .filter(p -> p.name().equals(pool.name()) && p.busy() > 0)
                                .findFirst()
                                .map(p ->
                                        capacity(
                                                pool,
                                                p.busy() / r.qps() * 1000,
                                                r.concurrency(),
                                                p.busy() * r.dumps())));
    }

    private static Capacity capacity(
            ThreadSamples.Pool pool, double demandMs, int concurrency, double samples) {
        return new Capacity(
                demandMs,
                concurrency,
                pool.size() / demandMs * 1000,
                ERROR_OF_WINDOWS * (1 + SIGMAS / Math.sqrt(samples)));
    }

    /// Returns a line of evidence with the throughput that a saturated pool allows (F2).
    static Optional<EvidenceLine> capacityLine(Evidence evidence, ThreadSamples.Pool pool) {
        double measured = evidence.plateau().qps();
        return capacity(evidence, pool)
                .map(c ->
                        line(
                                Figure.TASKS_ALLOW,
                                say(
                                        "%.0f threads of %s ÷ %s ms of them that a request needs (at N=%d)"
                                                + " allow %.0f/s, measured %.0f/s at N=%d (F2)",
                                        pool.size(),
                                        pool.name(),
                                        Lines.ms(c.demandMs()),
                                        c.concurrency(),
                                        c.qps(),
                                        measured,
                                        evidence.plateau().concurrency()),
                                c.qps(),
                                measured));
    }

    /// Returns the longest wait of a pool's threads as text, such as `downstream 10.0.0.7:80`. The
    /// place is included only if most threads in that wait belong to the pool.
    static Sentence mostly(ThreadSamples seen, ThreadSamples.Pool pool) {
        return pool.doing().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(e ->
                        Sentence.format(
                                "%s%s",
                                e.getKey().key(),
                                seen.top(e.getKey())
                                        .filter(_ -> e.getValue() * 2 > seen.threads(e.getKey()))
                                        .filter(b -> !b.where().isEmpty())
                                        .map(b -> Sentence.of(" ").and(b.place().named()))
                                        .orElse(Sentence.of(""))))
                .orElse(Sentence.of("unknown"));
    }
}
