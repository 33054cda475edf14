package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Optional;

/// A load generator that uses a good part of the cores that the service may run on: the figures are
/// those of both together.
///
/// @param cpu of the round at saturation
record SharedCores(CpuUse cpu) {
    /// CPU of the load generator, as a share of the service's, from which it is worth moving: a
    /// page of some microseconds costs its client about as much, one of a millisecond a twentieth.
    static final double WORTH_MOVING = 0.25;

    /// Empty where the load generator takes little, or runs elsewhere.
    static Optional<SharedCores> of(CpuUse cpu) {
        return cpu.processCores() > 0
                        && cpu.clientCores() >= WORTH_MOVING * cpu.processCores()
                        && cpu.availableCores() - cpu.leftCores() >= cpu.clientCores() / 2
                ? Optional.of(new SharedCores(cpu))
                : Optional.empty();
    }

    String says() {
        return say(
                "Of the %.3g cores the service used %.2f and the load generator %.2f: they share them."
                        + " For more, put the load generator elsewhere or give it fewer cores.",
                cpu.availableCores(), cpu.processCores(), cpu.clientCores());
    }

    EvidenceLine line() {
        return Lines.line(
                Figure.CLIENT_CORES,
                say(
                        "the load generator used %.2f of the same %.3g cores",
                        cpu.clientCores(), cpu.availableCores()),
                cpu.clientCores(),
                WORTH_MOVING * cpu.processCores());
    }

    /// What the service gives once it has the load generator's cores, too (F2).
    Gain alone() {
        double factor = (cpu.coresForTarget() + cpu.clientCores()) / cpu.coresForTarget();
        return Gain.of(
                factor,
                1 / factor,
                true,
                say(
                        "%.2f cores instead of the %.2f that the load generator leaves (F2)",
                        cpu.coresForTarget() + cpu.clientCores(), cpu.coresForTarget()));
    }
}
