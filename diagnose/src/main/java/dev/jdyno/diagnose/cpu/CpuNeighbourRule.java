package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Other processes or the hypervisor use a large part of the cores that the target needs.
public final class CpuNeighbourRule implements Rule {
    /// Minimum share of the cores used by neighbours at which they are surely the cause. If service
    /// and neighbours use about the same, the service's own demand may be the cause as well.
    static final double SURELY = 0.70;

    /// Minimum share of the cores that the neighbours use in every round with a CPU shortage. A
    /// smaller share is a short disturbance.
    static final double ALWAYS = 0.05;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CPU_NEIGHBOUR;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return Set.of(Bottleneck.CPU);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<CpuUse> use = evidence.cpu();
        if (use.isEmpty()) {
            return new Finding.NotApplicable("the target's CPU use was not measured");
        }
        List<CpuUse> shortOf =
                evidence.rounds().stream()
                        .flatMap(r -> r.cpu().stream())
                        .filter(c -> c.utilisation() >= Saturation.CPU_SATURATED)
                        .toList();
        // A fair scheduler gives neighbours less CPU the more threads of the service run or wait
        // for a core. So the lowest load with a CPU shortage shows their use best.
        CpuUse cpu = shortOf.isEmpty() ? use.get() : shortOf.getFirst();
        double others = cpu.heldByOthers();
        boolean always = shortOf.stream().allMatch(c -> c.heldByOthers() >= ALWAYS);
        if (others < Limits.HELD_BY_OTHERS || !always || !evidence.cpuIsShort()) {
            Optional<BelowLimit> few = BelowLimit.of(others, Limits.HELD_BY_OTHERS);
            if (few.isPresent()) {
                return Finding.Cleared.only(
                        others * 0.5,
                        few.get(),
                        "of the service's cores are used by other processes and steal");
            }
            String held = say("other processes and steal use %.0f %% of the cores", others * 100);
            return new Finding.Cleared(
                    others * 0.5,
                    evidence.cpuIsShort() ? held : "the service lacks no CPU, although " + held);
        }
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.OTHERS,
                        say("other processes use %.0f %% of the cores", others * 100),
                        others,
                        Limits.HELD_BY_OTHERS));
        evidence.place(Sign.NEIGHBOUR_CORES)
                .ifPresent(who ->
                        lines.add(
                                line(
                                        Figure.NEIGHBOURS,
                                        "cores of other processes in the diagnostic window: " + who,
                                        evidence.sign(Sign.NEIGHBOUR_CORES).orElse(0.0),
                                        0)));
        return new Finding.Limits(
                cpu.stealPct() / 100 > others / 2 ? "steal" : "other processes",
                confidence(others, Limits.HELD_BY_OTHERS, SURELY, 0.70, 0.97),
                say(
                        "Other processes take the CPU: they use %.2f of %.0f cores, and the"
                                + " hypervisor steals %.0f %%. The service needs all that is"
                                + " left.",
                        cpu.takenByOthers(), cpu.availableCores(), cpu.stealPct()),
                lines);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return CpuRecommendations.neighbour(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("the other processes are not jdyno's to stop");
    }
}
