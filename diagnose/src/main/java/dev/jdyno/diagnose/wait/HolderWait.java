package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.OwnCode;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.thread.WaitGrowth;
import dev.jdyno.measure.verdict.Change;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// What the holders of a full pool do for most of the time. The pool is full because each of its
/// threads or connections is held for a long time. Three facts decide whether a shorter hold time
/// is recommended before a larger pool:
///
/// 1. Can code of the service shorten the wait? The sleep, query, lock or file access at a line of
///    the service can change. The time of another service usually cannot. If that service still
///    answers as fast as at a low load, a larger pool comes first.
/// 2. Can the other side take more calls? If its time grew with the load, a larger pool only moves
///    the queue there, and the gain is unknown.
/// 3. Is the gain of the larger pool bounded by a known limit ([Situation#room])?
///
/// @param cause activity of the holders
/// @param place resource for which they wait; empty if threads of other pools wait for it, too
/// @param code the method of the service in which they wait; empty if the evidence does not show it
/// @param source the line in that method; empty if not known
/// @param share share of the holders' time, 0…1
/// @param holders mean number of places that are held during this wait
/// @param callsEach calls of a request at that line; 1 if they were not counted
/// @param grew time per request in the wait at this load ÷ at a low load. Empty if the growth is
///   within the error of the samples, or if no low load was examined.
public record HolderWait(
        Cause cause,
        Optional<Place> place,
        Optional<String> code,
        Optional<String> source,
        double share,
        double holders,
        double callsEach,
        Optional<Double> grew) {
    /// Causes in which a thread is busy but waits for something.
    private static final Set<Cause> WAITS =
            EnumSet.of(
                    Cause.LOCK,
                    Cause.POOL,
                    Cause.DOWNSTREAM,
                    Cause.DATABASE,
                    Cause.DNS,
                    Cause.DISK,
                    Cause.LOGGING,
                    Cause.SLEEP,
                    Cause.FUTURE);

    /// Minimum share of the holders' time in one wait, for this wait to be the reason that the pool
    /// is full.
    static final double MIN_SHARE = 0.5;

    /// Minimum number of calls per request at one line, at which most requests make several calls
    /// there.
    static final double SEVERAL = 1.5;

    /// Returns the wait that holds the verdict's pool. Empty if the verdict is not a full pool, or
    /// if the holders are unknown.
    public static Optional<HolderWait> of(Situation s) {
        return switch (s.verdict().bottleneck()) {
            case THREAD_POOL, POOL_STARVATION -> ofThreads(s, s.verdict().where());
            case CONNECTION_POOL -> ofConnections(s);
            default -> Optional.empty();
        };
    }

    /// Returns the longest wait of the threads of a pool. If their activity is unknown, all threads
    /// in use are considered.
    static Optional<HolderWait> ofThreads(Situation s, String pool) {
        return s.evidence()
                .saturated()
                .flatMap(seen -> {
                    Optional<ThreadSamples.Pool> full =
                            seen.pools().stream()
                                    .filter(p -> p.name().equals(pool) && p.busy() > 0)
                                    .filter(p -> !p.doing().isEmpty())
                                    .findFirst();
                    ToDoubleFunction<Cause> threads =
                            c -> full.map(p -> p.doing(c)).orElseGet(() -> seen.threads(c));
                    double busy = full.map(ThreadSamples.Pool::busy).orElseGet(seen::busyThreads);
                    return WAITS.stream()
                            .filter(w -> threads.applyAsDouble(w) > 0)
                            .max(Comparator.comparingDouble(threads))
                            .map(c -> ofThreads(s, seen, pool, c, threads.applyAsDouble(c), busy));
                });
    }

    private static HolderWait ofThreads(
            Situation s,
            ThreadSamples seen,
            String pool,
            Cause cause,
            double threads,
            double busy) {
        Optional<ThreadSamples.Busy> top =
                seen.top(cause).filter(_ -> 2 * threads > seen.threads(cause));
        Optional<CallRate> line = mostTime(s.evidence(), seen, cause);
        Optional<String> code =
                top.flatMap(b -> b.place().inFrame())
                        .or(() -> top.flatMap(ThreadSamples.Busy::sites).map(CallSites::method))
                        .or(() -> line.map(l -> l.at().method()))
                        .or(() -> s.codeIn(pool).map(OwnCode::method));
        Optional<CallRate> there = line.filter(l -> Optional.of(l.at().method()).equals(code));
        return new HolderWait(
                cause,
                top.map(ThreadSamples.Busy::place),
                code,
                there.map(CallRate::at).map(SourceLine::text),
                Math.min(1, threads / busy),
                threads,
                there.map(CallRate::perRequest).orElse(1.0),
                grew(s.evidence(), cause));
    }

    /// Returns the longest wait of the threads that hold a pooled connection.
    static Optional<HolderWait> ofConnections(Situation s) {
        return s.evidence()
                .saturated()
                .flatMap(seen ->
                        seen.top(Cause.POOL)
                                .flatMap(ThreadSamples.Busy::holder)
                                .flatMap(HolderWait::doing)
                                .map(doing -> ofConnections(s, seen, doing)));
    }

    private static Optional<Holder.Doing> doing(Holder holder) {
        return holder instanceof Holder.SeenThread(boolean _, Optional<Holder.Doing> doing)
                ? doing
                : Optional.empty();
    }

    private static HolderWait ofConnections(Situation s, ThreadSamples seen, Holder.Doing doing) {
        double lent = seen.notWaitingForPool().orElse(0.0);
        double there = Math.min(lent, seen.threads(doing.cause()));
        Optional<String> code = doing.frame().or(() -> doing.place().inFrame());
        Optional<CallRate> line =
                mostTime(s.evidence(), seen, doing.cause())
                        .filter(l -> Optional.of(l.at().method()).equals(code));
        return new HolderWait(
                doing.cause(),
                Optional.of(doing.place()),
                code,
                line.map(CallRate::at).map(SourceLine::text),
                lent <= 0 ? 0 : there / lent,
                there,
                line.map(CallRate::perRequest).orElse(1.0),
                grew(s.evidence(), doing.cause()));
    }

    /// Returns the line at which requests wait longest for this cause, according to the flight
    /// recording.
    private static Optional<CallRate> mostTime(Evidence evidence, ThreadSamples seen, Cause cause) {
        return evidence.insight().calls().stream()
                .filter(r -> r.concurrency() == seen.concurrency() && r.cause() == cause)
                .max(Comparator.comparingDouble(r -> r.perRequest() * r.meanMs()));
    }

    private static Optional<Double> grew(Evidence evidence, Cause cause) {
        return evidence.growthWithError(cause)
                .filter(g -> WAITS.contains(cause) && g.queues())
                .map(WaitGrowth::ratio);
    }

    /// True if a change of the service's code at a known place shortens the wait. That is so if the
    /// code itself decides the length of the wait. It is also so if the code makes several calls
    /// that can be made in parallel or as one.
    public boolean isChangedHere() {
        return code.isPresent() && share >= MIN_SHARE && (isOwn(cause) || callsEach >= SEVERAL);
    }

    /// True if the length of a wait for this cause depends on the code that waits.
    private static boolean isOwn(Cause cause) {
        return switch (cause) {
            case CPU, LOCK, DATABASE, DNS, DISK, LOGGING, SLEEP, CLASS_LOADING, THREAD_START ->
                    true;
            // tasks and pools are queues themselves, and their own holders are not known here
            case DOWNSTREAM, NETWORK, FUTURE, POOL -> false;
            case RUN_QUEUE, GC, SAFEPOINT, JVM_MUTEX, OTHER -> false;
        };
    }

    /// True if there is no evidence that the other side has reached its limit.
    public boolean takesMore() {
        return grew.isEmpty();
    }

    /// Returns the gain of a larger pool, given the gain up to the next known limit. The gain is
    /// unknown if the other side has reached its limit.
    Gain ofLarger(Gain known) {
        return grew.map(g ->
                        Gain.unknown(
                                say(
                                        "what its holders wait for most, %s, takes × %.2f as long at"
                                                + " this load: it may have no more places",
                                        what(), g)))
                .orElse(known);
    }

    /// Returns a clause about the load on other resources if the pool has `factor` times its
    /// places. It follows the text of a change.
    ///
    /// @param gain the predicted gain of the larger pool
    static String next(Situation s, Optional<HolderWait> wait, double factor, Gain gain) {
        return wait.flatMap(w -> w.callsAfter(factor)).orElse("")
                + gain.qps()
                        .flatMap(q -> s.evidence().cpuUtilisation().map(u -> Math.min(1, u * q)))
                        .map(u -> say(", CPU then at up to %.0f %%", u * 100))
                        .orElse("");
    }

    private Optional<String> callsAfter(double factor) {
        return place.filter(Place.Peer.class::isInstance)
                .map(p ->
                        say(
                                "; %s then gets up to %.0f calls at a time (now %.0f)",
                                p.text(), Math.ceil(holders * factor), Math.ceil(holders)));
    }

    /// Returns the wait and the other side, if it has one: `database H2 10.0.0.8:9092`.
    String what() {
        return cause.key()
                + place.filter(Place.Peer.class::isInstance).map(p -> " " + p.text()).orElse("");
    }

    /// Returns the place as a value: the method, its line and the share of the holders' time.
    Change change(Situation s) {
        return code.<Change>map(method ->
                        new Change.CodeAt(
                                method, s.codeAt(method, share).source().or(() -> source), share))
                .orElseGet(Change.Code::new);
    }

    /// Returns how to shorten the wait.
    String how() {
        return switch (cause) {
            case SLEEP ->
                    "a wait needs no thread: let a timer complete the answer"
                            + " (CompletableFuture.delayedExecutor, a scheduled executor), or do"
                            + " without the pause";
            case DATABASE -> Database.of(place.map(Place::text).orElse("")).query();
            case DOWNSTREAM ->
                    callsEach >= SEVERAL
                            ? say(
                                    "a request makes %.1f calls at this line: make one call"
                                            + " instead, or all at the same time (%s)",
                                    callsEach, RemoteRecommendations.HOW_PARALLEL)
                            : "cache, batch; run jdyno on that service, too: its own verdict says"
                                    + " what holds it up";
            case LOCK -> "do less while the lock is held; `jdyno threads PID` shows its holder";
            case DISK -> "cache, larger pieces, one force for several requests";
            case DNS -> "keep the addresses: -Dsun.net.inetaddr.ttl=60";
            case LOGGING -> "fewer lines, and an appender that does not wait for its file";
            default -> "a thread that waits less serves more requests (Little's law, F3)";
        };
    }

    /// Returns the share of the holders' time as a percentage.
    String percent() {
        return Lines.say("%.0f %%", share * 100);
    }
}
