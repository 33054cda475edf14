package dev.jdyno.diagnose.gain;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// The maximum throughput that the machine's CPU allows. Service and load generator use as many
/// cores per request as now, and share them. No predicted gain exceeds it, because readers can
/// divide the CPU figures of the report themselves.
public final class MachineCeiling {
    /// Changes after which the service has other cores than now.
    private static final Set<ChangeKind> OTHER_CORES = EnumSet.of(ChangeKind.MORE_CORES);

    private MachineCeiling() {}

    /// Returns the throughput that the machine's CPU allows ÷ the present one, at least 1; empty if
    /// the CPU use was not measured.
    ///
    /// @param cpu CPU use at the load of the report
    /// @param machineCores cores of the machine
    /// @param gone share of the service's CPU that a change removes
    static Optional<Double> times(CpuUse cpu, int machineCores, double gone) {
        double growing = (1 - gone) * cpu.processCores() + cpu.clientCores();
        double free = machineCores * (1 - cpu.stealPct() / 100) - cpu.otherCores();
        return growing <= 0 ? Optional.empty() : Optional.of(Math.max(1, free / growing));
    }

    /// Returns the recommendation, limited to this maximum. The model's predictions already include
    /// the machine's cores, and figures of another load were measured there.
    public static Recommendation capped(Recommendation r, Situation s) {
        ChangeKind kind = ChangeKind.of(r);
        double ratio = r.predictedQpsRatio().orElse(1.0);
        if (ratio <= 1
                || r.expected().isPresent()
                || OTHER_CORES.contains(kind)
                || ModelAnswer.to(r, s).isPresent()) {
            return r;
        }
        double gone = kind.keepsCpu() ? 0 : 1 - 1 / ratio;
        return s.now()
                .cpu()
                .flatMap(cpu -> times(cpu, s.machineCores(), gone))
                .filter(max -> max < ratio)
                .map(max ->
                        r.noMoreThan(
                                max,
                                say(
                                        "; the machine's %d cores allow %.2f times, the load"
                                                + " generator included",
                                        s.machineCores(), max)))
                .orElse(r);
    }
}
