package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Signals.Sign;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The machine or the cgroup is short of memory: pages of the target are fetched back from swap or
/// from its files while it works.
final class MemoryRule implements Rule {
    /// Share of the time in which some task waited for memory (PSI) from which it is felt.
    static final double PRESSURE_LIMIT = 0.10;

    /// Pages fetched from disk per second from which it is not only a start or a mapped file.
    static final double FAULTS_LIMIT = 20;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.MEMORY;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.DISK,
                Bottleneck.SAFEPOINT,
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> pressure = evidence.sign(Sign.PSI_MEMORY);
        Optional<Double> faults = evidence.sign(Sign.MAJOR_FAULTS_PER_S);
        if (pressure.isEmpty() && faults.isEmpty()) {
            return new Finding.NotApplicable("memory pressure and page faults were not seen");
        }
        double waits = pressure.orElse(0.0);
        double fetched = faults.orElse(0.0);
        boolean ofTheTarget = fetched >= FAULTS_LIMIT;
        if (!ofTheTarget || (pressure.isPresent() && waits < PRESSURE_LIMIT)) {
            return new Finding.Cleared(
                    Math.min(0.3, waits),
                    say("%.1f major faults/s, memory pressure %.0f %%", fetched, waits * 100));
        }
        return new Finding.Limits(
                "",
                confidence(waits, PRESSURE_LIMIT, 0.5, 0.75, 0.95),
                say(
                        "The machine is short of memory: %.0f pages/s of the service come back from disk"
                                + " and tasks wait for memory %.0f %% of the time.",
                        fetched, waits * 100),
                List.of(
                        line(
                                "major-faults",
                                say("%.0f major faults/s", fetched),
                                fetched,
                                "1/s",
                                FAULTS_LIMIT),
                        line(
                                "memory-pressure",
                                say("tasks wait for memory %.0f %% of the time", waits * 100),
                                waits,
                                "share",
                                PRESSURE_LIMIT)));
    }
}
