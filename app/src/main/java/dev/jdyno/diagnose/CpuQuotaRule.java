package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.CpuUse;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The cgroup's quota stops the target while the machine has cores to spare.
final class CpuQuotaRule implements Rule {
    /// Share of time throttled from which the quota is felt.
    static final double THROTTLED_LIMIT = 0.05;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CPU_QUOTA;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return Set.of(Bottleneck.CPU);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<CpuUse> use = evidence.cpu();
        if (use.isEmpty()) {
            return new Finding.NotApplicable("the target's CPU was not seen");
        }
        double throttled = use.get().throttledPct() / 100;
        if (throttled < THROTTLED_LIMIT) {
            return new Finding.Cleared(
                    0, say("the quota stopped it %.0f %% of the time", throttled * 100));
        }
        return new Finding.Limits(
                "cgroup",
                confidence(throttled, THROTTLED_LIMIT, 0.3, 0.85, 0.98),
                say(
                        "The CPU quota is the bottleneck: the cgroup stopped the service %.0f %% of the"
                                + " time while the machine was %.0f %% busy.",
                        throttled * 100, use.get().machinePct()),
                List.of(
                        line(
                                "throttled",
                                say("throttled %.0f %% of the time", throttled * 100),
                                throttled,
                                "share",
                                THROTTLED_LIMIT)));
    }
}
