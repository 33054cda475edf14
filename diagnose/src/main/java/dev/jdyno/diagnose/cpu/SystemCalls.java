package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Optional;

/// The kernel's share of the CPU of the service itself, without its child processes.
final class SystemCalls {
    /// Minimum share of the service's CPU at which system calls get a line. Pages that compute have
    /// 0.02 to 0.1, and pages without any work have 0.2 to 0.6.
    static final double WORTH_SAYING = 0.2;

    private SystemCalls() {}

    static Optional<EvidenceLine> line(CpuUse cpu) {
        double share = cpu.ownCores() <= 0 ? 0 : cpu.systemCores() / cpu.ownCores();
        return share < WORTH_SAYING
                ? Optional.empty()
                : Optional.of(
                        Lines.line(
                                Figure.SYSTEM_SHARE,
                                say("%.0f %% of the service's CPU is in system calls", share * 100),
                                share,
                                WORTH_SAYING));
    }
}
