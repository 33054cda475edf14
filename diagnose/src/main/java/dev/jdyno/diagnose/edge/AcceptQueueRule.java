package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Answered;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.SettingValue;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Connections are not accepted in time. The listener's queue is full and the kernel drops further
/// connections, so clients wait for seconds until they try again.
///
/// The kernel counts the drops of all listeners of a network namespace together. They belong to
/// this service if connections wait in its own queue, or if the client had problems connecting.
public final class AcceptQueueRule implements Rule {
    /// Minimum share of idle serving threads at which more threads do not help.
    private static final double IDLE_SHARE = 0.3;

    /// Minimum number of dropped connections per second. Fewer may be a single burst.
    static final double OVERFLOWS_LIMIT = 0.5;

    /// Minimum mean number of connections that wait to be accepted, for the service to accept too
    /// slowly.
    static final double QUEUE_LIMIT = 1;

    /// Minimum share of requests that failed to connect, at which the client has problems
    /// connecting.
    static final double CONNECT_ERRORS = 0.01;

    private static final List<ErrorKind> NOT_CONNECTED =
            List.of(ErrorKind.CONNECT_TIMEOUT, ErrorKind.CONNECT_REFUSED, ErrorKind.CONNECT_FAILED);

    /// Minimum share of the file descriptors in use at which none is left for new connections. It
    /// is below 1 because some are used only for a moment.
    static final double FDS_LIMIT = 0.98;

    /// Confidence if a service is only observed and its queue was not found full. It is too low to
    /// name this bottleneck, or to treat other findings as its consequences.
    static final double WATCHED_CONFIDENCE = 0.45;

    /// Confidence in a queue without drops, if all threads behind it are busy.
    static final double ALL_SERVE = 0.45;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.ACCEPT_QUEUE;
    }

    /// The requests inside the service wait for something, too. If that is not a queue itself, more
    /// requests could wait for it at the same time if they were accepted.
    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.LOAD,
                Bottleneck.DOWNSTREAM,
                Bottleneck.DATABASE,
                Bottleneck.DISK,
                Bottleneck.DNS,
                Bottleneck.RATE_LIMIT,
                Bottleneck.THREAD_POOL,
                Bottleneck.EVENT_LOOP);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> overflows = evidence.sign(Sign.LISTEN_OVERFLOWS_PER_S);
        if (overflows.isEmpty() || evidence.counted().isEmpty()) {
            return new Finding.NotApplicable("the listener's queue was not measured");
        }
        ThreadSamples threadSamples = evidence.counted().get();
        double dropped = overflows.get();
        if (dropped < OVERFLOWS_LIMIT && threadSamples.listenQueue() < QUEUE_LIMIT) {
            return new Finding.Cleared(
                    0,
                    say(
                            "%.1f connections waited to be accepted, none was dropped",
                            threadSamples.listenQueue()));
        }
        Optional<String> trouble = connectTrouble(evidence);
        boolean ownQueue = threadSamples.listenQueue() >= QUEUE_LIMIT;
        if (!ownQueue && !loadedByUs(evidence)) {
            return new Finding.Limits(
                    "", WATCHED_CONFIDENCE, droppedByAnyListener(dropped), List.of(drops(dropped)));
        }
        if (!ownQueue && trouble.isEmpty()) {
            return new Finding.Cleared(
                    0.2,
                    say(
                            "%.1f connections/s are dropped in the service's network, where other"
                                    + " processes listen, too. But %.1f wait in the queue of the"
                                    + " service's listener, and the client connected without"
                                    + " trouble: `ss -ltn` shows which queue is full",
                            dropped, threadSamples.listenQueue()));
        }
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(drops(dropped));
        lines.add(
                line(
                        Figure.ACCEPT_QUEUE,
                        say("%.1f connections wait to be accepted", threadSamples.listenQueue()),
                        threadSamples.listenQueue(),
                        QUEUE_LIMIT));
        trouble.ifPresent(t ->
                lines.add(line(Figure.CONNECTING, t, connectErrors(evidence), CONNECT_ERRORS)));
        boolean noFds = fdsExhausted(evidence);
        if (noFds) {
            double share = evidence.sign(Sign.FD_SHARE).orElse(0.0);
            lines.add(
                    line(
                            Figure.FD_SHARE,
                            say(
                                    "%.0f %% of the service's file descriptors are in use",
                                    share * 100),
                            share,
                            FDS_LIMIT));
        }
        boolean both = dropped >= OVERFLOWS_LIMIT && threadSamples.listenQueue() >= QUEUE_LIMIT;
        return new Finding.Limits(
                "",
                both
                        ? 0.95
                        : dropped < OVERFLOWS_LIMIT && allServe(threadSamples) ? ALL_SERVE : 0.7,
                say(
                        "Connections are not accepted: %.1f wait in the listener's queue and %.1f/s are"
                                + " dropped, so clients try again after seconds. %s",
                        threadSamples.listenQueue(),
                        dropped,
                        noFds
                                ? "The service has no file descriptor left to accept with."
                                : "Raise the backlog and the server's maximum of connections."),
                lines);
    }

    private static EvidenceLine drops(double dropped) {
        return line(
                Figure.LISTEN_OVERFLOWS,
                say("%.1f connections/s dropped by the full accept queue", dropped),
                dropped,
                OVERFLOWS_LIMIT);
    }

    /// True if jdyno sends the load. If a service is only observed, no client reports errors.
    private static boolean loadedByUs(Evidence evidence) {
        return evidence.rounds().stream().anyMatch(r -> r.bytesRead().isPresent());
    }

    private static String droppedByAnyListener(double dropped) {
        return say(
                "%.1f connections/s are dropped before they are accepted, by this service or by"
                        + " another listener in its network: `ss -ltn` shows which queue is"
                        + " full.",
                dropped);
    }

    /// Returns text on the client's problems connecting. A client that is not accepted gets an
    /// error, or waits so long that X · R is too small for the requests in flight.
    private static Optional<String> connectTrouble(Evidence evidence) {
        Optional<Round> worst =
                evidence.rounds().stream()
                        .max(Comparator.comparingDouble(AcceptQueueRule::connectErrors))
                        .filter(r -> connectErrors(r) >= CONNECT_ERRORS);
        if (worst.isPresent()) {
            return worst.map(r ->
                    say(
                            "with %d in flight, %.1f %% of the requests could not connect",
                            r.concurrency(), connectErrors(r) * 100));
        }
        return Answered.smallestOf(evidence.rounds())
                .map(r ->
                        say(
                                "by Little's law, answered requests make up %.1f of %d requests"
                                        + " in flight",
                                Answered.of(r), r.concurrency()));
    }

    private static double connectErrors(Evidence evidence) {
        return evidence.rounds().stream()
                .mapToDouble(AcceptQueueRule::connectErrors)
                .max()
                .orElse(0);
    }

    /// Returns the share of a round's requests that could not connect, 0…1.
    private static double connectErrors(Round r) {
        long all = r.requests() + r.errors();
        long failed =
                NOT_CONNECTED.stream()
                        .mapToLong(k -> r.errorKinds().getOrDefault(k.key(), 0L))
                        .sum();
        return all == 0 ? 0 : failed / (double) all;
    }

    /// True if no file descriptor is free. A connection needs one, so the server cannot take it out
    /// of the queue.
    public static boolean fdsExhausted(Evidence evidence) {
        return evidence.sign(Sign.FD_SHARE).filter(s -> s >= FDS_LIMIT).isPresent();
    }

    /// True if every thread of the pool that handles requests is busy. Connections then wait for
    /// these threads like requests, because the accepting thread may serve requests, too.
    private static boolean allServe(ThreadSamples threadSamples) {
        return threadSamples.pools().stream()
                .filter(p -> p.serving() && !p.loop() && p.size() > 0)
                .anyMatch(p -> p.minIdle() == 0 && p.idle() <= ThreadSamples.IDLE_SHARE * p.size());
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        if (fdsExhausted(s.evidence())) {
            return new RecommendationList()
                    .setting(
                            KnownChange.FDS_MORE,
                            "Raise the service's limit of file descriptors, or close the files"
                                    + " and connections that stay open",
                            "`ulimit -n` in what starts it, LimitNOFILE= of systemd, --ulimit"
                                    + " nofile= of a container; `ls -l /proc/PID/fd` shows what"
                                    + " is open",
                            s.turns(Double.POSITIVE_INFINITY),
                            new Change.SystemSetting("nofile", new Amount.Times(4)));
        }
        var recommendations =
                new RecommendationList()
                        .setting(
                                KnownChange.ACCEPT_MORE,
                                "Let the service hold more connections: a longer accept queue and"
                                        + " more connections at once",
                                new WrittenChange.Words("backlog, connections"),
                                ServerSettings.accepting(s)
                                        + "; net.core.somaxconn as large; listen overflows must stop",
                                s.turns(Double.POSITIVE_INFINITY),
                                List.of(
                                        new Change.PoolSize("backlog", new Amount.Larger()),
                                        new Change.PoolSize("connections", new Amount.Larger())))
                        .sets(backlog(s));
        boolean idle =
                s.evidence().saturated().stream()
                        .flatMap(c -> c.pools().stream())
                        .anyMatch(p -> p.serving() && p.idle() >= IDLE_SHARE * p.size());
        return idle || s.evidence().saturated().isEmpty()
                ? recommendations
                : recommendations.setting(
                        KnownChange.ACCEPT_THREADS,
                        "Give the service more threads, so that connections are served and not"
                                + " only held",
                        StandardChange.THREADS.asked(),
                        ServerSettings.threads(s)
                                + "; a longer queue alone turns refused connections into slow ones",
                        s.model(StandardChange.THREADS, s.turns(2)),
                        new Change.PoolSize("", new Amount.Times(2)));
    }

    /// Returns the present length of the accept queue, and the length for all requests in flight.
    /// The present length is unknown if the service listens at several ports.
    private static SettingValue backlog(Situation s) {
        List<LayerLimit> limits =
                s.evidence().saturated().stream()
                        .flatMap(c -> c.limits().stream())
                        .filter(l -> l.kind() == LayerLimit.Kind.LISTEN_QUEUE)
                        .toList();
        int inFlight = s.now().concurrency();
        return new SettingValue(
                ServerSettings.backlogName(s),
                limits.size() == 1
                        ? Optional.of(say("%.0f", limits.getFirst().atOnce()))
                        : Optional.empty(),
                limits.size() == 1 && limits.getFirst().atOnce() < inFlight
                        ? new Amount.Exactly(say("%d", inFlight))
                        : new Amount.Larger());
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("the length of an accept queue is fixed when its socket is opened");
    }
}
