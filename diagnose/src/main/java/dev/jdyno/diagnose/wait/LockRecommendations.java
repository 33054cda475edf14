package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Recommendations for requests that queue for a lock. They depend on the activity of the holder: a
/// lock held during I/O needs other changes than a lock held during computation.
public final class LockRecommendations {
    /// Causes in which a holder waits.
    private static final Set<Cause> WAITS =
            EnumSet.of(Cause.DOWNSTREAM, Cause.DATABASE, Cause.SLEEP, Cause.DISK, Cause.DNS);

    /// Number of stripes of a lock. It is large enough that two requests seldom use the same
    /// stripe, and small enough for an array.
    private static final int STRIPES = 8;

    /// Part of the name of a lock that protects a connection.
    private static final Pattern CONNECTION =
            Pattern.compile(
                    "Conn|Client|Jedis|Socket|Session|Channel|Transport|Producer|Publisher");

    /// Names of connections that must deliver data, so that no answer can be cached.
    private static final Pattern SENDS = Pattern.compile("Transport|Producer|Publisher");

    /// Code of EJB containers (OpenEJB, Payara, JBoss) that admits one caller at a time to a
    /// singleton.
    private static final Pattern EJB_SINGLETON =
            Pattern.compile("SingletonContainer|ContainerManagedConcurrency");

    private static final Pattern READ_WRITE = Pattern.compile("ReadWriteLock");

    private LockRecommendations() {}

    public static RecommendationList lock(Situation s) {
        Optional<String> circle =
                s.evidence()
                        .place(Sign.DEADLOCKED_THREADS)
                        .filter(_ -> LockRule.limitsByDeadlock(s.evidence()));
        if (circle.isPresent()) {
            return deadlock(circle.get());
        }
        Optional<Holder> held = s.evidence().top(Cause.LOCK).flatMap(ThreadSamples.Busy::holder);
        RecommendationList recommendations =
                held.flatMap(LockRecommendations::waitsIn)
                        .map(cause -> lockedWait(s, held.orElseThrow(), cause))
                        .orElseGet(() -> lockedWork(s, held));
        return isNamed(s, EJB_SINGLETON)
                ? recommendations.byHand(
                        KnownChange.LOCK_READ,
                        "Let several callers into the @Singleton at a time: its methods exclude each"
                                + " other by default",
                        "@Lock(LockType.READ) on the methods that change nothing, or"
                                + " @ConcurrencyManagement(BEAN) and locks of its own",
                        s.turns(Double.POSITIVE_INFINITY))
                : recommendations;
    }

    /// Recommendations for threads in a deadlock. A shorter hold or another lock does not free
    /// them.
    ///
    /// @param circle text that names each thread, the lock for which it waits, the lock's holder,
    ///   and the places
    private static RecommendationList deadlock(String circle) {
        Gain unknown =
                Gain.unknown(
                        "threads in a deadlock serve nothing: throughput without the deadlock was"
                                + " not measured");
        return new RecommendationList()
                .byHand(
                        KnownChange.LOCK_ORDER,
                        Sentence.format(
                                "Take these locks in one order everywhere, or by tryLock with a timeout that"
                                        + " gives back what was taken: %s",
                                PlaceText.named(circle)),
                        "an order that all code can follow: by an id, or a lock around both; no call of"
                                + " foreign code while one is held",
                        unknown)
                .byHand(
                        KnownChange.LOCK_RESTART,
                        "Restart the service: nothing else frees these threads now",
                        "until the order is fixed: a health check by"
                                + " ThreadMXBean.findDeadlockedThreads; `jdyno threads PID` shows whether"
                                + " it came back",
                        unknown);
    }

    /// Recommendations for a lock whose holder waits for another resource during nearly all of the
    /// holding time.
    private static RecommendationList lockedWait(Situation s, Holder holder, Cause cause) {
        boolean calls = cause == Cause.DOWNSTREAM || cause == Cause.DATABASE;
        if (calls && isNamed(s, CONNECTION)) {
            // the lock protects a sequence of requests and answers over a connection, which cannot
            // be moved out of it
            var recommendations = new RecommendationList();
            connections(
                    recommendations,
                    s,
                    say(
                            "Open %d connections instead of the one that the lock guards, each with a"
                                    + " lock of its own",
                            STRIPES));
            return isNamed(s, SENDS) ? recommendations : callLess(recommendations, s);
        }
        var recommendations =
                new RecommendationList()
                        .byHand(
                                KnownChange.LOCK_CALL,
                                waitOutside(holder, cause),
                                "keep the lock for what is shared alone; ConcurrentHashMap's compute"
                                        + " methods lock, too. `jdyno threads PID` shows the holder's"
                                        + " stack",
                                s.waitOutsideOfTheLock(cause));
        if (forces(holder)) {
            return recommendations.byHand(
                    KnownChange.LOCK_FORCE,
                    "Force data to the disk once for several requests (group commit), or put the"
                            + " file on a device that is twice as fast",
                    StandardChange.LOCK.asked(),
                    "`fio --fsync=1` shows what the device can do; decide which data may be lost"
                            + " when the machine stops",
                    s.model(StandardChange.LOCK, s.withCapacity(2)));
        }
        return calls
                ? connections(
                        callLess(recommendations, s),
                        s,
                        say(
                                "If the lock guards a connection, open %d connections, each with a"
                                        + " lock of its own",
                                STRIPES))
                : recommendations;
    }

    /// Returns the advice to move a wait out of the lock, with the place of the wait if it is
    /// known.
    private static Sentence waitOutside(Holder holder, Cause cause) {
        String what =
                switch (cause) {
                    case SLEEP -> "sleep";
                    case DATABASE -> "query";
                    case DISK -> "file access";
                    case DNS -> "look-up of a host name";
                    default -> "call of " + peer(holder).orElse("another service");
                };
        return HeldCode.code(holder)
                .map(at ->
                        Sentence.format(
                                "Move the %s in %s out of the lock", what, Sentence.name(at)))
                .orElseGet(() -> Sentence.format("Move the %s out of the lock", what));
    }

    /// Returns the other side of the holder's call.
    private static Optional<String> peer(Holder holder) {
        return holder instanceof Holder.SeenThread thread
                ? thread.doing()
                        .map(Holder.Doing::place)
                        .filter(Place.Peer.class::isInstance)
                        .map(Place::text)
                : Optional.empty();
    }

    private static RecommendationList callLess(RecommendationList recommendations, Situation s) {
        return recommendations.byHand(
                KnownChange.LOCK_CALL_LESS,
                "If the call only reads, do not make it for each request: keep its answer for a"
                        + " while, or refresh it in the background",
                "a time to live, a refresh interval, a cache with one load at a time"
                        + " (Caffeine's refreshAfterWrite)",
                s.withCapacity(Double.POSITIVE_INFINITY));
    }

    private static RecommendationList connections(
            RecommendationList recommendations, Situation s, String says) {
        return recommendations.byHand(
                KnownChange.LOCK_CONNECTIONS,
                says + " of its own",
                new WhatIfChange.Units(Cause.LOCK.key(), STRIPES),
                "the other side must bear as many calls; a lock for each key alone does not help"
                        + " while they share a connection",
                isNamed(s, CONNECTION)
                        ? s.withCapacity(STRIPES)
                        : Gain.unknown("the lock's name does not say what it guards"));
    }

    /// Returns how a lock of this kind is held for only one statement.
    private static String held(Situation s) {
        String type =
                s.evidence()
                        .top(Cause.LOCK)
                        .flatMap(b -> LockRule.lockType(b.place()))
                        .map(t -> t.substring(t.lastIndexOf('.') + 1))
                        .orElse("");
        return switch (type) {
            case "ReentrantLock" -> "lock.lock(); try { state.add(x); } finally { lock.unlock(); }";
            case "ReentrantReadWriteLock" ->
                    "lock.writeLock().lock(); try { state.add(x); } finally {"
                            + " lock.writeLock().unlock(); }";
            case "StampedLock" ->
                    "long stamp = lock.writeLock(); try { state.add(x); } finally {"
                            + " lock.unlockWrite(stamp); }";
            default -> "synchronized (lock) { state.add(x); }";
        };
    }

    /// Recommendations for a lock whose holder computes, or whose activity is unknown.
    private static RecommendationList lockedWork(Situation s, Optional<Holder> held) {
        return new RecommendationList()
                .byHand(
                        KnownChange.LOCK_SHORTER,
                        shorter(s, held),
                        StandardChange.LOCK.asked(),
                        isPlaced(s)
                                ? "keep in the lock only what it guards: `var x = compute(); "
                                        + held(s)
                                        + "`"
                                : "`jdyno threads PID` of the running service shows the holder's stack;"
                                        + " `jdyno run --stages CLASS.METHOD` times a method of it",
                        s.model(StandardChange.LOCK, s.withCapacity(2)))
                .byHand(
                        KnownChange.LOCK_SPLIT,
                        Sentence.format(
                                "Split %s into %d by key, or use a concurrent structure%s",
                                lockOfMethod(s),
                                STRIPES,
                                isNamed(s, READ_WRITE) ? "" : " or a read lock"),
                        new WhatIfChange.Units(Cause.LOCK.key(), STRIPES),
                        "it helps when requests are spread over the keys; one hot key stays one lock, and"
                                + " a load of one URL may have one key only",
                        s.turns(STRIPES));
    }

    /// Returns the lock, with the method that takes it if dumps show that method.
    private static Sentence lockOfMethod(Situation s) {
        return s.evidence()
                .top(Cause.LOCK)
                .flatMap(b -> b.place().inFrame())
                .map(by -> Sentence.format("the lock of %s", Sentence.name(by)))
                .orElse(Sentence.of("it"));
    }

    /// True if a dump showed the method that is called while the lock is held.
    private static boolean isPlaced(Situation s) {
        return s.evidence().top(Cause.LOCK).flatMap(HeldCode::of).isPresent();
    }

    /// Returns the advice with the method that takes the lock and the method that it calls.
    private static Sentence shorter(Situation s, Optional<Holder> held) {
        return s.evidence()
                .top(Cause.LOCK)
                .flatMap(HeldCode::of)
                .map(code ->
                        Sentence.format(
                                "In %s, call %s before or after the lock: its holder computes there",
                                Sentence.name(code.by()), Sentence.name(code.in())))
                .or(() ->
                        held.map(h ->
                                Sentence.format(
                                        "Hold the lock for half as long; its holder %s",
                                        Lines.holder(h))))
                .orElse(
                        Sentence.of(
                                "Hold the lock for half as long: move calls, I/O and computing out of"
                                        + " it"));
    }

    /// @return the cause for which the holder waits; empty if it does not wait, or if the cause is
    ///   unknown
    private static Optional<Cause> waitsIn(Holder holder) {
        return WAITS.stream().filter(holder::isIn).findFirst();
    }

    private static boolean forces(Holder holder) {
        return holder instanceof Holder.SeenThread thread
                && thread.doing().filter(d -> d.place().is(Place.Activity.FSYNC)).isPresent();
    }

    /// True if the name of the lock's class, or of the code that waits for it, matches.
    private static boolean isNamed(Situation s, Pattern name) {
        return s.evidence().top(Cause.LOCK).map(ThreadSamples.Busy::place).stream()
                .flatMap(p -> Stream.concat(LockRule.lockType(p).stream(), p.inFrame().stream()))
                .anyMatch(name.asPredicate());
    }
}
