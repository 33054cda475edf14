package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.edge.ClientRule;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Change;
import dev.jdyno.measure.Change.Amount;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.Signals.Sign;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What helps when the limit is on the other end of a connection: another service, a database, the
/// resolver, the network, the client.
public final class RemoteRecommendations {
    private static final Gain UNSEEN = Gain.unknown("the calls were not seen apart at a low load");

    private RemoteRecommendations() {}

    public static RecommendationList downstream(Situation s) {
        String where = s.verdict().where();
        return new RecommendationList()
                .byHand(
                        "downstream-halve",
                        "Halve the time in " + where + ", or call it half as often: cache, batch",
                        "downstream*0.5",
                        "run jdyno on that service, too: its own verdict says what holds it up",
                        s.model("downstream", s.room(2)),
                        List.of(new Change.Outside()))
                .byHand(
                        "downstream-double",
                        "Give " + where + " twice the capacity: instances, threads, connections",
                        "",
                        "its time per call must stop growing with the load",
                        s.room(2),
                        List.of(new Change.Outside()));
    }

    public static RecommendationList database(Situation s) {
        String where = s.verdict().where();
        return new RecommendationList()
                .byHand(
                        "queries-fewer",
                        "Ask "
                                + where
                                + " half as often: join instead of a query for each row, batch,"
                                + " cache",
                        "database*0.5",
                        "pg_stat_statements, spring.jpa.show-sql or p6spy count the queries of a request",
                        s.room(2))
                .byHand(
                        "queries-faster",
                        "Halve the time of the query that takes most",
                        "database*0.5",
                        "EXPLAIN (ANALYZE, BUFFERS); an index, fewer rows and columns; where"
                                + " pg_stat_activity's wait_event_type is Lock they wait for each other's"
                                + " rows: shorter transactions, the row that all change last",
                        s.room(2),
                        List.of(new Change.Outside()));
    }

    /// Calls side by side take as long as the longest of them (F1 on the critical path, E13); they
    /// take no less of anything else.
    public static RecommendationList serial(Situation s) {
        var calls = CallsInSeries.of(s);
        return parallel(
                calls,
                calls.savedMs() <= 0
                        ? UNSEEN
                        : Gain.of(
                                1,
                                Math.max(0.05, calls.after()),
                                false,
                                calls.says()
                                        + "; no resource is used less, so the best throughput stays"));
    }

    /// The same where the threads that wait for the calls are all in use: each is free again so
    /// much sooner.
    public static RecommendationList serialOnThreads(Situation s) {
        var calls = CallsInSeries.of(s);
        return parallel(
                calls,
                calls.savedMs() <= 0 || calls.after() <= 0
                        ? UNSEEN
                        : s.room(1 / Math.max(0.05, calls.after())));
    }

    /// @param where the services that a request calls
    /// @param sumMs what the calls take one after the other
    /// @param longestMs of them
    /// @param rtMs of a request at the lowest load
    private record CallsInSeries(List<String> where, double sumMs, double longestMs, double rtMs) {
        static CallsInSeries of(Situation s) {
            // one service may stand there twice: with a thread that waits, and without
            Map<String, Double> calls = new LinkedHashMap<>();
            s.aloneAnatomy().stream()
                    .flatMap(a -> a.topN().stream())
                    .filter(p -> p.cause() == Cause.DOWNSTREAM || p.cause() == Cause.DATABASE)
                    .forEach(p -> calls.merge(p.where(), p.ms(), Double::sum));
            return new CallsInSeries(
                    List.copyOf(calls.keySet()),
                    calls.values().stream().mapToDouble(ms -> ms).sum(),
                    calls.values().stream().mapToDouble(ms -> ms).max().orElse(0),
                    s.alone().map(r -> r.rtMs().mean()).orElse(0.0));
        }

        double savedMs() {
            return where.size() < 2 || rtMs <= 0 ? 0 : sumMs - longestMs;
        }

        /// Response time with the calls side by side, as a share of what it is.
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
                        "calls-parallel",
                        "Make the calls side by side",
                        "parallel:" + String.join(",", calls.where()),
                        "CompletableFuture.supplyAsync with an executor of its own, StructuredTaskScope,"
                                + " Mono.zip; only for calls that do not need each other's answers",
                        gain);
    }

    public static RecommendationList dns(Situation s) {
        return new RecommendationList()
                .setting(
                        "dns-cache",
                        "Keep the addresses for a minute",
                        "-Dsun.net.inetaddr.ttl=60",
                        "or networkaddress.cache.ttl=60 in java.security; a pool of connections asks only"
                                + " when it opens one",
                        s.lessWaiting(Cause.DNS, 1),
                        new Change.SystemProperty("sun.net.inetaddr.ttl", "60"))
                .byHand(
                        "dns-near",
                        "Ask a resolver on the same machine",
                        "",
                        "systemd-resolved, nscd or NodeLocal DNSCache in front of the slow one",
                        s.lessWaiting(Cause.DNS, 1),
                        List.of(new Change.Outside()));
    }

    public static RecommendationList ports(Situation s) {
        return new RecommendationList()
                .byHand(
                        "keep-alive",
                        "Keep connections to "
                                + s.verdict().where()
                                + " open and use them again (E24)",
                        "",
                        "one HTTP client for all requests; nginx: keepalive in upstream,"
                                + " proxy_http_version 1.1; TIME_WAIT must fall",
                        s.room(Double.POSITIVE_INFINITY))
                .setting(
                        "ports-more",
                        "Let it use more ephemeral ports, and those in TIME_WAIT again",
                        "net.ipv4.ip_local_port_range=1024 65535, net.ipv4.tcp_tw_reuse=1",
                        "sysctl in the network namespace of whoever opens the connections",
                        Gain.unknown("how soon ports come free depends on both ends"),
                        List.of(
                                new Change.SystemSetting(
                                        "net.ipv4.ip_local_port_range",
                                        new Amount.Exactly("1024 65535")),
                                new Change.SystemSetting(
                                        "net.ipv4.tcp_tw_reuse", new Amount.Exactly("1"))));
    }

    public static RecommendationList network(Situation s) {
        var cures = new RecommendationList();
        String where = s.verdict().where();
        if (where.equals("clients")) {
            cures.byHand(
                            "answers-smaller",
                            "Halve the size of the answers: compress, page, leave fields out",
                            "",
                            "server.compression.enabled=true; watch what it costs in CPU",
                            s.room(2))
                    .byHand(
                            "answers-buffered",
                            "Put a buffering proxy in front, so that slow readers do not hold it up (E26)",
                            "",
                            "nginx with proxy_buffering on and buffers larger than an answer",
                            Gain.unknown(
                                    "it frees what waits for readers; how fast they take answers stays"),
                            List.of(new Change.Outside()));
        } else {
            cures.setting(
                    "no-delay",
                    "Send at once: TCP_NODELAY, and each message in one write",
                    "TCP_NODELAY",
                    "steps of 40 ms come from Nagle's algorithm waiting for a delayed acknowledgement;"
                            + " for the JDK's own server -Dsun.net.httpserver.nodelay=true",
                    delayed(s),
                    new Change.Code());
        }
        return cures;
    }

    /// The 40 ms are gone, and with them that share of each request.
    private static Gain delayed(Situation s) {
        return s.figure(Figure.DELAYED_ACKS)
                .or(() -> s.figure(Figure.UNSENT))
                .map(share -> s.room(1 / (1 - Math.clamp(share, 0.0, 0.95))))
                .orElse(Gain.unknown("how much of a request is delayed was not seen"));
    }

    public static RecommendationList load(Situation s) {
        int most = s.evidence().rounds().getLast().concurrency();
        Gain gain =
                s.knee()
                        .flatMap(Knee::predicted)
                        .filter(p -> s.evidence().plateau().qps() > 0)
                        .map(p ->
                                new Gain(
                                        Optional.of(
                                                Math.max(
                                                        1, p.qps() / s.evidence().plateau().qps())),
                                        Optional.empty(),
                                        true,
                                        p.formula()))
                        .orElse(s.room(2));
        return new RecommendationList()
                .byHand(
                        "load-more",
                        say("Send more at once than %d: nothing in the service is saturated", most),
                        say("--concurrency %d,%d", 2 * most, 4 * most),
                        "or leave --concurrency out: jdyno then searches for the knee",
                        new Gain(gain.qps(), Optional.of(1.0), true, gain.formula()),
                        List.of(
                                new Change.Concurrency(2 * most),
                                new Change.Concurrency(4 * most)));
    }

    public static RecommendationList client(Situation s) {
        if (s.evidence().sign(Sign.FRONT_CONNECTIONS).isPresent()
                && s.verdict().where().startsWith(ClientRule.FROM)) {
            return new RecommendationList()
                    .byHand(
                            "front-connections",
                            "Let what is in front of the service open more connections to it",
                            "",
                            "the size of its pool for one host (keep-alive connections, requests per"
                                    + " host, workers); then measure again, or load the service itself",
                            Gain.unknown(
                                    "the service was not the limit: what it gives is not known"),
                            List.of(new Change.Outside()));
        }
        return new RecommendationList()
                .byHand(
                        "client-more",
                        "Give the load generator more: cores of its own, or processes on other machines",
                        "",
                        "more event loops with -t where cores are free, else `jdyno load --processes`",
                        Gain.unknown(
                                "the service was not the limit: these figures say nothing of it"),
                        List.of(new Change.Outside()));
    }
}
