package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.List;
import java.util.Optional;

/// Recommendations for live data that nearly fills the heap: a larger heap, or less live data.
final class LiveSetRecommendations {
    /// Minimum free share of a full heap for the calculation of a gain, because even a full heap
    /// has some free bytes between two collections.
    private static final double MIN_FREE = 0.02;

    private static final List<String> FIXED_YOUNG =
            List.of("-Xmn", "-XX:NewSize=", "-XX:MaxNewSize=");

    private LiveSetRecommendations() {}

    private static Optional<GcActivity> gc(Situation s) {
        return GcRecommendations.gc(s);
    }

    /// Returns text on the live bytes and the memory pool that contains them: `: 310 MiB of the old
    /// generation's 333 MiB stay after full collections, of a heap of 400 MiB`.
    private static String liveOf(Situation s) {
        String ofHeap =
                s.target()
                        .heapMaxBytes()
                        .map(heap -> say(", of a heap of %s", new Bytes(heap)))
                        .orElse("");
        return gc(s).flatMap(g -> g.afterFullBytes().map(left -> ofOld(g, left)))
                .map(of -> ": " + of + " stay after full collections" + ofHeap)
                .or(() ->
                        gc(s).flatMap(g -> g.why().oldFloorBytes().map(left -> ofOld(g, left)))
                                .map(of -> ": " + of + " are always in use" + ofHeap))
                .orElse("");
    }

    private static String ofOld(GcActivity gc, double bytes) {
        return gc.oldCapacityBytes()
                .filter(c -> c > 0)
                .map(c ->
                        say(
                                "%s of the old generation's %s",
                                new Bytes(Math.round(bytes)), new Bytes(Math.round(c))))
                .orElseGet(() -> say("%s of the old generation", new Bytes(Math.round(bytes))));
    }

    static RecommendationList of(Situation s) {
        var recommendations = new RecommendationList();
        GcAdvice larger = GcAdvices.largeHeap(GcRecommendations.setting(s));
        GcAdvice largeHeapAdvice = young(s).map(larger::because).orElse(larger);
        GcRecommendations.heap(
                s,
                recommendations,
                largeHeapAdvice,
                largeHeapAdvice.says() + liveOf(s),
                largerHeapGain(s));
        return recommendations.byHand(
                KnownChange.LIVE_LESS,
                lessAlive(s),
                "`jcmd PID GC.class_histogram` counts the live objects (it stops the service"
                        + " meanwhile)",
                GcRecommendations.withoutCost(s, 1));
    }

    /// Returns a clause on the effect of a larger heap on a young generation of fixed size; empty
    /// if its size is not set.
    private static Optional<String> young(Situation s) {
        return s.target().flags().stream()
                .filter(f -> FIXED_YOUNG.stream().anyMatch(f::startsWith))
                .findFirst()
                .map(f ->
                        s.collectorIs("G1")
                                ? "take " + f + " away: G1 sizes the young generation itself"
                                : f + " stays, so all added memory becomes old generation");
    }

    /// Returns the advice to keep less data alive. It names the field that holds most, or the most
    /// frequent class, if live objects were counted.
    private static Sentence lessAlive(Situation s) {
        Optional<Sentence> held =
                s.evidence().place(Sign.LIVE_SET_HELD_SHARE).map(PlaceText::named);
        Optional<Sentence> own = s.evidence().place(Sign.LIVE_OWN_OBJECTS).map(Sentence::name);
        Sentence ofThem = own.map(o -> Sentence.format(" (%s)", o)).orElse(Sentence.of(""));
        return held.map(by -> Sentence.format("Keep less in %s%s", by, ofThem))
                .or(() -> own.map(type -> Sentence.format("Keep fewer objects of %s alive", type)))
                .orElse(Sentence.of(GcAdvices.liveLess().says()))
                .and(": " + GcAdvices.liveLess().why());
    }

    /// Returns the gain of a larger heap. A collection of the live set costs the same, and the
    /// interval between collections grows with the free heap (cost of a collection, F14). The gain
    /// is not a bound, because the cheaper young collections become a larger part of all
    /// collections.
    private static Gain largerHeapGain(Situation s) {
        double heap = s.target().heapMaxBytes().map(b -> (double) b).orElse(0.0);
        Optional<Double> room =
                gc(s).flatMap(LiveSetRecommendations::stays)
                        .filter(_ -> heap > 0)
                        .map(lives -> Math.max(MIN_FREE, 1 - lives / heap));
        return room.map(
                        free -> {
                            double larger =
                                    GcRecommendations.setting(s).roomy().orElse(2 * heap) / heap
                                            - 1;
                            return ofCost(
                                            s,
                                            free / (larger + free),
                                            say(
                                                    "F14: a collection costs the same, and free"
                                                            + " space grows from %.0f %% of the"
                                                            + " heap to %.0f %%",
                                                    free * 100, (larger + free) * 100))
                                    .notBounded("less, where young collections do most of it");
                        })
                .orElseGet(() -> ofCost(s, 0.5, "F8: collections come half as often"));
    }

    /// Returns the gain if the collector's cost per request falls. The saved time is available to
    /// more requests.
    ///
    /// @param stays share of the collector's cost per request that stays
    private static Gain ofCost(Situation s, double stays, String why) {
        double cost = s.evidence().gcCost(s.now());
        if (cost >= 1) {
            return GcRecommendations.withoutCost(s, 1);
        }
        double perUseful = stays * cost / (1 - cost);
        double after = perUseful / (1 + perUseful);
        double qps = (1 - after) / (1 - cost);
        return GcRecommendations.boundedIfStopped(
                s,
                Gain.of(
                        qps,
                        1 / qps,
                        true,
                        say(
                                "%s, so %.0f %% of the time or of the CPU becomes %.1f %%",
                                why, cost * 100, after * 100)));
    }

    /// Returns the bytes that stay in the old generation: after full collections, or else the
    /// lowest observed occupancy.
    private static Optional<Double> stays(GcActivity gc) {
        return gc.afterFullBytes().or(() -> gc.why().oldFloorBytes()).or(gc::oldUsedBytes);
    }
}
