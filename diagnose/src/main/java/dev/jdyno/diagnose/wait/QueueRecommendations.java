package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.edge.ServerSettings;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.gain.NeededPlaces;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.SettingValue;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Recommendations for requests that queue inside the service: for threads, a limiter, event loops
/// or the disk. Recommendations for locks are in [LockRecommendations], those for connections in
/// [ConnectionRecommendations].
public final class QueueRecommendations {
    /// Maximum difference, as a share, at which two counts are of the same threads.
    private static final double AS_MANY = 0.1;

    private QueueRecommendations() {}

    public static RecommendationList threadPool(Situation s) {
        String pool = s.verdict().where();
        RecommendationList recommendations = threads(s, pool);
        HolderWait.ofThreads(s, pool)
                .ifPresent(w ->
                        shorter(
                                KnownChange.WAIT_SHORTER,
                                s,
                                w,
                                s.lessWaiting(w.cause(), 0.5),
                                recommendations));
        RemoteRecommendations.delayed(s).ifPresent(recommendations::add);
        return recommendations;
    }

    /// Recommends to halve the wait that holds the threads of the verdict's pool, and names its
    /// place.
    ///
    /// @param gain gain of the change, if the model has no prediction for it
    private static void shorter(
            KnownChange name,
            Situation s,
            HolderWait wait,
            Gain gain,
            RecommendationList recommendations) {
        Sentence says =
                wait.code()
                        .map(at ->
                                Sentence.format(
                                        "Halve the wait of %s (%s), which is %s of the time that"
                                                + " a request holds a thread of %s",
                                        Sentence.name(at),
                                        wait.what(),
                                        wait.percent(),
                                        s.verdict().where()))
                        .orElseGet(() ->
                                Sentence.format(
                                        "Halve the longest wait of the pool's threads: %s, %s of"
                                                + " their time",
                                        wait.what(), wait.percent()));
        recommendations.byHand(
                name,
                says,
                new WhatIfChange.Scale(wait.cause().key(), 0.5),
                wait.how(),
                s.half(wait.cause(), gain),
                List.of(wait.change(s)));
    }

    /// Recommends more threads.
    ///
    /// @param pool the pool with too few threads
    public static RecommendationList threads(Situation s, String pool) {
        return s.knee()
                .flatMap(Knee::predicted)
                .filter(p -> p.qps() > s.now().qps())
                .map(p -> threadsByCpu(s, pool, p))
                .orElseGet(() -> threadsTwice(s, pool));
    }

    /// Recommends the number of threads that the load of the report needs, but no more than the CPU
    /// allows.
    private static RecommendationList threadsByCpu(Situation s, String pool, Knee.Predicted byCpu) {
        Optional<HolderWait> wait = HolderWait.ofThreads(s, pool);
        double ratio = byCpu.qps() / s.now().qps();
        int allowed = (int) Math.ceil(byCpu.concurrency());
        Gain max =
                s.atLeast(
                        Gain.of(ratio, 1 / ratio, true, "F1, N* = (T_total / D) · P, for the CPU"),
                        1);
        Optional<NeededPlaces> fewer =
                size(s, pool)
                        .map(now -> needed(s, now, allowed, max, new WhatIfChange.Threads(allowed)))
                        .filter(NeededPlaces::isLess);
        int threads = fewer.map(NeededPlaces::size).orElse(allowed);
        Gain gain = fewer.map(NeededPlaces::gain).orElse(max);
        double factor = size(s, pool).map(now -> threads / now).orElse(ratio);
        var recommendations = new RecommendationList();
        recommendations.setting(
                KnownChange.THREADS,
                say("Give %s %d threads: ", pool, threads)
                        + fewer.map(n -> say("what %d requests in flight use", n.concurrency()))
                                .orElse("what its CPU would allow"),
                new WhatIfChange.Threads(threads),
                fewer.map(NeededPlaces::says).orElse("")
                        + ServerSettings.threads(s, pool)
                        + SiteLines.madeAt(s.evidence(), pool)
                        + HolderWait.next(s, wait, factor, gain),
                ofLarger(wait, gain),
                new Change.PoolSize(pool, new Amount.Exactly(say("%d", threads))));
        sizes(s, pool, threads, recommendations);
        return recommendations;
    }

    private static RecommendationList threadsTwice(Situation s, String pool) {
        Optional<HolderWait> wait = HolderWait.ofThreads(s, pool);
        Gain gain = s.model(StandardChange.THREADS, s.turns(2));
        var recommendations = new RecommendationList();
        recommendations.setting(
                KnownChange.THREADS,
                twiceTheThreads(s, pool),
                StandardChange.THREADS.asked(),
                ServerSettings.threads(s, pool)
                        + enough(s, size(s, pool), gain, StandardChange.THREADS.asked())
                                .map(says -> "; " + says)
                                .orElse("")
                        + SiteLines.madeAt(s.evidence(), pool)
                        + HolderWait.next(s, wait, 2, gain)
                        + "; each takes memory for its stack",
                ofLarger(wait, gain),
                new Change.PoolSize(pool, new Amount.Times(2)));
        size(s, pool).ifPresent(n -> sizes(s, pool, 2 * n, recommendations));
        return recommendations;
    }

    /// Returns the number of threads that the load of the report needs. More threads do not shorten
    /// a request that is alone.
    private static NeededPlaces needed(
            Situation s, double now, int proposed, Gain gain, WrittenChange written) {
        return NeededPlaces.of(s, now, proposed, gain, written, s.aloneMs(), true);
    }

    /// Returns a clause with the number of places that the load of the report uses if the pool has
    /// twice as many. Empty if it uses all of them.
    ///
    /// @param written the change to twice the places
    static Optional<String> enough(
            Situation s, Optional<? extends Number> size, Gain gain, WrittenChange written) {
        return size.map(Number::doubleValue)
                .filter(now -> now >= 1)
                .flatMap(now -> {
                    int twice = (int) Math.round(2 * now);
                    NeededPlaces needed = needed(s, now, twice, gain, written);
                    return needed.isLess()
                            ? Optional.of(
                                    say(
                                            "%d are enough for %d in flight, the load of this gain",
                                            needed.size(), needed.concurrency()))
                            : Optional.<String>empty();
                });
    }

    /// Adds the name of the setting to the last recommendation, with the present number of threads
    /// from the dumps.
    private static void sizes(
            Situation s, String pool, double threads, RecommendationList recommendations) {
        size(s, pool)
                .ifPresent(now ->
                        recommendations.sets(
                                new SettingValue(
                                        ServerSettings.threadsName(s, pool),
                                        say("%.0f", now),
                                        say("%.0f", threads))));
    }

    private static Gain ofLarger(Optional<HolderWait> wait, Gain gain) {
        return wait.map(w -> w.ofLarger(gain)).orElse(gain);
    }

    /// Returns text that recommends twice the threads, with their present number from the dumps.
    private static String twiceTheThreads(Situation s, String where) {
        return "Give "
                + where
                + size(s, where)
                        .map(now -> say(" twice the threads: it has %.0f", now))
                        .orElse(" twice the threads");
    }

    /// Returns the number of threads of a pool that dumps counted.
    private static Optional<Double> size(Situation s, String pool) {
        return s.evidence().saturated().stream()
                .flatMap(c -> c.pools().stream())
                .filter(p -> p.name().equals(pool) && p.size() >= 1)
                .findFirst()
                .map(ThreadSamples.Pool::size);
    }

    public static RecommendationList poolStarvation(Situation s) {
        boolean callsItself =
                s.evidence().saturated().filter(PoolStarvationRule::asksItself).isPresent();
        boolean waitsForItself = s.figure(Figure.WAITS_FOR_ITSELF).orElse(0.0) > 0;
        var recommendations = new RecommendationList();
        if (callsItself || waitsForItself) {
            recommendations.byHand(
                    KnownChange.EXECUTOR_OWN,
                    callsItself
                            ? "Call the code directly instead of the service's own port, or serve"
                                    + " these calls from a pool of their own"
                            : ownExecutor(s),
                    callsItself
                            ? "a second connector with an executor of its own, where the call must stay"
                            : "thenCompose or thenCombine instead of get() and join(), or submit the"
                                    + " inner task to a second executor: then no worker waits for"
                                    + " its own pool",
                    s.turns(Double.POSITIVE_INFINITY));
        }
        if (waitsForItself) {
            recommendations.setting(
                    KnownChange.EXECUTOR_LARGER,
                    twiceTheThreads(s, s.verdict().where()),
                    StandardChange.THREADS.asked(),
                    "a larger pool only moves the load at which all its workers wait for each other",
                    Gain.unknown(
                            "below the load at which all its workers wait, the pool is no limit;"
                                    + " above that load, no task runs"),
                    new Change.PoolSize(s.verdict().where(), new Amount.Times(2)));
            size(s, s.verdict().where())
                    .ifPresent(n -> sizes(s, s.verdict().where(), 2 * n, recommendations));
        } else {
            executorLarger(s, recommendations);
        }
        if (!callsItself && !waitsForItself) {
            workers(s)
                    .flatMap(p -> HolderWait.ofThreads(s, p.name()))
                    .ifPresent(w ->
                            shorter(
                                    KnownChange.TASK_SHORTER,
                                    s,
                                    w,
                                    s.heldLess(w.share() / 2),
                                    recommendations));
        }
        return recommendations;
    }

    /// Returns the advice with the code in which workers of the pool wait for tasks of the same
    /// pool.
    private static Sentence ownExecutor(Situation s) {
        String pool = s.verdict().where();
        return waitsFor(s, pool)
                .map(frame ->
                        Sentence.format(
                                "Do not wait in %s for a task of %s: that thread is one of the"
                                        + " pool's own",
                                Sentence.name(frame), pool))
                .orElseGet(() ->
                        Sentence.of(
                                        "Run the tasks that other tasks wait for in an executor"
                                                + " of their own, or join without holding a"
                                                + " worker")
                                .and(
                                        s.codeIn(pool)
                                                .map(own -> Sentence.of(": ").and(own.says()))
                                                .orElse(Sentence.of(""))));
    }

    /// Returns the method in which threads wait for a task, if their number equals that of the
    /// waiting workers of the pool.
    private static Optional<String> waitsFor(Situation s, String pool) {
        double workers =
                s.evidence().saturated().stream()
                        .flatMap(c -> c.pools().stream())
                        .filter(p -> p.name().equals(pool))
                        .mapToDouble(p -> p.doing(Cause.FUTURE))
                        .sum();
        return s.evidence().saturated().stream()
                .flatMap(c -> c.busy().stream())
                .filter(b -> b.cause() == Cause.FUTURE && b.place().inFrame().isPresent())
                .filter(_ -> workers > 0)
                .min(Comparator.comparingDouble(b -> Math.abs(b.threads() - workers)))
                .filter(b -> Math.abs(b.threads() - workers) <= AS_MANY * workers)
                .flatMap(b -> b.place().inFrame());
    }

    /// Recommends the number of threads for the throughput that the next limit allows. If no next
    /// limit is known, or if it is almost reached, twice the present number is recommended.
    private static void executorLarger(Situation s, RecommendationList recommendations) {
        String pool = s.verdict().where();
        String how =
                "the size its executor is made with"
                        + (s.runs("org.springframework.")
                                ? " (Spring's @Async: spring.task.execution.pool.core-size,"
                                        + " because its queue is unbounded)"
                                : "")
                        + SiteLines.madeAt(s.evidence(), pool);
        Optional<LargerExecutor> sized = workers(s).flatMap(p -> LargerExecutor.of(s, p));
        Optional<HolderWait> wait = workers(s).flatMap(p -> HolderWait.ofThreads(s, p.name()));
        Gain gain = sized.map(LargerExecutor::gain).orElseGet(() -> s.turns(2));
        double factor = sized.map(l -> l.threads() / l.pool().size()).orElse(2.0);
        recommendations.setting(
                KnownChange.EXECUTOR_LARGER,
                sized.map(LargerExecutor::says).orElseGet(() -> twiceTheThreads(s, pool)),
                sized.<WrittenChange>map(l -> new WhatIfChange.Threads(l.threads()))
                        .orElse(StandardChange.THREADS.asked()),
                sized.map(LargerExecutor::enough).orElse("")
                        + how
                        + HolderWait.next(s, wait, factor, gain),
                ofLarger(wait, gain),
                new Change.PoolSize(
                        pool,
                        sized.<Amount>map(l -> new Amount.Exactly(say("%d", l.threads())))
                                .orElseGet(() -> new Amount.Times(2))));
        sized.map(l -> (double) l.threads())
                .or(() -> size(s, pool).map(n -> 2 * n))
                .ifPresent(n -> sizes(s, pool, n, recommendations));
    }

    /// Returns the pool that the verdict names.
    private static Optional<ThreadSamples.Pool> workers(Situation s) {
        return s.evidence().saturated().stream()
                .flatMap(c -> c.pools().stream())
                .filter(p -> p.name().equals(s.verdict().where()) && p.busy() > 0)
                .findFirst();
    }

    /// Returns the number of threads in use that do not wait for the pooled resource, so they
    /// probably hold it; empty if there are none.
    static Optional<Long> notWaiting(Situation s) {
        return s.evidence().saturated().stream()
                .flatMap(c -> c.notWaitingForPool().stream())
                .findFirst()
                .map(Math::round);
    }

    /// Recommends a higher limit. The present limit is the number of admitted requests, or the
    /// present throughput.
    public static RecommendationList rateLimit(Situation s) {
        String where = s.verdict().where();
        Sentence at =
                PlaceText.frame(where).map(Sentence::name).orElseGet(() -> PlaceText.named(where));
        // a load with pauses between requests may be below the limit
        double qps =
                s.evidence().rounds().stream()
                        .mapToDouble(Round::qps)
                        .reduce(s.now().qps(), Math::max);
        String fromTo =
                notWaiting(s)
                        .map(n -> say("from %d to %d at a time", n, 2 * n))
                        .orElseGet(() -> say("from %.0f/s to %.0f/s", qps, 2 * qps));
        return new RecommendationList()
                .byHand(
                        KnownChange.LIMIT_DOUBLE,
                        Sentence.format(
                                "Raise the limit in %s %s, if what it protects can bear that",
                                at, fromTo),
                        enough(s, notWaiting(s), s.turns(2), WrittenChange.NOT)
                                        .map(says -> says + "; ")
                                        .orElse("")
                                + "the rate or the permits that this code, or its configuration, gives to the"
                                + " limiter"
                                + PlaceText.beforeFrame(where)
                                        .map(what -> " (requests wait in " + what + ")")
                                        .orElse("")
                                + "; the next run names the next limit",
                        s.turns(2),
                        List.of(new Change.PoolSize(where, new Amount.Times(2))));
    }

    public static RecommendationList disk(Situation s) {
        boolean forces =
                s.evidence()
                        .top(Cause.DISK)
                        .filter(b -> b.place().is(Place.Activity.FSYNC))
                        .isPresent();
        Optional<String> limits = s.evidence().place(Sign.DISK_LIMITS);
        return new RecommendationList()
                .byHand(
                        forces ? KnownChange.FORCE_TOGETHER : KnownChange.DISK_LESS,
                        forces
                                ? "Force data to the disk once for several requests (group"
                                        + " commit)"
                                : "Read and write half as much: cache, compress, larger pieces",
                        StandardChange.DISK.asked(),
                        forces
                                ? "collect the writes that arrive during a force; with two"
                                        + " requests per force, each needs half"
                                : "`iostat -x 1` during a run shows whether the device or the page"
                                        + " cache answers",
                        s.half(Cause.DISK, s.withCapacity(2)))
                .byHand(
                        limits.isPresent() ? KnownChange.DISK_LIMIT : KnownChange.DISK_FASTER,
                        limits.map(l ->
                                        "Double the disk limit of the service's cgroup, now at"
                                                + " most "
                                                + l)
                                .orElse("Put the file on a device that is twice as fast"),
                        StandardChange.DISK.asked(),
                        limits.isPresent()
                                ? "io.max of its cgroup (v1: blkio.throttle);"
                                        + " IOWriteBandwidthMax= and `docker run"
                                        + " --device-write-bps` for bytes, IOWriteIOPSMax= and"
                                        + " `--device-write-iops` for operations; `fio"
                                        + " --fsync=1` shows what the device can do"
                                : "`fio --fsync=1` shows what the device can do",
                        s.half(Cause.DISK, s.withCapacity(2)));
    }

    /// Returns recommendations for the longest parts of a request that is alone. They shorten the
    /// response time at loads at which no request queues.
    public static List<Recommendation> ofResponseTime(Situation s) {
        var recommendations = new RecommendationList();
        s.unloadedBreakdown()
                .ifPresent(a -> {
                    double rt = s.alone().orElseThrow().rtMs().mean();
                    a.topN().stream()
                            .filter(p -> p.cause() != Cause.RUN_QUEUE && rt > 0)
                            .limit(3)
                            .forEach(p -> {
                                double ratio = Math.max(0.05, 1 - p.ms() / 2 / rt);
                                recommendations.byHand(
                                        new ChangeName.OfTime(p.cause()),
                                        Sentence.format(
                                                "Halve %s at %s",
                                                p.cause().key(), p.place().named()),
                                        new WhatIfChange.Scale(p.cause().key(), 0.5),
                                        "at the lowest load, where no request queues",
                                        new Gain(
                                                Optional.empty(),
                                                Optional.of(ratio),
                                                false,
                                                say(
                                                        "F1, T_total = %s ms, of it %s ms here",
                                                        Lines.ms(rt), Lines.ms(p.ms()))));
                            });
                });
        return recommendations.list();
    }
}
