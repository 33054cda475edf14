package dev.jdyno.diagnose.edge;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.List;
import java.util.Optional;

/// Nothing in the service is saturated: throughput still rose at the highest load. More concurrency
/// would give more throughput (Little's law, F3).
public final class LoadRule implements Rule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.LOAD;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Round last = evidence.plateau();
        Optional<Double> doubled = evidence.scalingWhenDoubled();
        if (doubled.isPresent()) {
            return new Finding.Cleared(
                    0.05,
                    say(
                            "throughput was × %.2f %s: more load does not help",
                            doubled.get(), evidence.scaledHow()));
        }
        Optional<Double> rising = evidence.scalingUpToPlateau();
        if (rising.isEmpty()) {
            return OneLoad.judge(evidence);
        }
        double cpu = last.cpu().map(CpuUse::utilisation).orElse(0.0);
        if (rising.get() < Limits.STILL_RISING || usesUp(evidence, cpu)) {
            return new Finding.Cleared(
                    0.2,
                    say(
                            "more load does not help: twice the concurrency gave × %.2f the throughput, CPU at"
                                    + " %.0f %% of the cores available to it with %d in flight",
                            rising.get(), cpu * 100, last.concurrency()));
        }
        return new Finding.Limits(
                say("concurrency %d", last.concurrency()),
                confidence(rising.get(), Limits.STILL_RISING, 1.9, 0.75, 0.95),
                say(
                        "Nothing in the service is saturated: throughput still grew × %.2f per"
                                + " doubled load, up to %d in flight. The load is the limit;"
                                + " offer more.",
                        rising.get(), last.concurrency()),
                List.of(
                        line(
                                Figure.SCALING,
                                say("throughput × %.2f per doubled load", rising.get()),
                                rising.get(),
                                Limits.STILL_RISING),
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", cpu * 100),
                                cpu,
                                Limits.CPU_IDLE)));
    }

    /// True if the target uses nearly all of its available cores. If other processes use the
    /// machine, the few cores left to the target are always in use. So many of its threads must
    /// also run or wait for a core.
    private static boolean usesUp(Evidence evidence, double cpu) {
        return cpu > Limits.CPU_IDLE
                && new CpuShortage(evidence)
                        .onOrWaitingForCpu()
                        .filter(s -> s < CpuShortage.WANTS_CPU)
                        .isEmpty();
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        Optional<Double> rate = s.evidence().plateau().ratePerS();
        if (rate.isPresent()) {
            return new RecommendationList()
                    .byHand(
                            KnownChange.LOAD_MORE,
                            say(
                                    "Send more than %.0f/s: nothing in the service is saturated",
                                    rate.get()),
                            "a higher rate in the plan, or --concurrency: jdyno then searches for the"
                                    + " knee",
                            Gain.unknown("the service's limit was not reached"),
                            List.of());
        }
        int max = s.evidence().rounds().getLast().concurrency();
        Gain gain =
                s.knee()
                        .flatMap(Knee::predicted)
                        .filter(_ -> s.now().qps() > 0)
                        .map(p ->
                                new Gain(
                                        Optional.of(Math.max(1, p.qps() / s.now().qps())),
                                        Optional.empty(),
                                        true,
                                        p.formula()))
                        .orElse(s.withCapacity(2));
        return new RecommendationList()
                .byHand(
                        KnownChange.LOAD_MORE,
                        say(
                                "Send more than %d requests at once: nothing in the service is"
                                        + " saturated",
                                max),
                        new WrittenChange.Words(say("--concurrency %d,%d", 2 * max, 4 * max)),
                        "or leave --concurrency out: jdyno then searches for the knee",
                        new Gain(gain.qps(), Optional.of(1.0), true, gain.formula()),
                        List.of(new Change.Concurrency(2 * max), new Change.Concurrency(4 * max)));
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.twiceTheLoad();
    }
}
