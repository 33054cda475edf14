package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The load generator is suspect number one (E22): its busiest loop had no time left, or no core to
/// run on, while the target had, or while it took more of a shared machine than the target did. Or
/// another client stands between it and the target and lets too little through.
public final class ClientRule implements Rule {
    /// Share of the round in which the busiest event loop was not waiting.
    static final double LOOP_LIMIT = 0.90;

    /// Share of the time the client's busiest loop lacked a core, from which it is late for what
    /// the target sent, though it seems to wait for it. Fair schedulers give it a third beside two
    /// others that compute.
    static final double CORE_WAIT_LIMIT = 0.40;

    /// Share of the round that the busiest loop worked or stood still, from which a machine that
    /// holds the client up holds the load back: without it there could be no more than twice as
    /// much.
    static final double HELD_BACK = 0.5;

    /// Busy share of the machine from which no core is idle but for a moment.
    static final double MACHINE_FULL = 0.95;

    /// How the place begins where another client holds requests back.
    public static final String FROM = "connections from ";

    /// Requests for each connection to the service up to which they carry one at a time: requests
    /// and connections are counted at different moments.
    static final double ONE_FOR_EACH = 1.2;

    /// Most confidence then: what is in front was not looked into.
    static final double IN_FRONT_AT_MOST = 0.9;

    /// Confidence where both are: worth saying beside the target's own limit.
    static final double BOTH_FULL = 0.45;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CLIENT;
    }

    /// What a client without time leaves undone looks like this from the target's side.
    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.CPU, Bottleneck.NETWORK, Bottleneck.LOAD);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Round round = evidence.plateau();
        double loop = round.client().busiestLoopPct() / 100;
        boolean targetFull =
                evidence.cpuUtilisation().filter(u -> u >= Saturation.CPU_USED_UP).isPresent()
                        && evidence.cpu().filter(c -> c.clientCores() > c.processCores()).isEmpty();
        boolean limit = round.client().heldUp() ? heldBack(round) : round.client().saturated();
        if (!limit && loop < LOOP_LIMIT) {
            return lacksCores(evidence, round)
                    .or(() -> heldUpInFront(evidence))
                    .orElseGet(() ->
                            new Finding.Cleared(
                                    loop * 0.3,
                                    say(
                                            "the load generator's busiest loop was idle %.0f %% of the"
                                                    + " time",
                                            100 - loop * 100)));
        }
        String why = round.client().why().orElse("event loop");
        return new Finding.Limits(
                why,
                targetFull ? BOTH_FULL : 0.95,
                say(
                        "The load generator is the limit, not the service (%s; its busiest event loop"
                                + " worked %.0f %% of the time). The figures say nothing about the service.",
                        why, loop * 100),
                List.of(
                        line(
                                Figure.CLIENT_LOOP,
                                say("busiest client loop %.0f %% busy", loop * 100),
                                loop,
                                LOOP_LIMIT)));
    }

    /// A machine that holds the client up spoils response times long before it holds the service's
    /// load back: of each cycle the client has no more than what it works and stands still.
    private static boolean heldBack(Round round) {
        double share = (round.client().busiestLoopPct() + round.client().stalledPct()) / 100;
        return share >= HELD_BACK;
    }

    /// What it waited for in vain looks like waiting for the target to the loop itself. Beside a
    /// target that is short of CPU it must lack cores, too.
    private static Optional<Finding> lacksCores(Evidence evidence, Round round) {
        double lacked = round.client().coreWaitPct() / 100;
        boolean targetHasCpu =
                evidence.cpuUtilisation().filter(u -> u < Saturation.CPU_USED_UP).isPresent();
        if (lacked < CORE_WAIT_LIMIT || !targetHasCpu || isFull(round)) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding.Limits(
                        "its cores",
                        confidence(lacked, CORE_WAIT_LIMIT, 0.7, 0.70, 0.95),
                        say(
                                "The load generator is the limit, not the service: it was ready to go on"
                                        + " and had no core for %.0f %% of the time, while the service had CPU"
                                        + " to spare. The figures say nothing about the service.",
                                lacked * 100),
                        List.of(
                                line(
                                        Figure.CLIENT_CORE_WAIT,
                                        say(
                                                "the client waited for a core for %.0f %% of the time",
                                                lacked * 100),
                                        lacked,
                                        CORE_WAIT_LIMIT))));
    }

    /// Whether service and load generator together left no core idle: then neither has CPU to
    /// spare, whichever of them waits more for it.
    private static boolean isFull(Round round) {
        return round.cpu()
                .filter(c -> c.heldByOthers() < Limits.HELD_BY_OTHERS)
                .filter(c -> c.machinePct() / 100 >= MACHINE_FULL)
                .isPresent();
    }

    /// Something in front of the service, a proxy or the pool of another client, holds too few
    /// connections to it: the rest of the requests in flight never reach it, and those that do find
    /// it with time.
    private static Optional<Finding> heldUpInFront(Evidence evidence) {
        Optional<ThreadSamples> census = evidence.saturated();
        Optional<Double> held = evidence.sign(Sign.FRONT_CONNECTIONS);
        if (census.isEmpty()
                || held.isEmpty()
                || held.get() < 1
                || evidence.stillRises()
                || evidence.cpuIsShort()
                || evidence.sign(Sign.LISTEN_OVERFLOWS_PER_S).filter(o -> o > 0).isPresent()) {
            return Optional.empty();
        }
        double inFlight = census.get().concurrency();
        double inside =
                Math.max(
                        census.get().busyThreads(),
                        evidence.sign(Sign.REQUESTS_INSIDE).orElse(0.0));
        boolean oneForEach = inside <= ONE_FOR_EACH * held.get();
        boolean allAreUsed = inside >= Limits.ALL_IN_USE * held.get();
        if (held.get() > Limits.FEW_CONNECTIONS * inFlight || !oneForEach || !allAreUsed) {
            return Optional.empty();
        }
        String front = evidence.place(Sign.FRONT_CONNECTIONS).orElse("");
        return Optional.of(
                new Finding.Limits(
                        FROM + front,
                        confidence(
                                1 - held.get() / inFlight,
                                1 - Limits.FEW_CONNECTIONS,
                                0.9,
                                0.80,
                                IN_FRONT_AT_MOST),
                        say(
                                "What is in front of the service is the limit: of %.0f requests in"
                                        + " flight at %s only %.1f reach the service, over %.0f connections"
                                        + " that are all in use, and it has time for more.",
                                inFlight, front, inside, held.get()),
                        List.of(
                                line(
                                        Figure.FRONT_CONNECTIONS,
                                        say(
                                                "%.1f connections to the service for %.0f requests in flight",
                                                held.get(), inFlight),
                                        held.get() / inFlight,
                                        Limits.FEW_CONNECTIONS),
                                line(
                                        Figure.FRONT_INSIDE,
                                        say("%.1f requests are in the service", inside),
                                        inside,
                                        0))));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        if (s.figure(Figure.FRONT_INSIDE).isPresent()) {
            return new RecommendationList()
                    .byHand(
                            KnownChange.FRONT_CONNECTIONS,
                            "Let what is in front of the service open more connections to it",
                            "the size of its pool for one host (keep-alive connections, requests per"
                                    + " host, workers); then measure again, or load the service itself",
                            Gain.unknown(
                                    "the service was not the limit: what it gives is not known"),
                            List.of(new Change.Outside()));
        }
        return new RecommendationList()
                .byHand(
                        KnownChange.CLIENT_MORE,
                        "Give the load generator more: cores of its own, or processes on other machines",
                        "more event loops with -t where cores are free, else `jdyno load --processes`",
                        Gain.unknown(
                                "the service was not the limit: these figures say nothing of it"),
                        List.of(new Change.Outside()));
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("the limit is outside of the target: run it from elsewhere");
    }
}
