package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Bottleneck;
import java.util.Set;

/// One bottleneck: its limits are named constants of the rule, its judgement is a pure function.
public interface Rule {
    Bottleneck bottleneck();

    Finding evaluate(Evidence evidence);

    /// What this one, when it is found, brings about by itself: threads that a collector or a
    /// compiler keeps off the cores make the CPU short, an event loop that waits for a downstream
    /// makes threads wait there. Such a finding is a symptom and yields to its cause.
    default Set<Bottleneck> bringsAbout() {
        return Set.of();
    }
}
