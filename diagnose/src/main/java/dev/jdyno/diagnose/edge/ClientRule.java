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

/// The load generator was the limit, which is checked first (experiment E22). Its busiest event
/// loop worked all the time, or lacked a core, although the target did not. On a shared machine,
/// the load generator may also have used more CPU than the target. Or another client between both,
/// such as a proxy, forwards too few requests.
public final class ClientRule implements Rule {
    /// Minimum share of the round in which the busiest event loop did not wait.
    static final double LOOP_LIMIT = 0.90;

    /// Minimum share of the time in which the client's busiest loop lacked a core. It then handles
    /// answers late, although it seems to wait for them. If it shares a core with two computing
    /// threads, a fair scheduler gives it a third of the core.
    static final double CORE_WAIT_LIMIT = 0.40;

    /// Minimum share of the round in which the busiest loop worked or was stalled, at which stalls
    /// by the machine limit the load. Without the stalls, the load could at most double.
    static final double HELD_BACK = 0.5;

    /// Minimum busy share of the machine at which no core is idle for more than moments.
    static final double MACHINE_FULL = 0.95;

    /// Beginning of the place's text if another client holds requests back.
    public static final String FROM = "connections from ";

    /// Maximum ratio of requests to connections at which each connection carries one request at a
    /// time. It is above 1 because requests and connections are counted at different moments.
    static final double ONE_FOR_EACH = 1.2;

    /// Maximum confidence if another client is in front of the service, because that client was not
    /// examined.
    static final double MAX_IF_CLIENT_IN_FRONT = 0.9;

    /// Confidence if both client and target are saturated. It is reported in addition to the
    /// target's own limit.
    static final double BOTH_FULL = 0.45;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CLIENT;
    }

    /// If the client is saturated, the target can look like this.
    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.CPU, Bottleneck.NETWORK, Bottleneck.LOAD);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Round round = evidence.plateau();
        double loop = round.client().busiestLoopPct() / 100;
        boolean targetFull =
                evidence.cpuUtilisation().filter(u -> u >= Saturation.CPU_SATURATED).isPresent()
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

    /// True if stalls of the client limit the load: it works or is stalled for at least half of the
    /// time. Fewer stalls already make response times unusable.
    private static boolean heldBack(Round round) {
        double share = (round.client().busiestLoopPct() + round.client().stalledPct()) / 100;
        return share >= HELD_BACK;
    }

    /// Returns the finding that the client lacks cores. The loop itself cannot distinguish a wait
    /// for a core from a wait for the target. If the target is short of CPU, the client must lack
    /// cores, too.
    private static Optional<Finding> lacksCores(Evidence evidence, Round round) {
        double lacked = round.client().coreWaitPct() / 100;
        boolean targetHasCpu =
                evidence.cpuUtilisation().filter(u -> u < Saturation.CPU_SATURATED).isPresent();
        if (lacked < CORE_WAIT_LIMIT || !targetHasCpu || isFull(round)) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding.Limits(
                        "its cores",
                        confidence(lacked, CORE_WAIT_LIMIT, 0.7, 0.70, 0.95),
                        say(
                                "The load generator is the limit, not the service: for %.0f %% of"
                                        + " the time it was ready to run but had no core, while"
                                        + " the service had CPU to spare. The figures say"
                                        + " nothing about the service.",
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

    /// True if service and load generator together left no core idle. Neither of them then has free
    /// CPU.
    private static boolean isFull(Round round) {
        return round.cpu()
                .filter(c -> c.heldByOthers() < Limits.HELD_BY_OTHERS)
                .filter(c -> c.machinePct() / 100 >= MACHINE_FULL)
                .isPresent();
    }

    /// Returns the finding that a proxy or another client's pool in front of the service holds too
    /// few connections to it. Most requests in flight do not reach the service, and the service has
    /// free capacity.
    private static Optional<Finding> heldUpInFront(Evidence evidence) {
        Optional<ThreadSamples> threadSamples = evidence.saturated();
        Optional<Double> held = evidence.sign(Sign.FRONT_CONNECTIONS);
        if (threadSamples.isEmpty()
                || held.isEmpty()
                || held.get() < 1
                || evidence.stillRises()
                || evidence.cpuIsShort()
                || evidence.sign(Sign.LISTEN_OVERFLOWS_PER_S).filter(o -> o > 0).isPresent()) {
            return Optional.empty();
        }
        double inFlight = threadSamples.get().concurrency();
        double inside =
                Math.max(
                        threadSamples.get().busyThreads(),
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
                                MAX_IF_CLIENT_IN_FRONT),
                        say(
                                "The server in front of the service is the limit: of %.0f"
                                        + " requests in flight at %s only %.1f reach the"
                                        + " service, over %.0f connections that are all in use."
                                        + " The service could serve more.",
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
                            "Let the server in front of the service open more connections to it",
                            "the size of its pool for one host (keep-alive connections, requests per"
                                    + " host, workers); then measure again, or load the service itself",
                            Gain.unknown(
                                    "the service was not the limit: its highest throughput is not"
                                            + " known"),
                            List.of(new Change.Outside()));
        }
        return new RecommendationList()
                .byHand(
                        KnownChange.CLIENT_MORE,
                        "Give the load generator more CPU: cores of its own, or processes on"
                                + " other machines",
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
