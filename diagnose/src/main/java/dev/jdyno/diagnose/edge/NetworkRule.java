package dev.jdyno.diagnose.edge;

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
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Answers wait for the network: slow clients, a slow link, or small writes that wait for delayed
/// acknowledgements (Nagle, 40 ms each).
public final class NetworkRule implements Rule {
    /// Minimum share of the connections whose answer the client has not read, or of the busy
    /// threads that write to the network.
    static final double UNSENT_LIMIT = 0.50;

    /// Linux's delay of an acknowledgement that is not sent with an answer (TCP_DELACK_MIN), in ms.
    static final double DELAYED_ACK_MS = 40;

    /// Maximum number of steps of 40 ms. A longer time is near a whole number of steps by chance.
    static final long MAX_STEPS = 3;

    /// Maximum distance, in steps, of a time from a whole number of steps. It allows for the time
    /// of the call itself.
    static final double STEP_TOLERANCE = 0.25;

    /// Minimum median response time in the second round, in steps of 40 ms, at which answers queue
    /// for the link.
    static final double LONGER_BY_LOAD = 1.6;

    /// Confidence if the kernel did not report whether data is held back.
    static final double NOT_SEEN_HELD = 0.55;

    /// Maximum time, in ms, after which a client has read its answer at once. It is many times that
    /// of a client on the loopback device, and less than that of a client on a slow link.
    static final double TAKEN_AT_ONCE_MS = 0.5;

    /// Minimum share of the response time for which delayed acknowledgements are responsible.
    static final double DELAYED_LIMIT = 0.50;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.NETWORK;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.LOAD, Bottleneck.DOWNSTREAM, Bottleneck.THREAD_POOL);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        if (evidence.saturated().isEmpty()) {
            return new Finding.NotApplicable("the sockets were not looked at");
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        double taken = Math.min(1, untaken(evidence, threadSamples));
        boolean clientIsFull =
                evidence.plateau().client().saturated()
                        || evidence.plateau().client().coreWaitPct() / 100
                                >= ClientRule.CORE_WAIT_LIMIT;
        Optional<Double> delayed = delayedShare(evidence, threadSamples);
        Optional<Finding> atOnce = takenAtOnce(evidence, threadSamples, taken);
        boolean coresAreShort =
                evidence.cpuIsShort() || new CpuShortage(evidence).isQueuedForSharedCores();
        if (taken >= UNSENT_LIMIT && atOnce.isEmpty() && !clientIsFull && !coresAreShort) {
            boolean inPieces = answersInPieces(evidence);
            return new Finding.Limits(
                    inPieces ? "answers written in pieces" : "clients",
                    confidence(
                            taken,
                            UNSENT_LIMIT,
                            0.9,
                            0.80,
                            inPieces ? Doubt.ANSWERS_IN_PIECES.most() : 0.95),
                    inPieces
                            ? Statement.of(
                                    "Delayed acknowledgements are the bottleneck",
                                    "the service writes an"
                                            + " answer in pieces without TCP_NODELAY, so that %.0f %% of the"
                                            + " connections wait 40 ms for the rest of theirs.",
                                    taken * 100)
                            : Statement.of(
                                    "The network is the bottleneck",
                                    "%.0f %% of the connections hold answers that their clients"
                                            + " have not read%s.",
                                    taken * 100,
                                    isOurLoad(evidence)
                                            ? ", and the load generator has CPU to read them"
                                            : ""),
                    evidenceOf(taken, evidence.plateau()));
        }
        if (delayed.filter(d -> d >= DELAYED_LIMIT).isPresent()) {
            return delayedAcknowledgements(evidence, threadSamples, delayed.get(), "a request");
        }
        Optional<Double> inCalls =
                Stream.of(delayedCalls(evidence, threadSamples), heldInSteps(evidence))
                        .flatMap(Optional::stream)
                        .max(Comparator.naturalOrder());
        if (inCalls.filter(d -> d >= DELAYED_LIMIT).isPresent()) {
            return delayedAcknowledgements(evidence, threadSamples, inCalls.get(), "each call");
        }
        double suspicion = 0.4 * taken;
        Optional<BelowLimit> few = BelowLimit.of(taken, UNSENT_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                    suspicion, few.get(), "of the connections hold unsent answers");
        }
        return atOnce.orElseGet(() ->
                new Finding.Cleared(
                        suspicion,
                        say(
                                "%.0f %% of the connections hold unsent answers, but %s",
                                taken * 100,
                                clientIsFull
                                        ? "the load generator lacks CPU to read them"
                                        : "the service lacks cores itself")));
    }

    /// Returns the share of the connections whose clients have not read their answer. Unsent data
    /// is in the kernel's queues. The kernel's data, if available, is better than the stacks of
    /// threads that are about to write. The slow clients may differ from the clients whose requests
    /// wait behind them.
    private static double untaken(Evidence evidence, ThreadSamples threadSamples) {
        double writing = evidence.busyShare(Cause.NETWORK).orElse(0.0);
        return evidence.sign(Sign.UNSENT_SOCKETS)
                .map(sockets ->
                        Math.max(
                                sockets / Math.max(1, threadSamples.concurrency()),
                                Math.min(
                                        writing,
                                        sockets / Math.max(1, threadSamples.busyThreads()))))
                .orElse(writing);
    }

    /// Returns the finding that unacknowledged answers are only on their way: they are few, or
    /// clients read each of them at once. An answer is acknowledged with the client's next request.
    /// So for a page of some microseconds an answer is unacknowledged half of the time. By Little's
    /// law, sockets ÷ throughput is the time for which an answer waits.
    private static Optional<Finding> takenAtOnce(
            Evidence evidence, ThreadSamples threadSamples, double share) {
        Optional<Double> sockets = evidence.sign(Sign.UNSENT_SOCKETS);
        Optional<BelowLimit> few = sockets.flatMap(n -> BelowLimit.of(n, SeenShare.SEVERAL));
        Optional<BelowLimit> soon =
                sockets.filter(_ -> threadSamples.qps() > 0)
                        .flatMap(n ->
                                BelowLimit.of(n / threadSamples.qps() * 1000, TAKEN_AT_ONCE_MS));
        return few.map(below ->
                        below.onlyOf("connections on average hold answers that are not taken"))
                .or(() ->
                        soon.map(below ->
                                below.onlyOf("ms go by until a client has taken its answer")))
                .map(says -> new Finding.Cleared(0.4 * share, says, few.isPresent() ? few : soon));
    }

    /// @param share share of the time of `of` for which delayed acknowledgements are responsible
    private static Finding delayedAcknowledgements(
            Evidence evidence, ThreadSamples threadSamples, double share, String of) {
        String where = evidence.top(Cause.DOWNSTREAM).map(ThreadSamples.Busy::where).orElse("");
        return new Finding.Limits(
                where,
                heldBack(evidence, threadSamples).isPresent()
                        ? confidence(share, DELAYED_LIMIT, 0.9, 0.80, 0.95)
                        : NOT_SEEN_HELD,
                Statement.of(
                        "Delayed acknowledgements are the bottleneck",
                        "they hold up %s for"
                                + " %.0f %% of its time (40 ms each); the %s %s writes %s"
                                + " in pieces without TCP_NODELAY.",
                        of,
                        share * 100,
                        isOfThePeer(evidence) ? "service at" : "caller of",
                        where,
                        isOfThePeer(evidence) ? "an answer" : "a request"),
                List.of(
                        line(
                                Figure.DELAYED_ACKS,
                                say(
                                        "delayed acknowledgements are %.0f %% of the time of %s",
                                        share * 100, of),
                                share,
                                DELAYED_LIMIT)));
    }

    /// Returns lines on the waiting answers and on the amount of data sent. That rate distinguishes
    /// a slow link from slow clients.
    private static List<EvidenceLine> evidenceOf(double taken, Round round) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.UNSENT,
                        say(
                                "%.0f %% of the answers wait for clients that read slowly",
                                taken * 100),
                        taken,
                        UNSENT_LIMIT));
        round.replySize()
                .ifPresent(size -> {
                    double perS = size.value() * round.qps();
                    lines.add(
                            line(
                                    Figure.SENT,
                                    say(
                                            "an answer has %s: together %s a second",
                                            size, new Bytes(Math.round(perS))),
                                    perS,
                                    0));
                });
        return lines;
    }

    /// True if jdyno sends the load. Otherwise no response time was measured.
    private static boolean isOurLoad(Evidence evidence) {
        return evidence.plateau().rtMs().p50() > 0;
    }

    /// True if even the lowest load waits one step of 40 ms for the rest of each answer, and higher
    /// loads do not wait longer. A saturated link can also take this time by chance.
    private static boolean answersInPieces(Evidence evidence) {
        List<Round> rounds = evidence.rounds();
        double p50 = rounds.getFirst().rtMs().p50();
        double withMore = rounds.get(Math.min(1, rounds.size() - 1)).rtMs().p50();
        return p50 >= DELAYED_ACK_MS
                && p50 <= DELAYED_ACK_MS * (1 + STEP_TOLERANCE)
                && withMore <= DELAYED_ACK_MS * LONGER_BY_LOAD;
    }

    /// Returns the share of a request's time in which it waited for delayed acknowledgements. The
    /// timer also acknowledges every request whose answer takes longer than 40 ms, without delaying
    /// anything. So the result needs more conditions. The response time is a whole number of 40 ms
    /// steps, it is spent in calls, and requests do not queue. The kernel also holds data back in
    /// most calls. A service that takes 45 ms meets all conditions except the last.
    private static Optional<Double> delayedShare(Evidence evidence, ThreadSamples threadSamples) {
        Round round = evidence.plateau();
        long steps = Math.round(round.rtMs().p50() / DELAYED_ACK_MS);
        boolean inSteps =
                steps >= 1
                        && steps <= MAX_STEPS
                        && Math.abs(round.rtMs().p50() / DELAYED_ACK_MS - steps) <= STEP_TOLERANCE;
        return evidence.sign(Sign.DELAYED_ACKS_PER_S)
                .filter(_ ->
                        inSteps
                                && inCalls(evidence)
                                && evidence.stillRises()
                                && threadSamples.qps() > 0)
                .map(perS -> Math.min(1, perS / threadSamples.qps() / steps))
                .map(share -> Math.min(share, heldBack(evidence, threadSamples).orElse(1.0)));
    }

    /// Returns the same share for requests that queue for a thread. Their total time is not a whole
    /// number of steps, but their time in calls is, both at a low load and at this one.
    private static Optional<Double> delayedCalls(Evidence evidence, ThreadSamples threadSamples) {
        return callInSteps(evidence)
                .map(ms -> {
                    long steps = Math.round(ms / DELAYED_ACK_MS);
                    double perS = evidence.sign(Sign.DELAYED_ACKS_PER_S).orElse(0.0);
                    double share = Math.min(1, perS / threadSamples.qps() / steps);
                    double held = Math.min(share, heldBack(evidence, threadSamples).orElse(1.0));
                    return held * Math.min(1, steps * DELAYED_ACK_MS / ms);
                });
    }

    /// Returns the share of a request's time in calls for which the kernel holds data back. Empty
    /// unless that time is a whole number of delayed acknowledgements, and the kernel counted the
    /// same number. The rest of the time in calls is the work of the other side; it may have any
    /// length. The time must not have grown with the load, because data is also held back if the
    /// other side reads late.
    public static Optional<Double> heldInSteps(Evidence evidence) {
        boolean grew =
                evidence.growth(Cause.DOWNSTREAM).filter(g -> g >= Waiting.QUEUES_FROM).isPresent();
        return evidence.saturated()
                .filter(c -> c.qps() > 0 && !grew && inCalls(evidence))
                .flatMap(c ->
                        heldBack(evidence, c)
                                .filter(held -> isInSteps(held * callMs(c), evidence, c)));
    }

    /// @param heldMs time of a request for which the kernel holds data back
    private static boolean isInSteps(
            double heldMs, Evidence evidence, ThreadSamples threadSamples) {
        double steps = heldMs / DELAYED_ACK_MS;
        long whole = Math.round(steps);
        double counted = delayedPerRequest(evidence, threadSamples);
        return whole >= 1
                && (whole <= MAX_STEPS
                        ? Math.abs(steps - whole) <= STEP_TOLERANCE
                                && counted >= (1 - STEP_TOLERANCE) * steps
                        : isAsMany(counted, steps));
    }

    /// True if the number of counted delayed acknowledgements equals the number of steps. Every
    /// long time is near a whole number of steps, so the number of counted acknowledgements must
    /// also match.
    private static boolean isAsMany(double counted, double steps) {
        return Math.abs(counted - steps) <= STEP_TOLERANCE * steps;
    }

    private static double delayedPerRequest(Evidence evidence, ThreadSamples threadSamples) {
        return evidence.sign(Sign.DELAYED_ACKS_PER_S).orElse(0.0) / threadSamples.qps();
    }

    private static double callMs(ThreadSamples threadSamples) {
        return threadSamples.threads(Cause.DOWNSTREAM) / threadSamples.qps() * 1000;
    }

    private static boolean inCalls(Evidence evidence) {
        return evidence.busyShare(Cause.DOWNSTREAM).filter(s -> s >= DELAYED_LIMIT).isPresent();
    }

    /// Returns a request's time in calls, in ms, if it is near a whole number of delayed
    /// acknowledgements at any load and most calls have one. A called service that takes as long
    /// itself looks the same. Only data that the kernel holds back distinguishes the two.
    public static Optional<Double> callInSteps(Evidence evidence) {
        boolean isFlat =
                evidence.growth(Cause.DOWNSTREAM)
                        .filter(g -> g < Waiting.QUEUES_FROM && g > 1 / Waiting.QUEUES_FROM)
                        .isPresent();
        return evidence.saturated()
                .filter(c -> c.qps() > 0 && isFlat && inCalls(evidence))
                .filter(c -> delayedPerRequest(evidence, c) >= DELAYED_LIMIT)
                .filter(c -> {
                    double steps = callMs(c) / DELAYED_ACK_MS;
                    long whole = Math.round(steps);
                    return whole >= 1
                            && (whole <= MAX_STEPS
                                    ? Math.abs(steps - whole) <= STEP_TOLERANCE
                                    : isAsMany(delayedPerRequest(evidence, c), steps));
                })
                .map(NetworkRule::callMs);
    }

    /// Returns the share of the calls for which the kernel held data back when the samples were
    /// taken. Of the two sides it uses the one with the larger share. Empty if the kernel did not
    /// report it.
    private static Optional<Double> heldBack(Evidence evidence, ThreadSamples threadSamples) {
        double calls = Math.max(1, threadSamples.threads(Cause.DOWNSTREAM));
        return Stream.of(Sign.HELD_BACK_SOCKETS, Sign.PEER_HELD_BACK_SOCKETS)
                .flatMap(side -> evidence.sign(side).stream())
                .max(Comparator.naturalOrder())
                .map(held -> Math.min(1, held / calls));
    }

    /// True if the other side writes its answers in pieces.
    private static boolean isOfThePeer(Evidence evidence) {
        return evidence.sign(Sign.PEER_HELD_BACK_SOCKETS).orElse(0.0)
                > evidence.sign(Sign.HELD_BACK_SOCKETS).orElse(0.0);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        var recommendations = new RecommendationList();
        if (s.figure(Figure.UNSENT).isPresent() && !answersInPieces(s.evidence())) {
            recommendations
                    .byHand(
                            KnownChange.ANSWERS_SMALLER,
                            "Halve the size of the answers: compress, page, leave fields out",
                            "server.compression.enabled=true; watch what it costs in CPU",
                            s.withCapacity(2))
                    .byHand(
                            KnownChange.ANSWERS_BUFFERED,
                            "Put a buffering proxy in front, so that slow readers do not hold the"
                                    + " service up (E26)",
                            "nginx with proxy_buffering on and buffers larger than an answer",
                            Gain.unknown(
                                    "it frees the threads that wait for slow readers; the readers"
                                            + " stay as slow"),
                            List.of(new Change.Outside()));
        } else {
            boolean inCalls = s.figure(Figure.DELAYED_ACKS).isPresent();
            boolean ofThePeer = inCalls && isOfThePeer(s.evidence());
            recommendations.setting(
                    KnownChange.NO_DELAY,
                    inCalls
                            ? say(
                                    "Let the %s %s send at once: TCP_NODELAY, and each %s in"
                                            + " one write",
                                    ofThePeer ? "service at" : "client of",
                                    s.verdict().where(),
                                    ofThePeer ? "answer" : "request")
                            : "Let the server send at once: TCP_NODELAY, and each answer in one write",
                    new WrittenChange.Words("TCP_NODELAY"),
                    "steps of 40 ms come from Nagle's algorithm waiting for a delayed acknowledgement;"
                            + " for the JDK's own server -Dsun.net.httpserver.nodelay=true",
                    delayed(s),
                    ofThePeer ? new Change.Outside() : new Change.Code());
        }
        return recommendations;
    }

    /// Returns the gain if the delayed acknowledgements, with their share of each request, are
    /// avoided.
    private static Gain delayed(Situation s) {
        return s.figure(Figure.DELAYED_ACKS)
                .or(() -> s.figure(Figure.UNSENT))
                .map(share -> s.withCapacity(1 / (1 - Math.clamp(share, 0.0, 0.95))))
                .orElse(Gain.unknown("the delayed part of a request was not measured"));
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
    }
}
