package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.GcCostRule;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Optional;
import java.util.function.Function;

/// Live data of requests overflows into the old generation (experiments E5, E20, E21).
public final class GcPromotionRule implements GcCostRule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_PROMOTION;
    }

    @Override
    public String why(GcActivity gc) {
        return "live objects of requests overflow the survivor spaces into the old generation";
    }

    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        Finding leak = found.apply(Bottleneck.GC_LEAK);
        return GcLeakRule.suspected(leak)
                .or(() -> evidence.worstGc().gc().flatMap(gc -> notYoung(gc, evidence)))
                .or(() -> KeptBeyondRequests.doubt(evidence, leak))
                .map(Sentence::of);
    }

    /// Returns why the cost is not only an overflow from the young generation. Full collections
    /// leave much in use, or the old generation receives more bytes than the young one allocates.
    private static Optional<String> notYoung(GcActivity gc, Evidence evidence) {
        if (gc.facts().allocatesInOld()) {
            return Optional.of(
                    "gc-humongous is not ruled out: more gets into the old generation than is"
                            + " allocated in the young one");
        }
        double full = gc.full().count() / evidence.worstGc().seconds();
        double capacity = gc.oldCapacityBytes().orElse(0.0);
        double left = gc.afterFullBytes().orElse(0.0);
        return full >= GcCost.FULL_PER_SECOND && left >= GcLeakRule.MIN_LEFT * capacity && left > 0
                ? Optional.of(
                        say(
                                "gc-live-set is not ruled out: full collections leave %.0f %% of"
                                        + " the old generation in use",
                                left / capacity * 100))
                : Optional.empty();
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return GcRecommendations.promotion(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.fewerInFlight();
    }
}
