package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Optional;

/// A load generator that uses a good part of the cores that the service may run on. The measured
/// figures then depend on both processes.
///
/// @param cpu CPU use in the round at saturation
record SharedCores(CpuUse cpu) {
    /// Minimum CPU of the load generator, as a share of the service's, at which it should move to
    /// other cores. For a page of some microseconds the client needs about as much CPU as the
    /// service; for a page of a millisecond it needs a twentieth.
    static final double WORTH_MOVING = 0.25;

    /// The shared cores; empty if the load generator uses little CPU or runs on other cores.
    static Optional<SharedCores> of(CpuUse cpu) {
        return cpu.processCores() > 0
                        && cpu.clientCores() >= WORTH_MOVING * cpu.processCores()
                        && new SharedCores(cpu).takenByClient() >= cpu.clientCores() / 2
                ? Optional.of(new SharedCores(cpu))
                : Optional.empty();
    }

    String says() {
        return say(
                "Of the %.3g cores that they share, the service used %.2f and the load generator"
                        + " %.2f. For more throughput, run the load generator elsewhere or give"
                        + " it fewer cores.",
                cpu.availableCores(), cpu.processCores(), takenByClient());
    }

    EvidenceLine line() {
        return Lines.line(
                Figure.CLIENT_CORES,
                say(
                        "the load generator used %.2f of the same %.3g cores",
                        takenByClient(), cpu.availableCores()),
                takenByClient(),
                WORTH_MOVING * cpu.processCores());
    }

    /// Returns a line with the share of the common cores that service and load generator used
    /// together.
    EvidenceLine together() {
        double share = (cpu.processCores() + takenByClient()) / cpu.availableCores();
        return Lines.line(
                Figure.SHARED_CORES,
                say(
                        "service and load generator used %.0f %% of the %.3g cores that they share",
                        share * 100, cpu.availableCores()),
                share,
                CpuShortage.SHARED_CORES_SATURATED);
    }

    /// Returns the gain if the service gets the cores that the load generator takes from it
    /// (throughput at saturation, F2). Cores on which the service may not run, or that exceed its
    /// quota, are not included.
    Gain alone() {
        double cores = Math.min(cpu.availableCores(), cpu.coresForTarget() + takenByClient());
        double factor = Math.max(1, cores / cpu.coresForTarget());
        return Gain.of(
                factor,
                1 / factor,
                true,
                say(
                        "%.2f cores instead of the %.2f that the load generator leaves (F2)",
                        cores, cpu.coresForTarget()));
    }

    private double takenByClient() {
        return cpu.takenByClient();
    }
}
