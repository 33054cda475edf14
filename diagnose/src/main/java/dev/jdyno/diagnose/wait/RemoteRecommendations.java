package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.edge.NetworkRule;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.OwnCode;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.WaitGrowth;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Recommendations for a limit at the other end of a connection: another service, a database, the
/// resolver, the network, the client.
public final class RemoteRecommendations {
    private static final Gain UNSEEN =
            Gain.unknown("the single calls were not measured at a low load");

    /// Advice on how to make sequential calls that do not depend on each other in parallel.
    static final String HOW_PARALLEL =
            "begin all before the first is waited for: CompletableFuture.supplyAsync with an executor"
                    + " of its own, StructuredTaskScope, Mono.zip; only for calls that do not need"
                    + " each other's answers";

    private RemoteRecommendations() {}

    public static RecommendationList downstream(Situation s) {
        String where = s.verdict().where();
        var recommendations = new RecommendationList();
        StreamPlaces.of(s.evidence()).ifPresent(p -> streams(s, p, recommendations));
        boolean queues =
                s.evidence()
                        .growthWithError(Cause.DOWNSTREAM)
                        .filter(WaitGrowth::queues)
                        .isPresent();
        Gain half = s.model(StandardChange.DOWNSTREAM, s.withCapacity(2));
        if (queues) {
            // most of the call's time is then a queue, which becomes half as long with twice the
            // capacity
            twice(where, half, recommendations);
        }
        recommendations.byHand(
                KnownChange.DOWNSTREAM_HALVE,
                Sentence.of(
                                "Halve the time in "
                                        + where
                                        + ", or call it half as often: cache, batch")
                        .and(calledIn(s, Cause.DOWNSTREAM)),
                StandardChange.DOWNSTREAM.asked(),
                "run jdyno on that service, too: its own verdict says what holds it up, and its"
                        + " knee how much it takes",
                half,
                List.of(new Change.Outside()));
        if (!queues) {
            twice(where, s.withCapacity(2), recommendations);
        }
        delayed(s).ifPresent(recommendations::add);
        return recommendations;
    }

    private static void twice(String where, Gain gain, RecommendationList recommendations) {
        recommendations.byHand(
                KnownChange.DOWNSTREAM_DOUBLE,
                "Give " + where + " twice the capacity: instances, threads, connections",
                "`jdyno run` on that service names its own limit; after the change, the time of a"
                        + " call no longer grows with the load",
                gain,
                List.of(new Change.Outside()));
    }

    /// Returns the code that makes the calls for which threads wait, as a clause; an empty text if
    /// no profile shows it.
    static Sentence calledIn(Situation s, Cause cause) {
        return s.codeWaitingFor(cause)
                .map(own -> Sentence.of("; it is called in ").and(own.says()))
                .orElse(Sentence.of(""));
    }

    /// Recommends more streams. It comes before a faster server, because the server may be able to
    /// answer more calls per connection at the same time.
    private static void streams(Situation s, StreamPlaces p, RecommendationList recommendations) {
        recommendations.byHand(
                KnownChange.STREAMS_MORE,
                say(
                        "Let more than %.0f calls at a time through to %s: more streams a connection,"
                                + " or more connections than %.0f",
                        p.served(), s.verdict().where(), Math.max(1, p.connections())),
                "server: maxConcurrentCallsPerConnection of gRPC's NettyServerBuilder,"
                        + " max_concurrent_streams of Envoy, http2_max_concurrent_streams of nginx;"
                        + " client: several channels. `nghttp -nv URL` shows the server's SETTINGS",
                s.withCapacity(2),
                List.of(new Change.Outside()));
    }

    /// Returns a recommendation for calls that wait for delayed acknowledgements. It has a gain if
    /// the kernel reported that it holds data back. Otherwise the only evidence is that calls take
    /// a whole number of delayed acknowledgements at any load. It does not show which side causes
    /// them.
    static Optional<Recommendation> delayed(Situation s) {
        return NetworkRule.heldInSteps(s.evidence())
                .filter(share -> share >= Limits.GOOD_PART)
                .map(share ->
                        new RecommendationList()
                                .byHand(
                                        KnownChange.NO_DELAY,
                                        say(
                                                "Send data without delay, in the service and in"
                                                        + " the service that it calls: for"
                                                        + " %.0f %% of the calls' time, data"
                                                        + " waits for delayed acknowledgements",
                                                share * 100),
                                        "TCP_NODELAY, and each message in one write",
                                        s.heldLess(share * callShare(s)))
                                .list()
                                .getFirst())
                .or(() -> inSteps(s));
    }

    /// Returns the share of the threads in use that wait for calls.
    private static double callShare(Situation s) {
        return s.evidence().busyShare(Cause.DOWNSTREAM).orElse(0.0);
    }

    private static Optional<Recommendation> inSteps(Situation s) {
        return NetworkRule.callInSteps(s.evidence())
                .map(ms ->
                        new RecommendationList()
                                .byHand(
                                        KnownChange.NO_DELAY,
                                        say(
                                                "Rule out delayed acknowledgements: at any load,"
                                                        + " a request spends %s ms in calls,"
                                                        + " which is close to a multiple of 40"
                                                        + " ms",
                                                Lines.ms(ms)),
                                        "TCP_NODELAY on both sides, and each message in one write; a"
                                                + " capture (tcpdump) shows an ACK 40 ms after a"
                                                + " packet that is not full",
                                        Gain.unknown(
                                                "a service that takes as long by itself looks the"
                                                        + " same"))
                                .list()
                                .getFirst());
    }

    public static RecommendationList database(Situation s) {
        String where = s.verdict().where();
        var database = Database.of(where);
        var recommendations = new RecommendationList();
        Optional<IdleDatabase> idle = IdleDatabase.of(s.evidence());
        idle.ifPresent(i ->
                faster(
                        s,
                        i.says(database, s.codeWaitingFor(Cause.DATABASE).map(OwnCode::method)),
                        IdleDatabase.how(database),
                        recommendations));
        recommendations.byHand(
                KnownChange.QUERIES_FEWER,
                Sentence.of(
                                "Ask "
                                        + where
                                        + " half as often: join instead of a query for each row, batch,"
                                        + " cache")
                        .and(calledIn(s, Cause.DATABASE)),
                new WhatIfChange.Scale(Cause.DATABASE.key(), 0.5),
                database.counts() + ", spring.jpa.show-sql or p6spy count the queries of a request",
                s.withCapacity(2));
        if (idle.isEmpty()) {
            faster(
                    s,
                    Sentence.of("Halve the time of the query that takes the most time")
                            .and(calledIn(s, Cause.DATABASE)),
                    database.query()
                            + "; where queries wait for each other's rows ("
                            + database.locks()
                            + "): shorter transactions, the row that all change last",
                    recommendations);
        }
        return recommendations;
    }

    private static void faster(
            Situation s, Sentence says, String how, RecommendationList recommendations) {
        recommendations.byHand(
                KnownChange.QUERIES_FASTER,
                says,
                new WhatIfChange.Scale(Cause.DATABASE.key(), 0.5),
                how,
                s.withCapacity(2),
                List.of(new Change.Outside()));
    }

    /// Recommends parallel calls. They take as long as the longest of them (critical path, F1;
    /// experiment E13). Their use of resources stays the same.
    public static RecommendationList serial(Situation s) {
        var calls = CallsInSeries.of(s);
        if (calls.savedMs() <= 0) {
            return parallel(calls, UNSEEN);
        }
        double after = Math.max(0.05, calls.after());
        RecommendationList list =
                parallel(
                        calls,
                        Gain.of(
                                1,
                                after,
                                false,
                                calls.says()
                                        + "; no resource is used less, so the best throughput stays"));
        return s.alone()
                .map(low -> list.expecting(SerialCalls.expected(s, low, after)))
                .orElse(list);
    }

    /// Recommends parallel calls if another resource limits throughput, and calls are most of the
    /// response time at a low load.
    public static RecommendationList serialAtLowLoad(Situation s) {
        return SerialCalls.of(s)
                .map(calls -> calls.recommendation(s))
                .orElseGet(RecommendationList::new);
    }

    /// Recommends parallel calls if all threads are in use because they wait for the calls. Each
    /// thread is then free earlier.
    public static RecommendationList serialOnThreads(Situation s) {
        var calls = CallsInSeries.of(s);
        return parallel(
                calls,
                calls.savedMs() <= 0 || calls.after() <= 0
                        ? UNSEEN
                        : s.withCapacity(1 / Math.max(0.05, calls.after())));
    }

    /// @param where the services that a request calls
    /// @param sites the lines that call the only service; empty for several services
    /// @param sumMs time of all calls, one after the other
    /// @param longestMs time of the longest call
    /// @param rtMs response time at the lowest load
    private record CallsInSeries(
            List<String> where,
            Optional<CallSites> sites,
            double sumMs,
            double longestMs,
            double rtMs) {
        static CallsInSeries of(Situation s) {
            // a service may occur twice: with waiting threads, and without
            Map<String, Double> calls = new LinkedHashMap<>();
            s.unloadedBreakdown().stream()
                    .flatMap(a -> a.topN().stream())
                    .filter(p -> p.cause() == Cause.DOWNSTREAM || p.cause() == Cause.DATABASE)
                    .forEach(p -> calls.merge(p.where(), p.ms(), Double::sum));
            double longest = calls.values().stream().mapToDouble(ms -> ms).max().orElse(0);
            Optional<CallSites> sites = DownstreamSerialRule.sites(s.evidence());
            return new CallsInSeries(
                    List.copyOf(calls.keySet()),
                    sites,
                    calls.values().stream().mapToDouble(ms -> ms).sum(),
                    sites.map(CallSites::largest).orElse(1.0) * longest,
                    s.alone().map(r -> r.rtMs().mean()).orElse(0.0));
        }

        double savedMs() {
            boolean several = where.size() > 1 || (where.size() == 1 && sites.isPresent());
            return several && rtMs > 0 ? sumMs - longestMs : 0;
        }

        /// Returns the response time with parallel calls ÷ the present one.
        double after() {
            return 1 - savedMs() / rtMs;
        }

        String says() {
            return say(
                    "critical path (F1, E13): %s ms instead of %s of the %s ms",
                    Lines.ms(longestMs), Lines.ms(sumMs), Lines.ms(rtMs));
        }
    }

    private static RecommendationList parallel(CallsInSeries calls, Gain gain) {
        return new RecommendationList()
                .byHand(
                        KnownChange.CALLS_PARALLEL,
                        calls.sites()
                                .map(l ->
                                        say(
                                                "Make the %d calls of %s at the same time",
                                                l.lines().size(), l.text()))
                                .orElse("Make the calls side by side"),
                        calls.sites().isPresent()
                                ? WrittenChange.NOT
                                : new WhatIfChange.Parallel(new LinkedHashSet<>(calls.where())),
                        HOW_PARALLEL,
                        gain);
    }

    public static RecommendationList dns(Situation s) {
        return new RecommendationList()
                .setting(
                        KnownChange.DNS_CACHE,
                        "Cache the addresses of host names for a minute",
                        "or networkaddress.cache.ttl=60 in java.security; a pool of connections asks only"
                                + " when it opens one",
                        s.lessWaiting(Cause.DNS, 1),
                        new Change.SystemProperty("sun.net.inetaddr.ttl", "60"))
                .byHand(
                        KnownChange.DNS_NEAR,
                        "Ask a resolver on the same machine",
                        "systemd-resolved, nscd or NodeLocal DNSCache in front of the slow one",
                        s.lessWaiting(Cause.DNS, 1),
                        List.of(new Change.Outside()));
    }
}
