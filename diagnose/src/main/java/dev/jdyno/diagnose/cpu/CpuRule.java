package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.ThreadSamples;
import dev.jdyno.measure.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The target uses up the cores that client and neighbours leave to it (F2, S0: CPU ≥ 85 % at the
/// plateau). Judged by CPU time, never by "RUNNABLE".
public final class CpuRule implements Rule {
    /// Share of the cores from which it is others that leave the service little.
    static final double HELD_BY_OTHERS = 0.15;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CPU;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> seen = evidence.cpuUtilisation();
        Optional<CpuUse> use = evidence.cpu();
        if (seen.isEmpty() || use.isEmpty()) {
            return new Finding.NotApplicable("the target's CPU was not seen");
        }
        double utilisation = seen.get();
        CpuUse cpu = use.get();
        if (utilisation >= Limits.CPU_USED_UP && !evidence.cpuIsShort()) {
            return new Finding.Cleared(
                    0.3,
                    say(
                            "%s, but only %.0f %% of its busy threads run or wait for a core",
                            cpu.heldByOthers() >= HELD_BY_OTHERS
                                    ? "other processes use the machine"
                                    : "its cores are saturated, by the collector or compilers as well",
                            evidence.onOrWaitingForCpu().orElse(0.0) * 100));
        }
        if (utilisation < Limits.CPU_USED_UP) {
            return new Finding.Cleared(
                    utilisation * 0.5,
                    say(
                            "CPU at %.0f %% of the %.2f cores available to it",
                            utilisation * 100, left(cpu)));
        }
        return new Finding.Limits(
                Hotspots.where(evidence),
                confidence(utilisation, Limits.CPU_USED_UP, 0.95, 0.75, 0.95),
                says(evidence.fullestRound().orElse(evidence.plateau()), cpu),
                lines(evidence, cpu, utilisation));
    }

    private static double left(CpuUse cpu) {
        return Math.max(cpu.processCores(), cpu.leftCores());
    }

    /// A watched service's throughput is not always known.
    private static String says(Round round, CpuUse ofPlateau) {
        CpuUse cpu = round.cpu().orElse(ofPlateau);
        String inUse =
                say(
                        "%.2f of the %.2f cores available to the service are in use",
                        cpu.processCores(), left(cpu));
        return round.qps() > 0
                ? say(
                        "CPU is the bottleneck: each request takes %s ms of CPU, and %s at %.0f"
                                + " requests/s.",
                        Lines.ms(round.cpuMsPerRequest().orElse(0.0)), inUse, round.qps())
                : say("CPU is the bottleneck: %s.", inUse);
    }

    private static List<EvidenceLine> lines(Evidence evidence, CpuUse cpu, double utilisation) {
        List<EvidenceLine> lines = new ArrayList<>();
        CpuUse at = evidence.fullestCpu().orElse(cpu);
        lines.add(
                line(
                        Figure.CPU_UTILISATION,
                        say(
                                "CPU %.0f %% of the cores available to it (%.2f of %.2f)",
                                utilisation * 100, at.processCores(), left(at)),
                        utilisation,
                        Limits.CPU_USED_UP));
        // before anything else where they are what it computes, for a terminal shows few lines
        List<EvidenceLine> exceptions = Exceptions.lines(evidence);
        boolean most = Exceptions.isHottest(evidence);
        if (most) {
            lines.addAll(exceptions);
        }
        evidence.scalingLine().ifPresent(lines::add);
        lines.addAll(Hotspots.lines(evidence));
        if (!most) {
            lines.addAll(exceptions);
        }
        evidence.plateau()
                .threads()
                .ifPresent(t ->
                        lines.add(
                                line(
                                        Figure.RUN_QUEUE,
                                        say(
                                                        "%.1f threads on average waited for a core",
                                                        t.runQueueThreads())
                                                + forCarriers(evidence),
                                        t.runQueueThreads(),
                                        1)));
        evidence.busyShare(Cause.LOCK)
                .ifPresent(s ->
                        lines.add(
                                line(
                                        Figure.BUSY_IN_LOCKS,
                                        say("%.0f %% of busy threads in locks", s * 100),
                                        s,
                                        Limits.LOCK_WAITERS)));
        return lines;
    }

    /// Virtual threads that could run and have no carrier wait for a core, too: the kernel does not
    /// know of them.
    private static String forCarriers(Evidence evidence) {
        double waiting =
                evidence.saturated().stream()
                        .flatMap(c -> c.busy().stream())
                        .filter(b -> b.where().equals(ThreadSamples.WAITS_FOR_CARRIER))
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        return waiting > 0 ? say(", and %.1f virtual threads for a carrier", waiting) : "";
    }
}
