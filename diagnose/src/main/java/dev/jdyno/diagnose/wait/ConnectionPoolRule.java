package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.diagnose.evidence.WaitRule;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.measure.Intervention.LargerPool;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Requests wait for connections of a pool. There are three forms. Most threads in use wait to
/// borrow a connection that other threads hold; {@link Waiting} judges this wait, and permits of a
/// limiter do not count. Or no thread waits, because the client is asynchronous, and there are far
/// fewer connections than requests that wait outside of the service. Or threads wait without a
/// known cause, or for an asynchronous result, while all connections to one place are in use.
public final class ConnectionPoolRule implements WaitRule {
    /// Suspicion that a semaphore is a pool. A limiter and a pool differ only in what the permits
    /// stand for, which stacks do not show.
    private static final double LIMITER_SUSPICION = 0.45;

    /// Confidence if no thread was found waiting and the calls are unknown. The same figures come
    /// from connections that requests do not use, or from a service that serves only that many
    /// calls at once.
    static final double UNSEEN = 0.70;

    /// Maximum confidence if the object for which the threads wait is unknown, because a limit on
    /// concurrent calls without a pool has the same figures.
    static final double MAX_IF_POOL_UNKNOWN = 0.80;

    private static final String POOL_LIMITS = "A pool of connections is the bottleneck";

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CONNECTION_POOL;
    }

    @Override
    public Cause cause() {
        return Cause.POOL;
    }

    @Override
    public String claim() {
        return "A connection pool is the bottleneck";
    }

    @Override
    public boolean isQueue(Evidence evidence) {
        return true;
    }

    /// Returns a line on the most frequent activity of the threads in use that do not wait for the
    /// pool, because they probably hold its connections.
    @Override
    public Optional<EvidenceLine> withoutHolder(ThreadSamples samples, ThreadSamples.Busy top) {
        return samples.topOtherCause(top)
                .map(most ->
                        line(
                                Figure.BESIDE_THE_POOL,
                                Sentence.format(
                                        "meanwhile %.1f threads are in %s%s: they probably hold"
                                                + " what the others wait for",
                                        most.threads(),
                                        most.cause() == Cause.SLEEP ? "" : most.cause().key() + " ",
                                        most.place().named()),
                                most.threads(),
                                ThreadSamples.ONE_AT_A_TIME));
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Finding found = judged(evidence, WaitRule.super.evaluate(evidence));
        return found instanceof Finding.Limits limits
                ? ReportedPool.named(limits, evidence)
                : found;
    }

    private static Finding judged(Evidence evidence, Finding seen) {
        Optional<ThreadSamples.Busy> top = evidence.top(Cause.POOL);
        if (top.filter(RateLimitRule::isPermit).isPresent()) {
            return new Finding.Cleared(
                    LIMITER_SUSPICION, "the permits that threads wait for belong to a limiter");
        }
        return seen instanceof Finding.Limits
                ? seen
                : borrowedByNoThread(evidence).or(() -> borrowedUnknown(evidence)).orElse(seen);
    }

    /// Returns a finding if at least half of the threads in use wait for an unknown cause. The
    /// other threads must be in calls to one place, and all connections to it must be in use. If
    /// the client is asynchronous, threads that wait for a result count as waiting, too.
    private static Optional<Finding> borrowedUnknown(Evidence evidence) {
        Optional<ThreadSamples> saturated = evidence.saturated();
        if (saturated.isEmpty() || evidence.stillRises() || evidence.cpuIsShort()) {
            return Optional.empty();
        }
        ThreadSamples threadSamples = saturated.get();
        double waiting =
                threadSamples.busy().stream()
                        .filter(b -> b.cause() == Cause.OTHER && !b.place().is(Activity.IN_JVM))
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        double calling =
                threadSamples.threads(Cause.DATABASE) + threadSamples.threads(Cause.DOWNSTREAM);
        boolean async = threadSamples.busy().stream().anyMatch(ThreadSamples.Busy::async);
        waiting += async ? threadSamples.threads(Cause.FUTURE) : 0;
        double busy = Math.max(1, threadSamples.busyThreads());
        if (waiting < Waiting.SHARE_LIMIT * busy
                || waiting + calling < Limits.AS_GOOD_AS_ALL * busy) {
            return Optional.empty();
        }
        double outside = waiting;
        return threadSamples.calls().stream()
                .filter(c -> c.inUse() >= Limits.ALL_IN_USE)
                .filter(SiteLines::areKept)
                .filter(c -> c.connections() >= UnseenCalls.POOL_FROM || !async)
                .filter(c ->
                        c.connections() < outside && c.awaiting() >= Limits.ALL_IN_USE * calling)
                .max(Comparator.comparingDouble(Calls::awaiting))
                .map(pool -> unknownPool(evidence, pool, outside, busy));
    }

    private static Finding unknownPool(Evidence evidence, Calls pool, double waiting, double busy) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.WAITING,
                        say(
                                "%.1f of %.1f threads in use wait, for no other known cause",
                                waiting, busy),
                        waiting / busy,
                        Waiting.SHARE_LIMIT));
        lines.add(inUse(pool));
        evidence.scalingLine().ifPresent(lines::add);
        return new Finding.Limits(
                pool.where(),
                confidence(pool.inUse(), Limits.ALL_IN_USE, 0.97, 0.70, MAX_IF_POOL_UNKNOWN),
                Statement.of(
                                POOL_LIMITS,
                                "all %.0f connections to %s are in"
                                        + " use, and %.1f threads wait meanwhile",
                                pool.connections(),
                                pool.where(),
                                waiting)
                        .and(evidence.atTwiceTheLoad())
                        .and("."),
                lines);
    }

    private static EvidenceLine inUse(Calls pool) {
        return line(
                Figure.IN_USE,
                say(
                        "%.1f of %.0f connections to %s await an answer",
                        pool.awaiting(), pool.connections(), pool.where()),
                pool.inUse(),
                Limits.ALL_IN_USE);
    }

    private static Optional<Finding> borrowedByNoThread(Evidence evidence) {
        return UnseenCalls.of(evidence)
                .flatMap(u ->
                        u.pool()
                                .map(pool ->
                                        new Finding.Limits(
                                                pool.where(),
                                                u.seen() ? sure(pool) : UNSEEN,
                                                statement(u, pool)
                                                        .and(evidence.atTwiceTheLoad())
                                                        .and("."),
                                                lines(evidence, u, pool))));
    }

    private static double sure(Calls pool) {
        return confidence(pool.inUse(), Limits.ALL_IN_USE, 0.97, 0.75, Doubt.NO_WAITER_SEEN.most());
    }

    private static Statement statement(UnseenCalls u, Calls pool) {
        return u.seen()
                ? Statement.of(
                        POOL_LIMITS,
                        "no thread waits, but all %.0f connections to %s await an answer (%.1f on"
                                + " average), while %.0f of %.0f requests are neither inside the"
                                + " service nor at a call",
                        pool.connections(),
                        pool.where(),
                        pool.awaiting(),
                        u.missing(),
                        u.inFlight())
                : Statement.of(
                        POOL_LIMITS,
                        "no thread waits, but of %.0f requests in flight only %.1f are inside the"
                                + " service, which holds %.0f connections to %s",
                        u.inFlight(),
                        u.inside(),
                        pool.connections(),
                        pool.where());
    }

    private static List<EvidenceLine> lines(Evidence evidence, UnseenCalls u, Calls pool) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.INSIDE,
                        say(
                                "%.1f of %.0f requests are inside the service",
                                u.inside(), u.inFlight()),
                        u.inside() / u.inFlight(),
                        UnseenCalls.INSIDE_LIMIT));
        lines.add(
                line(
                        Figure.CONNECTIONS,
                        say("%.0f connections to %s", pool.connections(), pool.where()),
                        pool.connections() / u.inFlight(),
                        Limits.FEW_CONNECTIONS));
        if (u.seen()) {
            lines.add(inUse(pool));
        }
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return ConnectionRecommendations.connectionPool(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.largerPool(LargerPool.Kind.CONNECTIONS);
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
