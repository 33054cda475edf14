package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Optional;
import java.util.stream.Collectors;

/// CPU of the processes that the service started.
///
/// @param cpu CPU use in the round at saturation
record ChildCpu(CpuUse cpu) {
    /// Minimum share of the service's CPU at which the child processes get a line in the report.
    static final double WORTH_SAYING = 0.1;

    /// The CPU of the child processes; empty if they use little or no CPU.
    static Optional<ChildCpu> of(CpuUse cpu) {
        return cpu.processCores() > 0 && cpu.childCores() >= WORTH_SAYING * cpu.processCores()
                ? Optional.of(new ChildCpu(cpu))
                : Optional.empty();
    }

    /// The CPU of the child processes if they use most of the service's CPU. Samples of the
    /// service's threads then show little of it.
    static Optional<ChildCpu> most(CpuUse cpu) {
        return of(cpu).filter(_ -> CpuShortage.isMostlyOfChildren(cpu));
    }

    /// The programs, the one with the most CPU first: `child processes: convert, gs`.
    String where() {
        return "child processes: "
                + cpu.children().stream()
                        .limit(Neighbour.NAMED)
                        .map(ChildProgram::name)
                        .collect(Collectors.joining(", "));
    }

    String says() {
        return say(
                "Of these, child processes of the service use %.2f (%s).",
                cpu.childCores(), programs());
    }

    EvidenceLine line() {
        return Lines.line(
                Figure.CHILD_CORES,
                say(
                        "its child processes use %.2f of these cores: %s",
                        cpu.childCores(), programs()),
                cpu.childCores(),
                WORTH_SAYING * cpu.processCores());
    }

    private String programs() {
        return cpu.children().stream()
                .limit(Neighbour.NAMED)
                .map(c -> say("%s %.2f", c.name(), c.cores()))
                .collect(Collectors.joining(", "));
    }
}
