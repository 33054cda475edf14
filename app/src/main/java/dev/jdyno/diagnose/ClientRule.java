package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Round;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The load generator is suspect number one (E22): its busiest loop had no time left while the
/// target had, or while it took more of a shared machine than the target did.
final class ClientRule implements Rule {
    /// Share of the round in which the busiest event loop was not waiting.
    static final double LOOP_LIMIT = 0.90;

    /// Above this share of its own cores the target is short itself, and the client only near it.
    static final double TARGET_IDLE = 0.85;

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
            return new Finding.Cleared(
                    loop * 0.3,
                    say("the client's busiest loop was busy %.0f %% of the time", loop * 100));
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
}
