package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;

/// What helps when threads wait for memory that a concurrent collector has not freed yet.
final class StallRecommendations {
    /// No recommendation is predicted to end more than this share of the waiting for memory.
    private static final double MOST_STALLED = 0.95;

    private StallRecommendations() {}

    static RecommendationList of(Situation s) {
        double stalled = Math.min(MOST_STALLED, s.figure(Figure.STALLED).orElse(0.0));
        // half as many collections, whether there is twice the room or half as much to fill it
        Gain gain =
                stalled > 0
                        ? s.roomWithHalfTheCollector(1 / (1 - stalled))
                        : GcRecommendations.withoutCost(s, 0.5);
        var recommendations = new RecommendationList();
        GcRecommendations.heapDouble(
                s,
                recommendations,
                "Give it twice the heap: the collector has to stay ahead of allocation",
                gain);
        int threads = (int) Math.ceil(s.target().cores() / 2);
        if (threads > 1) {
            recommendations.setting(
                    KnownChange.GC_THREADS,
                    "Let the collector use more threads beside the application",
                    "it takes that CPU from requests: only where cores are idle",
                    Gain.unknown("it depends on how much CPU is left"),
                    new Change.JvmFlag("-XX:ConcGCThreads", say("%d", threads)));
        }
        return recommendations.byHand(
                KnownChange.ALLOCATE_LESS,
                "Allocate half as much in a request" + GcRecommendations.mostMadeAt(s),
                "`jfr view allocation-by-site` of this run's recording",
                gain);
    }
}
