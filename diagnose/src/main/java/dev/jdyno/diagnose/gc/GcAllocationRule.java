package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.GcCostRule;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Optional;
import java.util.function.Function;

/// Requests create too much garbage for the young generation (experiments E18, E19).
public final class GcAllocationRule implements GcCostRule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_ALLOCATION;
    }

    @Override
    public String why(GcActivity gc) {
        return gc.requestBytes()
                .map(b ->
                        say(
                                "each request allocates %s, too much for this %s",
                                new Bytes(Math.round(b)), heapPlace(gc)))
                .orElse(say("it allocates too much for this %s", heapPlace(gc)));
    }

    /// Returns the part of the heap in which objects are allocated. A collector that promotes
    /// nothing has no generations.
    private static String heapPlace(GcActivity gc) {
        return gc.promotedBytesPerS().isPresent() ? "young generation" : "heap";
    }

    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return stalls(evidence.worstGc()).map(Sentence::of);
    }

    /// Returns a remark on stalls. A concurrent collector rarely stops the application; only a
    /// recording shows that threads wait for memory.
    private static Optional<String> stalls(Round round) {
        return round.gc()
                .filter(gc -> gc.pauseShare() < GcCost.PAUSE_SHARE_LIMIT)
                .filter(gc -> gc.stalledThreads().isEmpty())
                .map(_ ->
                        "gc-stall is not ruled out: threads that wait for memory were not counted");
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return GcRecommendations.allocation(s);
    }
}
