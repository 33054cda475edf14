package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Round;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The load generator is suspect number one (E22): its busiest loop had no time left, or no core to
/// run on, while the target had, or while it took more of a shared machine than the target did.
final class ClientRule implements Rule {
    /// Share of the round in which the busiest event loop was not waiting.
    static final double LOOP_LIMIT = 0.90;

    /// Above this share of its own cores the target is short itself, and the client only near it.
    static final double TARGET_IDLE = 0.85;

    /// Share of the time the client's busiest loop lacked a core, from which it is late for what
    /// the target sent, though it seems to wait for it. Fair schedulers give it a third beside two
    /// others that compute.
    static final double CORE_WAIT_LIMIT = 0.40;

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
                evidence.cpuUtilisation().filter(u -> u >= TARGET_IDLE).isPresent()
                        && evidence.cpu().filter(c -> c.clientCores() > c.processCores()).isEmpty();
        if (!round.client().saturated() && loop < LOOP_LIMIT) {
            return lacksCores(evidence, round)
                    .orElseGet(() ->
                            new Finding.Cleared(
                                    loop * 0.3,
                                    say(
                                            "the client's busiest loop was busy %.0f %% of the time",
                                            loop * 100)));
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
                                "client-loop",
                                say("busiest client loop %.0f %% busy", loop * 100),
                                loop,
                                "share",
                                LOOP_LIMIT)));
    }

    /// What it waited for in vain looks like waiting for the target to the loop itself. Beside a
    /// target that is short of CPU it must lack cores, too.
    private static Optional<Finding> lacksCores(Evidence evidence, Round round) {
        double lacked = round.client().coreWaitPct() / 100;
        boolean targetHasCpu = evidence.cpuUtilisation().filter(u -> u < TARGET_IDLE).isPresent();
        if (lacked < CORE_WAIT_LIMIT || !targetHasCpu) {
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
                                        "client-core-wait",
                                        say(
                                                "the client waited for a core for %.0f %% of the time",
                                                lacked * 100),
                                        lacked,
                                        "share",
                                        CORE_WAIT_LIMIT))));
    }
}
