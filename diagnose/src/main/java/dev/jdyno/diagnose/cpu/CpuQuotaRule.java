package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The cgroup's quota stops the target while it needs more cores. The rule uses the length of the
/// stops and not their number, because a quota slightly below the demand stops the target shortly
/// in nearly every period.
public final class CpuQuotaRule implements Rule {
    /// Minimum share of the demanded core time that the quota refused for the quota to have an
    /// effect.
    static final double THROTTLED_LIMIT = 0.05;

    /// Minimum value of the same share at which no other evidence is needed.
    static final double THROTTLED_CLEARLY = 0.3;

    /// Maximum confidence below that share. The quota then stops only bursts. That delays requests,
    /// but cores are left for more requests.
    static final double MAX_FOR_BURSTS = 0.6;

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
            return new Finding.NotApplicable("the target's CPU use was not measured");
        }
        double throttled = use.get().throttledPct() / 100;
        double periods = use.get().throttledPeriodsPct();
        if (throttled < THROTTLED_LIMIT) {
            return new Finding.Cleared(
                    0,
                    periods <= 0
                            ? "no quota stopped it"
                            : say(
                                    "the quota throttled it for %.1f %% of the core time that it requested, in"
                                            + " %.0f %% of its periods",
                                    throttled * 100, periods));
        }
        double used = used(use.get());
        double sure = confidence(throttled, THROTTLED_LIMIT, THROTTLED_CLEARLY, 0.75, 0.98);
        return new Finding.Limits(
                "cgroup",
                used >= Saturation.CPU_SATURATED ? sure : Math.min(sure, MAX_FOR_BURSTS),
                used >= Saturation.CPU_SATURATED
                        ? Statement.of(
                                "The CPU quota is the bottleneck",
                                "the service uses all of the %.2f cores that its cgroup allows,"
                                        + " which throttled it for %.0f %% of the core time that it"
                                        + " requested, while the machine was %.0f %% busy.",
                                use.get().availableCores(),
                                throttled * 100,
                                use.get().machinePct())
                        : Statement.of(
                                "The CPU quota stops the service's bursts",
                                "it refused %.0f %% of the requested core time, although only"
                                        + " %.2f of the %.2f cores that its cgroup allows are in"
                                        + " use.",
                                throttled * 100,
                                use.get().processCores(),
                                use.get().availableCores()),
                lines(use.get(), throttled, periods));
    }

    private static double used(CpuUse use) {
        return use.availableCores() <= 0 ? 0 : use.processCores() / use.availableCores();
    }

    private static List<EvidenceLine> lines(CpuUse use, double throttled, double periods) {
        return List.of(
                line(
                        Figure.THROTTLED,
                        say(
                                "throttled for %.0f %% of the core time that it requested, in %.0f %% of the"
                                        + " quota's periods",
                                throttled * 100, periods),
                        throttled,
                        THROTTLED_LIMIT),
                line(
                        Figure.QUOTA_USED,
                        say(
                                "%.2f of the quota's %.2f cores in use",
                                Math.min(use.processCores(), use.availableCores()),
                                use.availableCores()),
                        used(use),
                        Saturation.CPU_SATURATED));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return CpuRecommendations.quota(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not(
                "only the owner of the control group may change the quota: raise cpu.max"
                        + " and run again");
    }
}
