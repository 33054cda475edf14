package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.CollectorRule;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Objects of at least half a G1 region go directly to the old generation and start one cycle after
/// another.
public final class GcHumongousRule implements CollectorRule {
    /// Minimum share of collections caused by a humongous object, if more bytes arrive in the old
    /// generation than in the young one. Only humongous objects cause that. Their regions also
    /// start collections with other causes, such as the preventive ones of JDK 17.
    static final double SHARE_WITH_OTHER_CAUSES = 0.05;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_HUMONGOUS;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return GcCost.BUSY_COLLECTOR;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Round round = evidence.worstGc();
        Optional<GcActivity> seen = round.gc();
        if (seen.isEmpty() || seen.get().facts().started().isEmpty()) {
            return new Finding.NotApplicable("the causes of the collections are unknown");
        }
        GcActivity gc = seen.get();
        double humongous = gc.facts().causes().humongous();
        double limit =
                gc.facts().allocatesInOld() ? SHARE_WITH_OTHER_CAUSES : GcLimits.HUMONGOUS_SHARE;
        // this limit on pauses is lower than that of other rules, because the concurrent cycles
        // cost about the same time in addition
        if (gc.pauseShare() < GcLimits.STOPPED_SHARE_FELT || humongous < limit) {
            return new Finding.Cleared(
                    Math.min(0.3, humongous),
                    say(
                            "%.0f %% of the collections are for humongous objects; pauses take"
                                    + " %.1f %% of the time",
                            humongous * 100, gc.pauseShare() * 100));
        }
        return new Finding.Limits(
                "",
                confidence(evidence.gcCost(), GcLimits.STOPPED_SHARE_FELT, 0.3, 0.65, 0.97),
                say(
                        "Humongous objects are the bottleneck: %.0f %% of the collections were"
                                + " started by an object of half a region or more, pauses take"
                                + " %.0f %% of the time. Make them smaller, or the regions"
                                + " larger (-XX:G1HeapRegionSize).",
                        humongous * 100, gc.pauseShare() * 100),
                List.of(
                        line(
                                Figure.GC_HUMONGOUS,
                                say("%.0f %% of the collections for such objects", humongous * 100),
                                humongous,
                                limit),
                        line(
                                Figure.GC_CYCLES,
                                say(
                                        "%.1f concurrent cycles/s",
                                        gc.why().cycles() / round.seconds()),
                                gc.why().cycles() / round.seconds(),
                                0),
                        GcCost.pauses(gc, GcLimits.STOPPED_SHARE_FELT)));
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return GcRecommendations.humongous(s);
    }
}
