package dev.jdyno.diagnose.gain;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// The maximum throughput that the second of two limits allows. A change of the first limit alone
/// cannot gain more.
public final class NextCeiling {
    /// Predicted changes that also change the CPU limit.
    private static final Set<StandardChange> OF_CPU =
            EnumSet.of(StandardChange.CPU, StandardChange.CORES);

    /// Kinds of changes that also change the CPU limit.
    private static final Set<ChangeKind> OF_CPU_KINDS =
            EnumSet.of(ChangeKind.LESS_CPU, ChangeKind.MORE_CORES);

    /// Kinds of changes that also change the collector's work.
    private static final Set<ChangeKind> OF_COLLECTOR_KINDS =
            EnumSet.of(ChangeKind.LESS_GARBAGE, ChangeKind.HEAP);

    private NextCeiling() {}

    /// Returns the recommendation, limited to this maximum. Figures of another load are not
    /// limited, because they were measured at that load. Neither are predictions of the model, of
    /// which only those below the maximum are left.
    public static Recommendation capped(Recommendation r, Situation s) {
        return s.verdict()
                .nextLimit()
                .filter(_ -> r.expected().isEmpty() && ModelAnswer.to(r, s).isEmpty())
                .filter(_ -> !changesBoth(ChangeKind.of(r), s.verdict()))
                .filter(n -> r.predictedQpsRatio().orElse(1.0) > most(n))
                .map(n ->
                        r.noMoreThan(
                                most(n),
                                say(
                                        "; %s allows at most %.2f times",
                                        n.bottleneck().key(), most(n))))
                .orElse(r);
    }

    private static double most(NextLimit next) {
        return 1 + next.gainOfFirst();
    }

    private static boolean changesBoth(ChangeKind kind, Verdict verdict) {
        Bottleneck next = verdict.nextLimit().orElseThrow().bottleneck();
        return switch (next) {
            case CPU, CPU_QUOTA -> OF_CPU_KINDS.contains(kind);
            case GC_ALLOCATION, GC_PROMOTION -> OF_COLLECTOR_KINDS.contains(kind);
            default -> false;
        };
    }

    /// Returns the predictions without those that exceed this maximum. The model does not contain
    /// the second limit, so it cannot predict them.
    public static Map<StandardChange, WhatIf> within(
            Verdict verdict, Map<StandardChange, WhatIf> predicted) {
        if (verdict.nextLimit().isEmpty()) {
            return predicted;
        }
        NextLimit next = verdict.nextLimit().get();
        boolean ofCpu =
                next.bottleneck() == Bottleneck.CPU || next.bottleneck() == Bottleneck.CPU_QUOTA;
        Map<StandardChange, WhatIf> possible = new EnumMap<>(StandardChange.class);
        predicted.forEach((change, w) -> {
            if (w.qps() <= next.atMostPerS() || (ofCpu && OF_CPU.contains(change))) {
                possible.put(change, w);
            }
        });
        return possible;
    }
}
