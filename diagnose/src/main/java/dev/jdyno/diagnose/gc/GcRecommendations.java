package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Insight.Allocation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.WhatIfChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What helps when the collector, or another stop of the whole JVM, takes the time.
public final class GcRecommendations {
    /// A young generation larger than this share of the heap leaves too little for what lives.
    private static final double YOUNG_OF_HEAP = 0.6;

    /// Old generation for each byte that full collections leave.
    private static final double OLD_PER_LEFT = 1.3;

    /// Part of the best throughput below which a later round fell for what had filled the heap.
    private static final double FELL = 0.7;

    /// SurvivorRatio below which Eden has less than two thirds of the young generation.
    private static final int EDEN_SHORT_BELOW = 4;

    /// HotSpot makes about as many G1 regions of a heap.
    private static final long REGIONS = 2048;

    private static final long MIB = 1L << 20;
    private static final long LARGEST_REGION = 32 * MIB;

    /// Share of the bytes allocated from which a place is worth naming.
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

    /// Pauses are all that a collector costs which stops the application. One that works beside it
    /// makes its code dearer as well, by barriers and by what it takes of the caches, which is
    /// counted nowhere: what goes with it may be more, and the figure is no bound.
    static Gain boundedIfStopped(Situation s, Gain gain) {
        return s.evidence().collectsBesideIt(s.now())
                ? gain.notBounded(
                        say(
                                "its cost to the application in barriers and caches is not counted: it"
                                        + " may be more, up to %.0f/s with %d in flight, each %s ms when alone",
                                s.now().concurrency() / Math.max(s.aloneMs(), 1e-6) * 1000,
                                s.now().concurrency(),
                                Lines.ms(s.aloneMs())))
                : gain;
    }

    /// Where most bytes are allocated: `: 99 % of it is made in com.acme.Mosaic.lay (byte[])`;
    /// empty where no place stands out, or few samples say so.
    static String mostMadeAt(Situation s) {
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

    /// `-Xmx` of twice the heap; empty when its size is not known.
    private static Optional<String> twiceTheHeap(Situation s) {
        return s.target().heapMaxBytes().map(b -> say("-Xmx%dm", 2 * b / MIB));
    }

    static RecommendationList heapDouble(
            Situation s, RecommendationList recommendations, String says, Gain gain) {
        HeapRoom.setting(
                s,
                recommendations,
                s.target().heapMaxBytes().map(b -> 2.0 * b / MIB),
                KnownChange.HEAP_DOUBLE,
                says,
                new WrittenChange.Words(twiceTheHeap(s).orElse("twice -Xmx")),
                "set -Xms as large; " + foretell(s),
                gain,
                s.target()
                        .heapMaxBytes()
                        .<List<Change>>map(b -> {
                            String twice = say("%dm", 2 * b / MIB);
                            return List.of(
                                    new Change.JvmFlag("-Xmx", twice),
                                    new Change.JvmFlag("-Xms", twice));
                        })
                        .orElse(List.of(new Change.SystemSetting("heap", new Amount.Times(2)))));
        return recommendations;
    }

    private static String foretell(Situation s) {
        String heaps =
                s.target()
                        .heapMaxBytes()
                        .map(b -> say("--heaps %dm,%dm", 2 * b / MIB, 4 * b / MIB))
                        .orElse("--heaps 1g,2g");
        return "`jdyno gc gc.log --advise " + heaps + "` predicts them from this run's log";
    }

    /// ZGC without generations and Shenandoah have no young generation to set.
    private static boolean hasYoung(Situation s) {
        return gc(s).flatMap(GcActivity::promotedBytesPerS).isPresent() && !s.collectorIs("Z");
    }

    public static RecommendationList allocation(Situation s) {
        var recommendations = new RecommendationList();
        Optional<Double> bytes = gc(s).flatMap(GcActivity::requestBytes);
        if (hasYoung(s) && bytes.isPresent()) {
            young(s, bytes.get(), recommendations);
        } else {
            heapDouble(
                    s,
                    recommendations,
                    "Give it twice the heap: half as many collections",
                    withoutCost(s, 0.5));
        }
        return recommendations.byHand(
                KnownChange.ALLOCATE_LESS,
                "Allocate half as much in a request" + mostMadeAt(s),
                "`jfr view allocation-by-site` of this run's recording; collections come half as often (F8)",
                withoutCost(s, 0.5));
    }

    /// F9. The gain is bounded by the time the collector takes now.
    private static void young(Situation s, double bytes, RecommendationList recommendations) {
        double wanted = Math.max(1, Math.ceil(bytes * GcLimits.REQUESTS_IN_YOUNG / MIB));
        double heap = s.target().heapMaxBytes().map(b -> b / (double) MIB).orElse(0.0);
        boolean fits = heap <= 0 || wanted <= heap * YOUNG_OF_HEAP;
        String g1 =
                s.collectorIs("G1")
                        ? "; with G1 this fixes the size that it chooses itself: watch its pauses"
                        : "";
        Optional<Integer> ratio = smallSurvivorRatio(s);
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.JvmFlag("-Xmn", say("%.0fm", wanted)));
        if (!fits) {
            changes.add(
                    new Change.JvmFlag("-Xmx", say("%.0fm", Math.ceil(wanted / YOUNG_OF_HEAP))));
        }
        ratio.ifPresent(_ -> changes.add(new Change.JvmFlag("-XX:SurvivorRatio", "8")));
        HeapRoom.setting(
                s,
                recommendations,
                fits ? Optional.empty() : Optional.of(Math.ceil(wanted / YOUNG_OF_HEAP)),
                KnownChange.YOUNG,
                say(
                                "Make the young generation %s: 100 times what a request allocates (F9)",
                                Bytes.mebi(wanted))
                        + ratio.map(r ->
                                        say(
                                                ", and take -XX:SurvivorRatio=%d back, which leaves"
                                                        + " Eden only %d %% of it",
                                                r, 100 * r / (r + 2)))
                                .orElse(""),
                new WrittenChange.AsValues(),
                "young collections a second must fall with it" + g1,
                withoutCost(s, 1),
                changes);
    }

    /// The ratio that the service was started with, where it leaves Eden little of the young
    /// generation.
    private static Optional<Integer> smallSurvivorRatio(Situation s) {
        return s.target().flags().stream()
                .filter(f -> f.matches("-XX:SurvivorRatio=[1-9]"))
                .map(f -> Integer.parseInt(f.substring(f.length() - 1)))
                .filter(r -> r < EDEN_SHORT_BELOW)
                .findFirst();
    }

    public static RecommendationList promotion(Situation s) {
        var recommendations = new RecommendationList();
        if (hasYoung(s) && !s.collectorIs("G1")) {
            survivors(s, recommendations);
        } else {
            heapDouble(
                    s,
                    recommendations,
                    "Give it twice the heap: young and survivors grow with it",
                    withoutCost(s, 1));
        }
        fewer(s, recommendations);
        return recommendations.byHand(
                KnownChange.HOLD_LESS,
                "Let go of a request's memory before it waits: write the answer as it is made, clear"
                        + " what is not needed"
                        + mostMadeAt(s),
                "what lives while a request waits is what is promoted (F6, E5)",
                withoutCost(s, 1));
    }

    /// F11, E20: a survivor space for what the requests in flight hold at most, which is what they
    /// allocate; with a ratio of 2 it is a quarter of the young generation. Beside it what full
    /// collections leave must find room.
    private static void survivors(Situation s, RecommendationList recommendations) {
        Optional<Double> perRequest = gc(s).flatMap(GcActivity::requestBytes);
        String adapts =
                s.collectorIs("Parallel") && !s.hasFlag("-XX:-UseAdaptiveSizePolicy")
                        ? "ParallelGC resizes survivor spaces by itself: with"
                                + " -XX:-UseAdaptiveSizePolicy they stay; "
                        : "";
        String how =
                adapts
                        + "promoted bytes must go to nothing: `jdyno gc gc.log` says how much survives; "
                        + foretell(s);
        if (perRequest.isEmpty()) {
            recommendations.setting(
                    KnownChange.SURVIVORS,
                    "Make the survivor spaces hold what the requests in flight hold (F11, E20)",
                    new WrittenChange.Words("-XX:SurvivorRatio=2, and a larger -Xmn"),
                    how,
                    withoutCost(s, 1),
                    new Change.JvmFlag("-XX:SurvivorRatio", "2"));
            return;
        }
        int inFlight = s.evidence().plateau().concurrency();
        double held = perRequest.get() * inFlight / MIB;
        double young = Math.max(1, Math.ceil(held * 4));
        // what is in old at any moment may be more or less than what must stay there
        double old =
                gc(s).flatMap(g ->
                                g.afterFullBytes()
                                        .map(left -> left * OLD_PER_LEFT)
                                        .or(g::oldCapacityBytes))
                                .orElse(0.0)
                        / MIB;
        double heap = s.target().heapMaxBytes().map(b -> b / (double) MIB).orElse(0.0);
        double wanted = Math.ceil(young + old);
        boolean fits = heap <= 0 || wanted <= heap;
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.JvmFlag("-XX:SurvivorRatio", "2"));
        changes.add(new Change.JvmFlag("-Xmn", say("%.0fm", young)));
        if (!fits) {
            changes.add(new Change.JvmFlag("-Xms", say("%.0fm", wanted)));
            changes.add(new Change.JvmFlag("-Xmx", say("%.0fm", wanted)));
        }
        HeapRoom.setting(
                s,
                recommendations,
                fits ? Optional.empty() : Optional.of(wanted),
                KnownChange.SURVIVORS,
                say(
                        "Make the survivor spaces hold what %d requests hold, at most %s (F11, E20)%s",
                        inFlight,
                        Bytes.mebi(Math.max(1, Math.ceil(held))),
                        fits ? "" : say("; the heap of %s has no room for it", Bytes.mebi(heap))),
                new WrittenChange.AsValues(),
                how,
                withoutCost(s, 1),
                changes);
    }

    /// F6, E6, E11: too many at once. Not predicted: this run has measured it.
    private static void fewer(Situation s, RecommendationList recommendations) {
        Round best = s.evidence().plateau();
        Round most = s.evidence().rounds().getLast();
        if (most.qps() > 0 && best.concurrency() < most.concurrency()) {
            double ratio = Math.max(1, best.qps() / most.qps());
            recommendations.setting(
                    KnownChange.INSIDE_FEWER,
                    say("Let no more than %d requests in at once (F6, E11)", best.concurrency()),
                    new WhatIfChange.Threads(best.concurrency()),
                    "maxThreads of the container, or a limit in front of it",
                    Gain.of(
                            ratio,
                            1 / ratio,
                            false,
                            say(
                                    "measured in this run: %.0f/s with %d in flight, %.0f/s with %d",
                                    best.qps(),
                                    best.concurrency(),
                                    most.qps(),
                                    most.concurrency())),
                    new Change.PoolSize("", new Amount.Exactly(say("%d", best.concurrency()))));
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
                                        "Limit what hangs on %s, or take out of it what is done with",
                                        PlaceText.named(by)))
                        .orElse(
                                where.isBlank()
                                        ? Sentence.of("Find what grows and let go of it")
                                        : Sentence.format(
                                                "Find who keeps %s and let go of it",
                                                PlaceText.named(where))),
                s.evidence()
                        .place(Sign.LIVE_MADE_SHARE)
                        .map(at ->
                                "most of it is made in "
                                        + at
                                        + "; a limit by count, size or age, or what was added is"
                                        + " taken out when it is done with (E7)"
                                        + fellWhileItFilled(s))
                        .orElse(
                                "`jcmd PID GC.heap_dump` twice and Eclipse MAT's comparison (each stops the service);"
                                        + " sessions, listeners, thread locals and maps without a limit first (E7)"),
                withoutCost(s, 1));
        return heapDouble(
                s,
                recommendations,
                "Until then: a larger heap is full later",
                Gain.unknown("it buys time; what grows fills any heap"));
    }

    /// What was lost while the heap filled, where the best throughput was seen before.
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
        boolean g1 = s.collectorIs("G1");
        var recommendations = new RecommendationList();
        recommendations.byHand(
                KnownChange.GC_CALLER,
                "Take the call of System.gc() out; many direct buffers call it, too",
                "`jfr print --events jdk.SystemGC` of this run's recording names the caller",
                withoutCost(s, 1));
        return recommendations.setting(
                KnownChange.GC_IGNORED,
                g1
                        ? "Let G1 answer System.gc() beside the application"
                        : "Let the JVM ignore System.gc()",
                "if direct buffers call it, raise -XX:MaxDirectMemorySize instead, or they run out",
                withoutCost(s, 1),
                new Change.JvmFlag(
                        g1 ? "-XX:+ExplicitGCInvokesConcurrent" : "-XX:+DisableExplicitGC"));
    }

    public static RecommendationList humongous(Situation s) {
        var recommendations = new RecommendationList();
        long heap = s.target().heapMaxBytes().orElse(0L);
        long region =
                Math.clamp(Long.highestOneBit(Math.max(1, heap / REGIONS)), MIB, LARGEST_REGION);
        long larger = Math.min(LARGEST_REGION, 8 * region);
        if (!s.hasFlag("-XX:G1HeapRegionSize=32") && heap > 0) {
            recommendations.setting(
                    KnownChange.REGIONS_LARGER,
                    "Make G1's regions larger than twice the largest array",
                    "`jdyno gc` on a log with gc+humongous=debug names the size that would stop them",
                    withoutCost(s, 1),
                    new Change.JvmFlag("-XX:G1HeapRegionSize", say("%dm", larger / MIB)));
        }
        return recommendations.byHand(
                KnownChange.ARRAYS_SMALLER,
                "Make large arrays smaller: stream, or in pieces" + mostMadeAt(s),
                "`jfr print --events jdk.ObjectAllocationSample` of this run's recording names who makes them",
                withoutCost(s, 1));
    }
}
