package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Requests wait for their turn: they sleep or wait for a permit, and twice the load gives no more
/// throughput.
///
/// Permits that a timer issues are not held by any thread. Permits of a concurrency limit (a
/// bulkhead) are held by the threads that work inside it. A semaphore in a method whose name
/// contains pool or connection is a pool.
public final class RateLimitRule implements Rule {
    /// Minimum number of connections opened per request in the target's network, at which each
    /// request may need a port. Connections that stay open need no new port.
    private static final double OPENED_EACH = 0.5;

    private static final Comparator<ThreadSamples.Busy> MAX_THREADS =
            Comparator.comparingDouble(ThreadSamples.Busy::threads);

    /// Minimum share of the threads in use that wait for a permit or sleep.
    static final double SHARE_LIMIT = 0.50;

    private static final Pattern POOLS =
            Pattern.compile("pool|connection|lease|borrow|checkout", Pattern.CASE_INSENSITIVE);

    /// Maximum confidence if threads wait for a notification, because the reason of such a wait is
    /// unknown.
    static final double MAX_IF_NOTIFIED = 0.75;

    /// Minimum share of the requests in flight for which no thread and no call was found.
    static final double NOWHERE = 0.8;

    /// Confidence if the only evidence is that no thread and no call was found for the requests.
    static final double NOWHERE_SURE = 0.65;

    /// Minimum growth of a request's sleep time, at twice the load and more, at which there is a
    /// queue. With a fixed number of requests admitted per second, the time at least doubles. A
    /// plain delay stays the same, except for noise.
    static final double GROWS = 1.4;

    /// Confidence if requests wait although no resource that serves them is saturated.
    static final double ADMITTED_SURE = 0.80;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.RATE_LIMIT;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<UnseenCalls> unseen =
                UnseenCalls.of(evidence).filter(u -> isHeldBack(u, evidence));
        if (unseen.isPresent()) {
            return heldBackByNoThread(evidence, unseen.get());
        }
        Optional<Finding> admitted = evidence.saturated().flatMap(c -> admits(c, evidence));
        if (admitted.isPresent()) {
            return admitted.get();
        }
        if (evidence.saturated().filter(SeenShare::ofBusyIsKnown).isEmpty()) {
            return SeenShare.notKnown(evidence.saturated());
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        List<ThreadSamples.Busy> turns = turns(threadSamples);
        double waiting = turns.stream().mapToDouble(ThreadSamples.Busy::threads).sum();
        double share = waiting / threadSamples.busyThreads();
        Optional<BelowLimit> few = BelowLimit.of(share, SHARE_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                    share * 0.5, few.get(), "of the threads in use wait for their turn");
        }
        double sure = confidence(share, SHARE_LIMIT, 0.9, 0.70, 0.95);
        if (evidence.cpuIsShort()) {
            sure *= 0.5;
        }
        ThreadSamples.Busy top = Collections.max(turns, MAX_THREADS);
        if (top.cause() == Cause.POOL
                ? evidence.stillRises()
                : evidence.aDelayStillRises() || isADelayOfAll(top, threadSamples, evidence)) {
            // a sleep without a queue is a delay: more load would give more throughput
            sure *= Evidence.STILL_RISES;
        }
        Optional<Holder> holder = top.cause() == Cause.POOL ? top.holder() : Optional.empty();
        boolean held = holder.isPresent() && !isPermitOfAClock(threadSamples, top);
        if (held) {
            sure = Doubt.PERMITS_ARE_HELD.cap(sure);
        }
        if (top.place().is(Activity.NOTIFICATION)) {
            sure = Math.min(sure, MAX_IF_NOTIFIED);
            if (evidence.fullestCpu().filter(CpuShortage::isMostlyOfChildren).isPresent()) {
                // a thread is also notified of the end of a child process
                sure *= 0.5;
            }
        }
        return new Finding.Limits(
                top.where(),
                sure,
                Statement.of(
                        "A limiter is the bottleneck",
                        "%.1f of %.1f threads in use wait for their turn in" + " %s, %s%s.",
                        waiting,
                        threadSamples.busyThreads(),
                        top.place().named(),
                        held
                                ? Sentence.format(
                                        "which lets only about %.0f in at a time (inside: %s)",
                                        Math.max(1, threadSamples.busyThreads() - waiting),
                                        holder.orElseThrow().named())
                                : "no thread holds what they wait for",
                        staysAt(evidence)),
                lines(evidence, top, share));
    }

    private static List<EvidenceLine> lines(
            Evidence evidence, ThreadSamples.Busy top, double share) {
        double qps = evidence.plateau().qps();
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.TURN_SHARE,
                        Sentence.format(
                                "%.0f %% of the threads in use wait in %s",
                                share * 100, top.place().named()),
                        share,
                        SHARE_LIMIT));
        if (qps > 0) {
            lines.add(
                    line(
                            Figure.LIMIT,
                            say(
                                    "throughput is %.0f/s at N=%d",
                                    qps, evidence.plateau().concurrency()),
                            qps,
                            0));
        }
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }

    /// True if most of the requests in flight sleep at this place, and the sleep is no longer than
    /// at a low load. Requests in a queue would wait longer at a higher load. If only a few
    /// requests sleep, the others may queue for the sleeping threads.
    private static boolean isADelayOfAll(
            ThreadSamples.Busy top, ThreadSamples threadSamples, Evidence evidence) {
        return top.cause() == Cause.SLEEP
                && top.threads() >= SHARE_LIMIT * threadSamples.concurrency()
                && growthBetweenStops(threadSamples, evidence).filter(g -> g < GROWS).isPresent();
    }

    /// Returns the growth of a request's sleep time with the load, without the collector's stops.
    /// The stops also lengthen the time of a sleeping thread, but are not part of the sleep.
    private static Optional<Double> growthBetweenStops(
            ThreadSamples threadSamples, Evidence evidence) {
        return evidence.growth(Cause.SLEEP)
                .flatMap(g ->
                        evidence.relaxed()
                                .map(r ->
                                        g
                                                * (1 - pauseShare(threadSamples, evidence))
                                                / (1 - pauseShare(r, evidence))))
                .filter(Double::isFinite);
    }

    private static double pauseShare(ThreadSamples window, Evidence evidence) {
        return evidence.rounds().stream()
                .filter(r -> r.concurrency() == window.concurrency())
                .flatMap(r -> r.gc().stream())
                .mapToDouble(GcActivity::pauseShare)
                .findFirst()
                .orElse(0);
    }

    /// True if nearly all requests are neither in a thread nor at a call, no connection is always
    /// in use, and cores are idle. The requests are then in a queue of the service that a timer
    /// empties.
    private static boolean isHeldBack(UnseenCalls u, Evidence evidence) {
        return u.seen()
                && u.missing() >= Math.max(SeenShare.SEVERAL, NOWHERE * u.inFlight())
                && u.calls().stream().noneMatch(c -> c.inUse() >= Limits.ALL_IN_USE)
                && evidence.cpuUtilisation().filter(RateLimitRule::isFree).isPresent()
                && evidence.sign(Sign.HOTTEST_THREAD_CORES).filter(h -> !isFree(h)).isEmpty();
    }

    /// @param used use of the cores, or of one core by one thread, as a share
    private static boolean isFree(double used) {
        return used < Saturation.CPU_SATURATED;
    }

    private static Finding heldBackByNoThread(Evidence evidence, UnseenCalls u) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.NOWHERE,
                        say(
                                "%.0f of %.0f requests have neither a thread nor an open call",
                                u.missing(), u.inFlight()),
                        u.missing() / u.inFlight(),
                        NOWHERE));
        evidence.scalingLine().ifPresent(lines::add);
        return new Finding.Limits(
                "inside the service",
                NOWHERE_SURE,
                Statement.of(
                        "A limiter seems to be the bottleneck",
                        "%.0f of %.0f requests have neither a thread nor an open call, nothing"
                                + " is saturated%s: the service itself keeps them waiting for"
                                + " their turn.",
                        u.missing(),
                        u.inFlight(),
                        staysAt(evidence)),
                lines);
    }

    /// Detects requests that the service has read and that have no thread, although threads of the
    /// serving pool are idle. The service admits only a fixed number at a time.
    private static Optional<Finding> admits(ThreadSamples threadSamples, Evidence evidence) {
        double has = evidence.sign(Sign.REQUESTS_INSIDE).orElse(0.0);
        List<ThreadSamples.Pool> serving =
                threadSamples.pools().stream().filter(p -> p.serving() && !p.loop()).toList();
        double inThreads = serving.stream().mapToDouble(ThreadSamples.Pool::busy).sum();
        double calls =
                threadSamples.callsOfNoThread().stream()
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        double outside = threadSamples.waitingSockets() + threadSamples.listenQueue() + calls;
        boolean allPermitsInUse =
                threadSamples.pools().stream()
                        .anyMatch(p -> p.minIdle() == 0 && atWork(p) > Limits.NONE);
        double queued = has - inThreads - outside;
        if (evidence.stillRises()
                || evidence.cpuIsShort()
                || allPermitsInUse
                || serving.stream().noneMatch(p -> p.minIdle() > 0)
                || inThreads < 1
                || !SeenShare.isQueue(queued, SHARE_LIMIT, threadSamples.concurrency())
                // if a call is open, all of these requests may be on one HTTP/2 connection
                || calls > Limits.NONE) {
            return Optional.empty();
        }
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.QUEUED,
                        say(
                                "%.0f of %.0f requests in the service have no thread, though threads are idle",
                                queued, has),
                        queued / threadSamples.concurrency(),
                        SHARE_LIMIT));
        evidence.scalingLine().ifPresent(lines::add);
        return Optional.of(
                new Finding.Limits(
                        say("%.0f requests at a time", inThreads),
                        ADMITTED_SURE,
                        Statement.of(
                                "A limiter is the bottleneck",
                                "of %.0f requests in the service only %.1f have"
                                        + " a thread, although threads that serve requests are idle%s: the"
                                        + " service keeps the others in a queue of its own.",
                                has,
                                inThreads,
                                staysAt(evidence)),
                        lines));
    }

    /// Returns the number of threads in use that neither wait for a pooled resource nor for an
    /// unknown cause, as housekeeping threads do.
    private static double atWork(ThreadSamples.Pool pool) {
        return pool.busy() - pool.doing(Cause.POOL) - pool.doing(Cause.OTHER);
    }

    private static String staysAt(Evidence evidence) {
        return evidence.scalingLine().isPresent()
                ? say(
                        ", and throughput stays at %.0f/s from N=%d on",
                        evidence.plateau().qps(), evidence.plateau().concurrency())
                : "";
    }

    /// Returns the threads that wait for a permit, or the sleeping threads if there are none. If
    /// permits exist, sleeping threads are ignored because they may hold a permit.
    private static List<ThreadSamples.Busy> turns(ThreadSamples threadSamples) {
        List<ThreadSamples.Busy> permits =
                threadSamples.busy().stream().filter(b -> isPermit(b)).toList();
        return permits.isEmpty()
                ? threadSamples.busy().stream().filter(b -> b.cause() == Cause.SLEEP).toList()
                : permits;
    }

    /// True if `busy` waits for a semaphore or a notification, and the method's name does not
    /// contain pool.
    public static boolean isPermit(ThreadSamples.Busy busy) {
        return busy.cause() == Cause.POOL
                && (busy.place().is(Activity.SEMAPHORE) || busy.place().is(Activity.NOTIFICATION))
                && busy.place().inFrame().filter(POOLS.asPredicate()).isEmpty();
    }

    private static boolean isPermitOfAClock(ThreadSamples threadSamples, ThreadSamples.Busy busy) {
        Optional<Holder> holder = busy.holder();
        double running = threadSamples.threads(Cause.CPU) + threadSamples.threads(Cause.RUN_QUEUE);
        return holder.isEmpty() || (holder.get().isIn(Cause.CPU) && running < Limits.NONE);
    }

    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return unseenPorts(evidence).map(Sentence::of);
    }

    /// Returns why a shortage of ports is not ruled out. A thread that finds no port sleeps and
    /// tries again. If the target has another network namespace, only root can read its number of
    /// ports.
    private static Optional<String> unseenPorts(Evidence evidence) {
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        double opened = evidence.sign(Sign.ACTIVE_OPENS_PER_S).orElse(0.0);
        return evidence.sign(Sign.PORTS_SHARE).isEmpty() && qps > 0 && opened >= OPENED_EACH * qps
                ? Optional.of(
                        say(
                                "ports is not ruled out: %.0f connections/s are opened in the"
                                        + " service's network, whose number of ports was not"
                                        + " seen (root may see it)",
                                opened))
                : Optional.empty();
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return QueueRecommendations.rateLimit(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
