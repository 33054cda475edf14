package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Event loops wait for something other than their sockets, or each uses a whole core while other
/// cores are idle. All connections of a loop wait for it.
public final class EventLoopRule implements Rule {
    /// Minimum share of the loop threads found waiting, for the loops to count as blocked. A
    /// healthy loop is never found waiting.
    static final double WAITING_LIMIT = 0.30;

    /// Minimum number of connections with an unread request, at which requests wait for a loop.
    static final double UNREAD_LIMIT = 1;

    private static final Set<Cause> NO_WAITS =
            EnumSet.of(Cause.CPU, Cause.RUN_QUEUE, Cause.OTHER, Cause.NETWORK);

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.EVENT_LOOP;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.THREAD_POOL,
                Bottleneck.DOWNSTREAM,
                Bottleneck.DOWNSTREAM_SERIAL,
                Bottleneck.DATABASE,
                Bottleneck.DNS,
                Bottleneck.DISK,
                Bottleneck.LOCK,
                Bottleneck.LOGGING,
                Bottleneck.RATE_LIMIT,
                Bottleneck.CONNECTION_POOL,
                Bottleneck.CPU);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        if (evidence.saturated().isEmpty()) {
            return SeenShare.notKnown(evidence.saturated());
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        Optional<ThreadSamples.Pool> loops =
                busiest(threadSamples, ThreadSamples.Pool::serving)
                        .or(() -> busiest(threadSamples, p -> standsBehind(p, threadSamples)))
                        .or(() -> alone(threadSamples));
        Optional<ThreadSamples.Pool> hot = hot(evidence, threadSamples);
        if (loops.isEmpty()) {
            return hot.map(p -> full(evidence, p, 1, hottest(evidence)))
                    .orElseGet(() -> new Finding.NotApplicable("no event loop serves requests"));
        }
        ThreadSamples.Pool pool = loops.get();
        double working = working(pool, threadSamples);
        double waiting = waiting(pool) / working;
        double cores = pool.cores() / working;
        if (waiting >= WAITING_LIMIT) {
            return blocked(evidence, pool, working, waiting);
        }
        if (cores >= Saturation.CPU_SATURATED && !evidence.cpuIsShort()) {
            return full(evidence, pool, working, cores);
        }
        if (hot.isPresent()) {
            return full(evidence, hot.get(), 1, hottest(evidence));
        }
        return new Finding.Cleared(
                Math.max(waiting, cores * 0.4),
                say(
                        "the loops of %s wait %.0f %% of the time and use %.2f cores each",
                        pool.name(), waiting * 100, cores));
    }

    private static Optional<ThreadSamples.Pool> busiest(
            ThreadSamples threadSamples, Predicate<ThreadSamples.Pool> which) {
        return threadSamples.pools().stream()
                .filter(p -> p.loop() && p.size() > 0)
                .filter(which)
                .max(Comparator.comparingDouble(ThreadSamples.Pool::busy));
    }

    /// True if requests are unread, no known pool serves requests, and this loop has most of the
    /// busy threads. No frame identifies such a loop. The last condition excludes other threads
    /// that are always busy: a JVM compiler, or one worker among others.
    private static boolean standsBehind(ThreadSamples.Pool pool, ThreadSamples threadSamples) {
        return threadSamples.waitingSockets() >= UNREAD_LIMIT
                && threadSamples.pools().stream().noneMatch(ThreadSamples.Pool::serving)
                && pool.busy() > Limits.MAJORITY_OF_BUSY * threadSamples.busyThreads();
    }

    /// Returns a single thread that was busy in every dump, and never in its selector, while
    /// requests are unread. A thread that only passes requests to other threads would read them
    /// first.
    private static Optional<ThreadSamples.Pool> alone(ThreadSamples threadSamples) {
        return threadSamples.pools().stream()
                .filter(p -> p.size() == 1 && p.minIdle() == 0)
                .filter(p -> p.cores() >= Saturation.CPU_SATURATED)
                .filter(p -> standsBehind(p, threadSamples))
                .findFirst();
    }

    /// Returns a loop for which the threads that handle requests wait, and of which one thread uses
    /// a whole core while other cores are idle. It belongs to a server in the same JVM that these
    /// threads call, or to their asynchronous client.
    private static Optional<ThreadSamples.Pool> hot(
            Evidence evidence, ThreadSamples threadSamples) {
        Optional<String> thread =
                evidence.place(Sign.HOTTEST_THREAD_CORES)
                        .filter(_ -> hottest(evidence) >= Saturation.CPU_SATURATED);
        double waiting =
                threadSamples.busy().stream()
                        .filter(b -> b.async() || b.ownPlace().isPresent() || isCall(b))
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        return thread.filter(_ -> !evidence.cpuIsShort() && !evidence.stillRises())
                .filter(_ -> waiting > Limits.MAJORITY_OF_BUSY * threadSamples.busyThreads())
                .flatMap(name ->
                        threadSamples.pools().stream()
                                .filter(p -> p.loop() && isOf(p, name))
                                .filter(p -> p.cores() >= Saturation.CPU_SATURATED)
                                .findFirst());
    }

    private static boolean isCall(ThreadSamples.Busy b) {
        return b.cause() == Cause.DOWNSTREAM || b.cause() == Cause.FUTURE;
    }

    private static double hottest(Evidence evidence) {
        return evidence.sign(Sign.HOTTEST_THREAD_CORES).orElse(0.0);
    }

    /// True if a thread belongs to the pool.
    ///
    /// @param thread name of the thread in the kernel, at most 15 characters
    private static boolean isOf(ThreadSamples.Pool pool, String thread) {
        String name = pool.name();
        int same = Math.min(name.length(), thread.length());
        return same > 0 && name.regionMatches(0, thread, 0, same);
    }

    /// Returns the number of loops that have connections. A loop that was idle in every dump,
    /// although requests were unread, has no connection. The reason may be a framework that gives
    /// all connections to one loop (a Vert.x verticle that was deployed once).
    private static double working(ThreadSamples.Pool pool, ThreadSamples threadSamples) {
        return threadSamples.waitingSockets() < UNREAD_LIMIT
                ? pool.size()
                : Math.max(1, pool.size() - pool.minIdle());
    }

    private static double waiting(ThreadSamples.Pool pool) {
        return pool.doing().entrySet().stream()
                .filter(e -> !NO_WAITS.contains(e.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static Finding blocked(
            Evidence evidence, ThreadSamples.Pool pool, double working, double waiting) {
        Cause mostFrequent =
                pool.doing().entrySet().stream()
                        .filter(e -> !NO_WAITS.contains(e.getKey()))
                        .max(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey)
                        .orElse(Cause.OTHER);
        String place = evidence.top(mostFrequent).map(ThreadSamples.Busy::where).orElse("");
        double sure = confidence(waiting, WAITING_LIMIT, 0.8, 0.80, 0.97);
        if (evidence.stillRises()) {
            sure *= Evidence.STILL_RISES;
        }
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.LOOP_WAITING,
                        say(
                                "%.0f %% of the %.0f loop threads of %s wait, mostly for %s %s",
                                waiting * 100, working, pool.name(), mostFrequent.key(), place),
                        waiting,
                        WAITING_LIMIT));
        lines.addAll(common(evidence));
        return new Finding.Limits(
                pool.name() + " waits for " + mostFrequent.key() + " " + place,
                sure,
                say(
                        "The event loops are blocked: %.1f of the %.0f threads of %s wait for %s %s"
                                + " instead of serving their connections; %.0f requests are unread.",
                        waiting * working,
                        working,
                        pool.name(),
                        mostFrequent.key(),
                        place,
                        evidence.saturated().map(ThreadSamples::waitingSockets).orElse(0.0)),
                lines);
    }

    private static Finding full(
            Evidence evidence, ThreadSamples.Pool pool, double working, double cores) {
        String place = evidence.top(Cause.CPU).map(ThreadSamples.Busy::where).orElse("");
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.LOOP_CORES,
                        say("each loop at work of %s uses %.2f of a core", pool.name(), cores),
                        cores,
                        Saturation.CPU_SATURATED));
        lines.addAll(common(evidence));
        return new Finding.Limits(
                pool.name() + ": " + place,
                confidence(cores, Saturation.CPU_SATURATED, 0.97, 0.80, 0.95),
                say(
                        "The event loops are the bottleneck: %s busy on a core all the time"
                                + " (%s)%s.",
                        loopName(pool, working),
                        place,
                        evidence.cpuUtilisation()
                                .map(u ->
                                        say(
                                                " while the target uses only %.0f %% of the cores"
                                                        + " available to it",
                                                u * 100))
                                .orElse("")),
                lines);
    }

    private static String loopName(ThreadSamples.Pool pool, double working) {
        if (pool.size() == 1) {
            return say("the one thread of %s is", pool.name());
        }
        return working < pool.size()
                ? say(
                        "%.0f of the %.0f threads of %s got all the connections, and each is",
                        working, pool.size(), pool.name())
                : say("each of the %.0f threads of %s is", pool.size(), pool.name());
    }

    private static List<EvidenceLine> common(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>();
        evidence.saturated()
                .ifPresent(c ->
                        lines.add(
                                line(
                                        Figure.UNREAD_REQUESTS,
                                        say("%.1f connections unread", c.waitingSockets()),
                                        c.waitingSockets(),
                                        UNREAD_LIMIT)));
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return LoopRecommendations.eventLoop(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
