package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.service.Framework;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.SettingValue;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.List;
import java.util.Optional;

/// Recommendations for requests that wait for a pooled connection.
final class ConnectionRecommendations {
    private ConnectionRecommendations() {}

    static RecommendationList connectionPool(Situation s) {
        Optional<ThreadSamples.Busy> waits = s.evidence().top(Cause.POOL);
        Optional<Long> deadlocked = holdersWait(s);
        if (deadlocked.isPresent()) {
            return oneEach(deadlocked.get(), waits.map(ThreadSamples.Busy::place), s);
        }
        Optional<Holder> holder = waits.flatMap(ThreadSamples.Busy::holder);
        Optional<Place> pool = waits.map(ThreadSamples.Busy::place);
        var recommendations = new RecommendationList();
        // a call to another service does not need the connection to the database, so it can be
        // moved
        Optional<Holder> calls =
                holder.filter(h -> h.isIn(Cause.DOWNSTREAM))
                        .filter(_ -> PoolSettings.isOfDatabase(pool));
        calls.ifPresent(h ->
                recommendations.byHand(
                        KnownChange.POOL_CALL_OUTSIDE,
                        moveCall(h, waits),
                        "end the transaction before it, or begin it after; a connection pool"
                                + " should lend connections for database work only",
                        heldWithout(s, Cause.DOWNSTREAM),
                        atHolder(s)));
        Optional<Holder> sleeps = holder.filter(h -> h.isIn(Cause.SLEEP));
        sleeps.map(h -> moveSleep(h, waits))
                .or(() ->
                        sleepersOutsidePool(s, waits)
                                .map(who ->
                                        Sentence.format(
                                                "Do not sleep while a connection is held: %s",
                                                who)))
                .ifPresent(says ->
                        recommendations.byHand(
                                KnownChange.POOL_NO_SLEEP,
                                says,
                                "end a transaction before it; a larger pool helps, too, but each"
                                        + " request still holds a connection during the sleep",
                                heldWithout(s, Cause.SLEEP),
                                atHolder(s)));
        Optional<Holder> queries = holder.filter(h -> h.isIn(Cause.DATABASE));
        queries.ifPresent(h -> query(s, h, recommendations));
        larger(s, pool, recommendations);
        // these already name the work to do without a connection
        boolean named =
                queries.isPresent() || calls.or(() -> sleeps).flatMap(HeldCode::code).isPresent();
        return named ? recommendations : shorter(s, holder, recommendations);
    }

    private static Sentence moveCall(Holder holder, Optional<ThreadSamples.Busy> waits) {
        return held(holder, waits, "calls another service")
                .map(held ->
                        Sentence.format(
                                "%sgive the connection back before %s, or take it after that",
                                held.in(), held.work()))
                .orElseGet(() ->
                        Sentence.format(
                                "Make the other call before a connection is taken or after it is"
                                        + " given back; the thread that has one %s",
                                Lines.holder(holder)));
    }

    private static Sentence moveSleep(Holder holder, Optional<ThreadSamples.Busy> waits) {
        return held(holder, waits, "sleeps")
                .map(held ->
                        Sentence.format(
                                "%sgive the connection back before %s", held.in(), held.work()))
                .orElse(
                        Sentence.of(
                                "Do not sleep while a connection is held: give it back before the"
                                        + " sleep"));
    }

    /// @param in the method to edit: it takes the connection
    /// @param work what is done meanwhile
    private record Held(Sentence in, Sentence work) {}

    /// Returns what is done while a connection is held, if the method is known.
    private static Optional<Held> held(
            Holder holder, Optional<ThreadSamples.Busy> waits, String does) {
        Optional<String> taker = waits.flatMap(HeldCode::taker);
        return HeldCode.code(holder)
                .map(code -> {
                    String editIn = taker.orElse(code);
                    return new Held(
                            Sentence.format("In %s, ", Sentence.name(editIn)),
                            editIn.equals(code)
                                    ? Sentence.of("it " + does)
                                    : Sentence.format("%s %s", Sentence.name(code), does));
                });
    }

    /// Returns the change of the code that holds a connection. It names the place of that code if
    /// it is known.
    private static List<Change> atHolder(Situation s) {
        return List.of(
                HolderWait.ofConnections(s).map(w -> w.change(s)).orElseGet(Change.Code::new));
    }

    /// Recommends a larger pool. Its present size is the number of borrowed connections in the
    /// dumps.
    private static void larger(
            Situation s, Optional<Place> pool, RecommendationList recommendations) {
        Optional<Long> lent = QueueRecommendations.notWaiting(s);
        String size = PoolSettings.size(pool);
        Optional<Framework> framework = Framework.of(s::runs);
        String where = PoolSettings.setBy(pool, framework).map(by -> by + "; ").orElse("");
        Optional<HolderWait> wait = HolderWait.ofConnections(s);
        Gain gain = s.model(StandardChange.POOL, s.turns(2));
        recommendations.setting(
                KnownChange.POOL_DOUBLE,
                lent.map(n ->
                                say(
                                        "Set %s%s from %d to %d, if the server behind the pool"
                                                + " can bear that",
                                        size, PoolSettings.property(pool, framework), n, 2 * n))
                        .orElse(
                                "Set "
                                        + size
                                        + " twice as high, if the server behind the pool can bear"
                                        + " that"),
                StandardChange.POOL.asked(),
                QueueRecommendations.enough(s, lent, gain, StandardChange.POOL.asked())
                                .map(says -> says + "; ")
                                .orElse("")
                        + where
                        + lent.map(n ->
                                        say(
                                                "%d connections are lent at a time, as counted in"
                                                        + " thread dumps; ",
                                                n))
                                .orElse("")
                        + "`jdyno run --prove` doubles it over JMX where the pool allows"
                        + HolderWait.next(s, wait, 2, gain),
                wait.map(w -> w.ofLarger(gain)).orElse(gain),
                new Change.PoolSize(s.verdict().where(), new Amount.Times(2)));
        lent.ifPresent(n ->
                recommendations.sets(
                        new SettingValue(
                                PoolSettings.name(pool, framework),
                                say("%d", n),
                                say("%d", 2 * n))));
    }

    /// Recommends a faster query if the holder of a connection waits for the database. The query
    /// itself needs the connection, so it cannot be moved out of the holding time.
    private static void query(Situation s, Holder holder, RecommendationList recommendations) {
        var database = Database.of(holder.text());
        Optional<IdleDatabase> idle = IdleDatabase.of(s.evidence());
        recommendations.byHand(
                KnownChange.POOL_QUERY,
                idle.map(i -> i.says(database, HeldCode.code(holder)))
                        .orElseGet(() -> fasterQuery(s, holder)),
                idle.isPresent() ? IdleDatabase.how(database) : plan(database),
                s.withCapacity(2),
                atHolder(s));
    }

    private static Sentence fasterQuery(Situation s, Holder holder) {
        return HeldCode.code(holder)
                .map(at ->
                        Sentence.format(
                                "Make the query of %s faster%s: a connection is held for it",
                                Sentence.name(at), ofARequest(s)))
                .orElseGet(() ->
                        Sentence.format(
                                "Halve the time of the query that each connection is held"
                                        + " for: the thread that has one %s",
                                Lines.holder(holder)));
    }

    private static String plan(Database database) {
        return database.query()
                + "; or it waits for a lock of another transaction: "
                + database.locks();
    }

    /// Returns how long a request waits for the database, by the breakdown: `, now 24 ms of each
    /// request`.
    private static String ofARequest(Situation s) {
        return s.now()
                .anatomy()
                .map(a -> a.ms(Cause.DATABASE))
                .filter(ms -> ms > 0)
                .map(ms -> say(", now %s ms of each request", Lines.ms(ms)))
                .orElse("");
    }

    private static RecommendationList shorter(
            Situation s, Optional<Holder> holder, RecommendationList recommendations) {
        return recommendations.byHand(
                KnownChange.POOL_SHORTER,
                Sentence.format(
                        "Hold a connection for half as long: borrow it later, return it before other"
                                + " work%s",
                        holder.map(h ->
                                        Sentence.format(
                                                "; the thread that has one %s", Lines.holder(h)))
                                .orElse(Sentence.of(""))),
                "`jdyno threads PID` of the running service shows what the holders do while they hold"
                        + " it",
                s.withCapacity(2),
                atHolder(s));
    }

    /// Returns the place where threads sleep that do not wait for a connection. Empty if most of
    /// these threads do not sleep at one place, or if a frame identifies the holders.
    private static Optional<Sentence> sleepersOutsidePool(
            Situation s, Optional<ThreadSamples.Busy> waits) {
        return s.evidence().saturated().stream()
                .filter(c -> waits.flatMap(c::likelyHolder).isEmpty())
                .flatMap(c -> waits.flatMap(c::topOtherCause).stream())
                .filter(mostFrequent -> mostFrequent.cause() == Cause.SLEEP)
                .findFirst()
                .map(mostFrequent ->
                        Sentence.format(
                                "%.1f of the threads that do not wait for a connection are in %s",
                                mostFrequent.threads(), mostFrequent.place().named()));
    }

    /// Returns the number of threads that can request a connection, if all busy threads wait for
    /// one and none works with one. In this case the holders themselves wait for a second
    /// connection.
    private static Optional<Long> holdersWait(Situation s) {
        return s.evidence().saturated().stream()
                .filter(c -> c.threads(Cause.POOL) >= 2)
                .filter(c -> c.busyThreads() - c.threads(Cause.POOL) < Limits.NONE)
                .map(c ->
                        c.pools().stream()
                                .filter(p -> p.serving() && !p.loop() && !p.virtual())
                                .mapToDouble(ThreadSamples.Pool::size)
                                .sum())
                .map(Math::round)
                .filter(threads -> threads >= 2)
                .findFirst();
    }

    /// @param threads number of threads that can ask for a connection
    private static RecommendationList oneEach(long threads, Optional<Place> pool, Situation s) {
        String size = say("%d", threads + 1);
        return new RecommendationList()
                .byHand(
                        KnownChange.POOL_ONE_EACH,
                        "Let a request take one connection at a time: no thread works, so threads"
                                + " that have a connection wait for another one",
                        "a second transaction inside the first (REQUIRES_NEW), a query while another"
                                + " result is read, a task that the holder waits for",
                        Gain.unknown("it ends the deadlock; the limit after that was not measured"))
                .setting(
                        KnownChange.POOL_HOLDERS,
                        say(
                                "Until then make the pool hold %s: %d threads × (2 connections - 1) + 1",
                                size, threads),
                        new WhatIfChange.Units(Cause.POOL.key(), threads + 1),
                        PoolSettings.setBy(pool, Framework.of(s::runs))
                                        .orElseGet(() -> PoolSettings.size(pool))
                                + "; with one connection more than threads that hold one, a"
                                + " thread can go on (the formula of HikariCP's"
                                + " documentation)",
                        Gain.unknown("it ends the deadlock; the limit after that was not measured"),
                        new Change.PoolSize(s.verdict().where(), new Amount.Exactly(size)));
    }

    /// Returns the gain if connections are no longer held during `cause`. Busy threads that do not
    /// wait for a connection count as holders. The share of holders in `cause` is its share of the
    /// holding time. A request still does this work, but without a connection.
    private static Gain heldWithout(Situation s, Cause cause) {
        return s.evidence().saturated().stream()
                .filter(c -> c.busyThreads() > c.threads(Cause.POOL))
                .findFirst()
                .map(c -> s.heldLess(c.threads(cause) / (c.busyThreads() - c.threads(Cause.POOL))))
                .map(g -> s.atLeast(g, 1))
                .orElse(Gain.unknown("it is not known which threads hold a connection"));
    }
}
