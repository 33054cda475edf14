package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Insight.Allocation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.gc.GcSetting;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/// Recommendations if the collector, or other stops of the whole JVM, limit the service.
public final class GcRecommendations {
    /// Maximum throughput of a later round, as a share of the best throughput, at which a full heap
    /// has slowed it down.
    private static final double FELL = 0.7;

    /// Maximum share of the waits for memory that a recommendation is predicted to end.
    private static final double MAX_STALLED = 0.95;

    private static final long MIB = 1L << 20;

    /// Minimum share of the allocated bytes for a place to be named.
    private static final double STANDS_OUT = 0.3;

    private static final long MANY_SAMPLES = 20;

    private GcRecommendations() {}

    static Gain withoutCost(Situation s, double part) {
        double cost = s.evidence().gcCost(s.now());
        String what =
                say(
                        "at N=%d the collector takes %.0f %% of the time or of the CPU, and %.0f %% of"
                                + " that goes",
                        s.now().concurrency(), cost * 100, part * 100);
        return boundedIfStopped(s, Gain.without(cost * part, what));
    }

    /// Returns the gain of half the objects. It saves half of the collector's cost, and half of the
    /// CPU of the methods that create and fill the objects.
    private static Gain halfTheObjects(Situation s) {
        double gc = s.evidence().gcCost(s.now());
        double making = (1 - gc) * cpuOfAllocating(s);
        return making <= 0
                ? withoutCost(s, 0.5)
                : boundedIfStopped(
                        s,
                        Gain.without(
                                (gc + making) / 2,
                                say(
                                        "at N=%d the collector takes %.0f %% of the time or of the"
                                                + " CPU, and the methods that allocate %.0f %%;"
                                                + " half of both goes",
                                        s.now().concurrency(), gc * 100, making * 100)));
    }

    /// Returns the share of the CPU samples in the methods that allocate the most bytes; 0 without
    /// samples.
    private static double cpuOfAllocating(Situation s) {
        Set<String> sites =
                s.insight().allocations().stream()
                        .filter(a -> a.share() >= STANDS_OUT)
                        .map(Allocation::site)
                        .collect(Collectors.toSet());
        return s.insight().profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.CPU && p.root().samples() > 0)
                .max(Comparator.comparingInt(Profile::concurrency))
                .map(p -> {
                    Map<String, Long> samples = p.samplesByApplicationFrame();
                    return sites.stream().mapToDouble(m -> samples.getOrDefault(m, 0L)).sum()
                            / p.root().samples();
                })
                .orElse(0.0);
    }

    /// Returns the gain, as a bound only if the collector stops the application, because its pauses
    /// are then its whole cost. A concurrent collector also slows the application's code by
    /// barriers and by its use of CPU caches. No counter shows this cost, so the gain may be
    /// larger.
    static Gain boundedIfStopped(Situation s, Gain gain) {
        return s.evidence().collectsConcurrently(s.now())
                ? gain.notBounded(
                        say(
                                "its cost to the application in barriers and caches is not"
                                        + " counted: the gain may be larger, up to %.0f/s with"
                                        + " %d in flight, of which each takes %s ms when alone",
                                s.now().concurrency() / Math.max(s.aloneMs(), 1e-6) * 1000,
                                s.now().concurrency(),
                                Lines.ms(s.aloneMs())))
                : gain;
    }

    /// Returns where most bytes are allocated: `: 99 % of it is made in com.acme.Mosaic.lay
    /// (byte[])`. Empty if no place stands out, or if the samples are few.
    static String largestAllocationSite(Situation s) {
        Map<String, List<Allocation>> bySite =
                s.insight().allocations().stream().collect(Collectors.groupingBy(Allocation::site));
        return bySite.entrySet().stream()
                .max(Comparator.comparingDouble(e -> share(e.getValue())))
                .filter(e -> share(e.getValue()) >= STANDS_OUT)
                .filter(e ->
                        e.getValue().stream().mapToLong(Allocation::samples).sum() >= MANY_SAMPLES)
                .map(e ->
                        say(
                                ": %.0f %% of it is made in %s (%s)",
                                share(e.getValue()) * 100,
                                e.getKey(),
                                e.getValue().stream()
                                        .limit(2)
                                        .map(Allocation::type)
                                        .collect(Collectors.joining(", "))))
                .orElse("");
    }

    private static double share(List<Allocation> at) {
        return at.stream().mapToDouble(Allocation::share).sum();
    }

    static Optional<GcActivity> gc(Situation s) {
        return s.evidence().worstGc().gc();
    }

    /// Returns the settings and resources that advice needs, in the same form as from a GC log.
    static GcSetting setting(Situation s) {
        TargetFacts target = s.target();
        Map<String, String> flags = GcSetting.flags(target.flags());
        Optional<Double> heap = target.heapMaxBytes().map(b -> (double) b);
        return new GcSetting(
                Collector.named(target.collector().orElse("")),
                target.jdkVersion().map(GcSetting::feature).orElse(OptionalInt.empty()),
                OptionalInt.of((int) Math.ceil(target.cores())),
                MemoryForHeap.of(s).map(room -> (double) room.bytes()),
                heap,
                heap,
                gc(s).flatMap(g -> g.afterFullBytes().or(() -> g.why().oldFloorBytes()))
                        .filter(live -> live > 0),
                gc(s).flatMap(GcActivity::oldCapacityBytes)
                        .flatMap(old -> heap.map(h -> h - old))
                        .filter(young -> young > 0),
                GcSetting.size(flags, "G1HeapRegionSize"),
                GcSetting.number(flags, "ConcGCThreads"),
                flags);
    }

    /// Adds advice with its gain. The text on how to see its effect is the reason for the advice.
    static RecommendationList add(
            Situation s, RecommendationList list, GcAdvice advice, Gain gain) {
        return add(s, list, advice, advice.says(), advice.why(), gain);
    }

    /// @param says what to do, with facts that are only known from this run
    static RecommendationList add(
            Situation s,
            RecommendationList list,
            GcAdvice advice,
            CharSequence says,
            String how,
            Gain gain) {
        return advice.change().isEmpty()
                ? list.byHand(ChangeName.of(advice.id()), says, how, gain, advice.changes())
                : MemoryForHeap.setting(s, list, advice, says.toString(), how, gain);
    }

    static RecommendationList heap(
            Situation s, RecommendationList list, GcAdvice advice, String says, Gain gain) {
        String why = says.contains(advice.why()) ? "" : advice.why() + "; ";
        return add(s, list, advice, says, why + "set -Xms as large; " + cyclePrediction(s), gain);
    }

    private static RecommendationList heap(
            Situation s, RecommendationList list, GcAdvice advice, Gain gain) {
        return heap(s, list, advice, advice.sentence(), gain);
    }

    private static String cyclePrediction(Situation s) {
        String heaps =
                s.target()
                        .heapMaxBytes()
                        .map(b -> say("--heaps %dm,%dm", 2 * b / MIB, 4 * b / MIB))
                        .orElse("--heaps 1g,2g");
        return "`jdyno gc gc.log --advise " + heaps + "` predicts them from this run's log";
    }

    /// True if the collector has a young generation whose size can be set. ZGC without generations
    /// and Shenandoah have none.
    private static boolean hasYoung(Situation s) {
        return gc(s).flatMap(GcActivity::promotedBytesPerS).isPresent() && !s.collectorIs("Z");
    }

    public static RecommendationList allocation(Situation s) {
        var list = new RecommendationList();
        GcSetting g = setting(s);
        Optional<Double> bytes = gc(s).flatMap(GcActivity::requestBytes);
        if (hasYoung(s) && bytes.isPresent()) {
            GcAdvice young =
                    GcAdvices.young(
                            g,
                            bytes.get() * GcLimits.REQUESTS_IN_YOUNG,
                            "100 times what a request allocates (F9)");
            add(
                    s,
                    list,
                    young,
                    young.sentence(),
                    "young collections a second must fall with it",
                    withoutCost(s, 1));
        } else {
            heap(s, list, GcAdvices.halfAsManyCollections(g), withoutCost(s, 0.5));
        }
        return allocateLess(s, list, halfTheObjects(s));
    }

    private static RecommendationList allocateLess(
            Situation s, RecommendationList list, Gain gain) {
        GcAdvice less = GcAdvices.allocateLess();
        return add(
                s,
                list,
                less,
                less.says() + largestAllocationSite(s),
                "`jfr view allocation-by-site` of this run's recording; collections come half as often (F8)",
                gain);
    }

    /// Recommendations for a concurrent collector that is too slow. Twice the free heap or half the
    /// allocation both halve the number of collections. Half the allocation also saves half of the
    /// CPU of the methods that allocate.
    static RecommendationList stalls(Situation s) {
        double factor = 1 / (1 - Math.min(MAX_STALLED, GcStallRule.atReportedLoad(s)));
        double making = cpuOfAllocating(s);
        String half = " with half of the collector's work";
        Gain room = factor > 1 ? s.gainWithHalfCollector(factor, 0, half) : withoutCost(s, 0.5);
        Gain less =
                factor > 1
                        ? s.gainWithHalfCollector(
                                factor,
                                making,
                                making > 0 ? half + " and half of what allocates" : half)
                        : halfTheObjects(s);
        var list = new RecommendationList();
        GcSetting g = setting(s);
        heap(s, list, GcAdvices.halfAsManyCollections(g), room);
        GcAdvices.concurrentThreads(g)
                .ifPresent(more ->
                        add(s, list, more, Gain.unknown("it depends on how much CPU is left")));
        return allocateLess(s, list, less);
    }

    public static RecommendationList promotion(Situation s) {
        var list = new RecommendationList();
        if (hasYoung(s) && !s.collectorIs("G1")) {
            survivors(s, list);
        } else {
            heap(s, list, GcAdvices.survivorSpace(setting(s)), withoutCost(s, 1));
        }
        fewer(s, list);
        GcAdvice less = GcAdvices.holdLess();
        return add(
                s,
                list,
                less,
                less.says()
                        + (s.mayBeReply(gc(s).flatMap(GcActivity::requestBytes).orElse(0.0))
                                ? ": write the answer as it is made, clear what is not needed"
                                : ": clear what is not needed")
                        + largestAllocationSite(s),
                less.why(),
                withoutCost(s, 1));
    }

    /// Recommends survivor spaces (dynamic age, F11; experiment E20). A survivor space must hold at
    /// most what the requests in flight have allocated. With a ratio of 2 it is a quarter of the
    /// young generation. The heap must also have room for the bytes that full collections leave.
    private static void survivors(Situation s, RecommendationList recommendations) {
        Optional<Double> perRequest = gc(s).flatMap(GcActivity::requestBytes);
        String how =
                "promoted bytes must fall to almost 0: `jdyno gc gc.log` shows how much survives;"
                        + " "
                        + cyclePrediction(s);
        if (perRequest.isEmpty()) {
            recommendations.setting(
                    KnownChange.SURVIVORS,
                    "Make the survivor spaces large enough for the live objects of the requests"
                            + " in flight (F11, E20)",
                    new WrittenChange.Words("-XX:SurvivorRatio=2, and a larger -Xmn"),
                    how,
                    withoutCost(s, 1),
                    new Change.JvmFlag("-XX:SurvivorRatio", "2"));
            return;
        }
        int inFlight = s.evidence().plateau().concurrency();
        double held = perRequest.get() * inFlight / MIB;
        double young = Math.ceil(held * 4);
        // the occupancy of the old generation at one moment may differ from the bytes that must
        // stay there
        double old =
                gc(s).flatMap(g ->
                                g.afterFullBytes()
                                        .map(left -> left * GcAdvices.OLD_PER_LIVE)
                                        .or(g::oldCapacityBytes))
                                .orElse(0.0)
                        / MIB;
        double heap = s.target().heapMaxBytes().map(b -> b / (double) MIB).orElse(0.0);
        double wanted = Math.ceil(young + old);
        boolean fits = heap <= 0 || wanted <= heap;
        GcAdvice advice =
                GcAdvices.survivors(
                        setting(s),
                        young * MIB / 4,
                        young * MIB / 2,
                        fits ? 0 : wanted * MIB,
                        say(
                                "Make the survivor spaces large enough for the live objects of %d"
                                        + " requests, at most %s (F11, E20)%s",
                                inFlight,
                                Bytes.mebi(Math.max(1, Math.ceil(held))),
                                fits
                                        ? ""
                                        : say(
                                                "; the heap of %s has no room for it",
                                                Bytes.mebi(heap))),
                        how);
        add(s, recommendations, advice, withoutCost(s, 1));
    }

    /// Recommends fewer requests at once (memory for requests, F6; experiments E6, E11). The gain
    /// is measured and not predicted: with fewer in flight, throughput is that of the best load.
    private static void fewer(Situation s, RecommendationList recommendations) {
        Round best = s.evidence().plateau();
        Round max = s.evidence().rounds().getLast();
        if (max.qps() > 0 && best.concurrency() < max.concurrency()) {
            double ratio = Math.max(1, best.qps() / max.qps());
            recommendations.setting(
                    KnownChange.INSIDE_FEWER,
                    say("Admit at most %d requests at once (F6, E11)", best.concurrency()),
                    new WhatIfChange.Threads(best.concurrency()),
                    "maxThreads of the container, or a limit in front of it",
                    Gain.of(
                            ratio,
                            1 / ratio,
                            false,
                            say(
                                    "measured in this run: %.0f/s with %d in flight, %.0f/s with %d",
                                    best.qps(), best.concurrency(), max.qps(), max.concurrency())),
                    new Change.PoolSize("", new Amount.Exactly(say("%d", best.concurrency()))));
            if (s.now().ratePerS().isEmpty()) {
                recommendations.expecting(
                        new Expected(
                                best.qps(),
                                max.concurrency() / best.qps() * 1000,
                                max.concurrency(),
                                Optional.of(best.qpsCi95())));
            }
        }
    }

    public static RecommendationList leak(Situation s) {
        String where = s.verdict().where();
        var recommendations = new RecommendationList();
        Optional<String> held = s.evidence().place(Sign.LIVE_HELD_SHARE);
        recommendations.byHand(
                KnownChange.LEAK_CLOSE,
                held.map(by ->
                                Sentence.format(
                                        "Limit what %s holds, or remove entries from it after use",
                                        PlaceText.named(by)))
                        .orElse(
                                where.isBlank()
                                        ? Sentence.of(GcAdvices.leak().says())
                                        : Sentence.format(
                                                "Find what keeps %s alive, and release it",
                                                PlaceText.named(where))),
                s.evidence()
                        .place(Sign.LIVE_MADE_SHARE)
                        .map(at ->
                                "most of it is made in "
                                        + at
                                        + "; set a limit by count, size or age, or remove each"
                                        + " entry after use (E7)"
                                        + fellWhileItFilled(s))
                        .orElse(GcAdvices.leak().why()),
                withoutCost(s, 1));
        return heap(
                s,
                recommendations,
                GcAdvices.halfAsManyCollections(setting(s)),
                "Until then: a larger heap, which fills later",
                Gain.unknown("it only buys time: a leak fills any heap"));
    }

    /// Returns a clause about the throughput lost while the heap filled, if the best throughput was
    /// measured before.
    private static String fellWhileItFilled(Situation s) {
        Round best = s.evidence().plateau();
        return s.evidence().rounds().stream()
                .filter(r -> r.concurrency() > best.concurrency())
                .min(Comparator.comparingDouble(Round::qps))
                .filter(r -> r.qps() < FELL * best.qps())
                .map(r ->
                        say(
                                "; throughput fell from %.0f/s to %.0f/s in this run as the heap filled",
                                best.qps(), r.qps()))
                .orElse("");
    }

    public static RecommendationList explicit(Situation s) {
        var list = new RecommendationList();
        add(s, list, GcAdvices.takeCallsOut(), withoutCost(s, 1));
        return add(s, list, GcAdvices.ignoreCalls(setting(s)), withoutCost(s, 1));
    }

    public static RecommendationList humongous(Situation s) {
        var list = new RecommendationList();
        GcAdvices.regions(setting(s)).ifPresent(larger -> add(s, list, larger, withoutCost(s, 1)));
        GcAdvice smaller = GcAdvices.smallerArrays();
        return add(
                s,
                list,
                smaller,
                smaller.says() + largestAllocationSite(s),
                smaller.why(),
                withoutCost(s, 1));
    }
}
