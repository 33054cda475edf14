package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The collector takes a large share of the time; which of three reasons, its figures tell: too
/// much garbage for the young generation (E18, E19), live data that overflows into old (E5, E20,
/// E21), or a live set near the heap's size.
public record GcRule(Bottleneck bottleneck) implements Rule {
    /// Suspicion from which a rule that cleared its bottleneck did not rule it out.
    private static final double SUSPECTED = 0.3;

    /// Share of the old generation that full collections leave from which something lives there,
    /// whatever is promoted between them.
    private static final double LEFT_BEHIND = 0.5;

    /// Share of the application's time stopped by the collector (JMC's GcPauseRatioRule: warn).
    public static final double PAUSE_SHARE_LIMIT = GcLimits.STOPPED_SHARE;

    /// Share of time or CPU from which the collector is to be fixed before the application: without
    /// it throughput would be at least a quarter higher.
    public static final double FIRST_FROM = 0.20;

    /// Share of what full collections leave that the requests in flight may hold at most, where it
    /// is said to live longer than they do.
    static final double IN_FLIGHT_AT_MOST = 0.5;

    /// Full collections per second that count as "in series".
    public static final double FULL_PER_SECOND = 0.05;

    /// Share of old and young generation together that the old one takes, from which it leaves too
    /// little to the young one. Those two had 0.83 and 0.90.
    static final double LIVES = 0.70;

    /// Young collections per request from which the young generation is too small for a few
    /// requests' garbage: what survives then does so only because it is collected too early.
    static final double YOUNG_PER_REQUEST = 0.2;

    /// Young collections a second from which the young generation is too small for what is
    /// allocated whatever survives them: services whose live data overflowed had 10 to 102, those
    /// whose young generation was too small 470 to 3450.
    static final double YOUNG_PER_SECOND = 200;

    /// What follows from a collector that is kept busy for a reason of its own.
    static final Set<Bottleneck> BUSY_COLLECTOR =
            Set.of(
                    Bottleneck.GC_ALLOCATION,
                    Bottleneck.GC_PROMOTION,
                    Bottleneck.GC_LIVE_SET,
                    Bottleneck.GC_LEAK,
                    Bottleneck.CPU,
                    Bottleneck.SAFEPOINT);

    /// Factor on the confidence where the collector stops nothing and nobody lacks the CPU it
    /// takes.
    private static final double HAS_CPU = 0.6;

    public static List<Rule> all() {
        return List.of(
                new GcRule(Bottleneck.GC_ALLOCATION),
                new GcRule(Bottleneck.GC_PROMOTION),
                new GcRule(Bottleneck.GC_LIVE_SET));
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.CPU);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Round round = evidence.worstGc();
        if (round.gc().isEmpty()) {
            return new Finding.NotApplicable("the target's collector was not seen");
        }
        GcActivity gc = round.gc().get();
        double cost = evidence.gcCost();
        if (cost < PAUSE_SHARE_LIMIT) {
            return new Finding.Cleared(
                    cost, say("the collector takes %.1f %% of the time or of the CPU", cost * 100));
        }
        Bottleneck kind = kind(gc, round, evidence.rounds());
        boolean both =
                kind == Bottleneck.GC_ALLOCATION && promotedShare(gc) >= GcLimits.PROMOTED_SHARE;
        if (kind != bottleneck) {
            return new Finding.Cleared(0.2, "the collector's figures point to " + kind.key());
        }
        double sure = both ? Doubt.GARBAGE_WITH_OVERFLOW.cap(sure(cost)) : sure(cost);
        if (gc.pauseShare() < PAUSE_SHARE_LIMIT && !evidence.cpuIsShort()) {
            // the collector takes CPU beside a service that has enough of it
            sure *= HAS_CPU;
        }
        List<EvidenceLine> lines = lines(gc, round, cost);
        if (bottleneck == Bottleneck.GC_LIVE_SET) {
            lines.addAll(LiveObjectLines.of(evidence));
            FullCollectionsRise.level(evidence).ifPresent(lines::add);
        }
        return new Finding.Limits("", sure, says(gc, round, cost), lines);
    }

    /// Below {@link #FIRST_FROM} it is worth saying and not the name.
    static double sure(double cost) {
        return cost < FIRST_FROM
                ? confidence(cost, PAUSE_SHARE_LIMIT, FIRST_FROM, 0.25, 0.45)
                : confidence(cost, FIRST_FROM, 0.4, 0.70, 0.96);
    }

    /// Above 1 where objects go into the old generation that were never in the young one.
    public static double promotedShare(GcActivity gc) {
        return gc.allocBytesPerS()
                .filter(a -> a > 0)
                .flatMap(a -> gc.promotedBytesPerS().map(p -> p / a))
                .orElse(0.0);
    }

    private static Bottleneck kind(GcActivity gc, Round round, List<Round> rounds) {
        boolean fullInSeries = isInSeries(gc, round);
        Optional<Double> oldShare =
                gc.oldCapacityBytes()
                        .filter(c -> c > 0)
                        .flatMap(c -> gc.oldUsedBytes().map(u -> u / c));
        double promoted = promotedShare(gc);
        if (fullInSeries
                && promoted < GcLimits.PROMOTED_SHARE
                && oldShare.orElse(0.0) >= GcLimits.OLD_FULL) {
            return Bottleneck.GC_LIVE_SET;
        }
        if (fullInSeries && rounds.stream().anyMatch(r -> staysFullAtNoMore(r, round))) {
            return Bottleneck.GC_LIVE_SET;
        }
        if (promoted < GcLimits.PROMOTED_SHARE && marksInVain(gc, round)) {
            return Bottleneck.GC_LIVE_SET;
        }
        if (promoted <= 1 && isCollectedAllTheTime(gc, round)) {
            return Bottleneck.GC_ALLOCATION;
        }
        // nobody may have counted the requests of a service that is only watched
        if (round.requests() > 0 && gc.young().count() > YOUNG_PER_REQUEST * round.requests()) {
            return Bottleneck.GC_ALLOCATION;
        }
        if (promoted >= GcLimits.PROMOTED_SHARE || fullInSeries) {
            return Bottleneck.GC_PROMOTION;
        }
        return Bottleneck.GC_ALLOCATION;
    }

    private static boolean isCollectedAllTheTime(GcActivity gc, Round round) {
        return gc.young().count() / round.seconds() >= YOUNG_PER_SECOND;
    }

    /// Whether a collector marks beside the service, cycle after cycle, frees nothing by it, and
    /// what lives leaves little room to the young generation: what is allocated between two
    /// collections.
    static boolean marksInVain(GcActivity gc, Round round) {
        double used = gc.oldUsedBytes().orElse(0.0);
        double floor = gc.why().oldFloorBytes().orElse(0.0);
        double allocated = gc.allocBytesPerS().orElse(0.0) * round.seconds();
        double young = allocated / Math.max(1, gc.young().count());
        double inFlight = gc.requestBytes().orElse(0.0) * round.concurrency();
        return gc.marksInVain(round.seconds())
                && used >= LIVES * (used + young)
                && inFlight <= IN_FLIGHT_AT_MOST * floor;
    }

    private static boolean isInSeries(GcActivity gc, Round round) {
        return gc.full().count() / round.seconds() >= FULL_PER_SECOND;
    }

    /// The same heap that stays full with fewer requests in flight is not full of what the others
    /// hold.
    private static boolean staysFullAtNoMore(Round fewer, Round round) {
        return fewer.concurrency() <= round.concurrency()
                && fewer.gc()
                        .filter(gc -> isInSeries(gc, fewer) && staysFull(gc, fewer))
                        .isPresent();
    }

    /// Whether full collections free next to nothing, and not because of what the requests in
    /// flight hold: what is promoted between two of them is then no more than the room they left,
    /// whatever its share of the allocation.
    private static boolean staysFull(GcActivity gc, Round round) {
        double left = gc.afterFullBytes().orElse(0.0);
        double inFlight = gc.requestBytes().orElse(0.0) * round.concurrency();
        return gc.oldCapacityBytes().filter(c -> c > 0 && left >= GcLimits.OLD_FULL * c).isPresent()
                && inFlight <= IN_FLIGHT_AT_MOST * left;
    }

    private Statement says(GcActivity gc, Round round, double cost) {
        String start =
                gc.pauseShare() < PAUSE_SHARE_LIMIT
                        ? say(
                                "it works beside the service and takes %.0f %% of its CPU",
                                cost * 100)
                        : say(
                                "it stops the service %.0f %%"
                                        + " of the time (per second: %.1f young and %.2f full collections)",
                                gc.pauseShare() * 100,
                                gc.young().count() / round.seconds(),
                                gc.full().count() / round.seconds());
        String why =
                switch (bottleneck) {
                    case GC_PROMOTION ->
                            "; what requests hold overflows the survivors into the old generation.";
                    case GC_LIVE_SET -> "; the live set nearly fills the heap.";
                    default ->
                            gc.requestBytes()
                                    .map(b ->
                                            say(
                                                    "; each request allocates %s, too much for"
                                                            + " this %s.",
                                                    new Bytes(Math.round(b)), room(gc)))
                                    .orElse(say("; it allocates too much for this %s.", room(gc)));
                };
        return Statement.of("The garbage collector is the bottleneck", "%s%s", start, why);
    }

    /// Where it allocates: a collector that promotes nothing has no generations.
    private static String room(GcActivity gc) {
        return gc.promotedBytesPerS().isPresent() ? "young generation" : "heap";
    }

    /// How much lives, and how that is known.
    private static Optional<EvidenceLine> lives(GcActivity gc, Round round) {
        if (marksInVain(gc, round)) {
            double floor = gc.why().oldFloorBytes().orElse(0.0);
            return Optional.of(
                    line(
                            Figure.MARKS_IN_VAIN,
                            say(
                                    "it marks all the time (%.1f cycles/s), and the old generation never"
                                            + " falls below %s",
                                    gc.why().cycles() / round.seconds(),
                                    new Bytes(Math.round(floor))),
                            gc.why().cycles() / round.seconds(),
                            GcActivity.CYCLES_PER_SECOND));
        }
        double capacity = gc.oldCapacityBytes().orElse(0.0);
        return gc.afterFullBytes()
                .filter(_ -> capacity > 0)
                .map(left ->
                        line(
                                Figure.LEFT_BY_FULL,
                                say(
                                        "full collections leave %.0f %% of the old generation",
                                        left / capacity * 100),
                                left / capacity,
                                GcLimits.OLD_FULL));
    }

    private List<EvidenceLine> lines(GcActivity gc, Round round, double cost) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.GC_PAUSE_SHARE,
                        say("collector pauses %.0f %% of the time", gc.pauseShare() * 100),
                        gc.pauseShare(),
                        PAUSE_SHARE_LIMIT));
        lines.add(
                line(
                        Figure.GC_COST,
                        say("the collector takes %.0f %% of the time or of the CPU", cost * 100),
                        cost,
                        FIRST_FROM));
        if (bottleneck == Bottleneck.GC_LIVE_SET) {
            lives(gc, round).ifPresent(lines::add);
        }
        lines.add(
                line(
                        Figure.GC_FULL,
                        say("%d full collections in %.0f s", gc.full().count(), round.seconds()),
                        gc.full().count() / round.seconds(),
                        FULL_PER_SECOND));
        gc.allocBytesPerS()
                .ifPresent(a ->
                        lines.add(
                                line(
                                        Figure.ALLOCATION,
                                        say("allocates %s/s", new Bytes(Math.round(a))),
                                        a,
                                        0)));
        gc.promotedBytesPerS()
                .ifPresent(p ->
                        lines.add(
                                line(
                                        Figure.PROMOTION,
                                        say(
                                                "promotes %s/s, %.1f %% of what it allocates",
                                                new Bytes(Math.round(p)), promotedShare(gc) * 100),
                                        p,
                                        0)));
        return lines;
    }

    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return doubt(evidence, found.apply(Bottleneck.GC_LEAK)).map(Sentence::of);
    }

    private Optional<String> doubt(Evidence evidence, Finding leak) {
        return switch (bottleneck) {
            case GC_LIVE_SET -> leak(leak, evidence);
            case GC_PROMOTION ->
                    suspectedLeak(leak)
                            .or(() -> evidence.worstGc().gc().flatMap(gc -> notYoung(gc, evidence)))
                            .or(() -> KeptBeyondRequests.doubt(evidence, leak));
            default -> stalls(evidence.worstGc());
        };
    }

    /// Only counts of live objects tell a live set from what grows slowly.
    private static Optional<String> leak(Finding leak, Evidence evidence) {
        return leak instanceof Finding.NotApplicable
                ? Optional.of("gc-leak is not ruled out: live objects were not counted")
                : suspectedLeak(leak).or(() -> growsALittle(evidence));
    }

    /// Too little of each request for a name, and more than nothing.
    private static Optional<String> growsALittle(Evidence evidence) {
        double perS = evidence.sign(Sign.LIVE_GROWTH_BYTES_PER_S).orElse(0.0);
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        double capacity = evidence.worstGc().gc().flatMap(GcActivity::oldCapacityBytes).orElse(0.0);
        return qps > 0
                        && perS >= GcLeakRule.STEADY_PER_REQUEST_BYTES * qps
                        && capacity <= perS * GcLeakRule.FULL_IN_SECONDS
                ? Optional.of(
                        say(
                                "gc-leak is not ruled out: live objects grew by %.0f bytes per request",
                                perS / qps))
                : Optional.empty();
    }

    private static Optional<String> suspectedLeak(Finding leak) {
        return leak instanceof Finding.Cleared c && c.suspicion() >= SUSPECTED
                ? Optional.of("gc-leak is not ruled out: " + c.whyNot())
                : Optional.empty();
    }

    /// Where full collections leave much, or more gets into old than is allocated in young, it is
    /// not only what overflows from young.
    private static Optional<String> notYoung(GcActivity gc, Evidence evidence) {
        if (GcRule.promotedShare(gc) > 1) {
            return Optional.of(
                    "gc-humongous is not ruled out: more gets into the old generation than is"
                            + " allocated in the young one");
        }
        double full = gc.full().count() / evidence.worstGc().seconds();
        double capacity = gc.oldCapacityBytes().orElse(0.0);
        double left = gc.afterFullBytes().orElse(0.0);
        return full >= GcRule.FULL_PER_SECOND && left >= LEFT_BEHIND * capacity && left > 0
                ? Optional.of(
                        say(
                                "gc-live-set is not ruled out: full collections leave %.0f %% of the"
                                        + " old generation",
                                left / capacity * 100))
                : Optional.empty();
    }

    /// A collector that works beside the application stops it little; that threads wait for memory
    /// only a recording tells.
    private static Optional<String> stalls(Round round) {
        return round.gc()
                .filter(gc -> gc.pauseShare() < GcRule.PAUSE_SHARE_LIMIT)
                .filter(gc -> gc.stalledThreads().isEmpty())
                .map(_ ->
                        "gc-stall is not ruled out: threads that wait for memory were not counted");
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return switch (bottleneck()) {
            case GC_ALLOCATION -> GcRecommendations.allocation(s);
            case GC_PROMOTION -> GcRecommendations.promotion(s);
            case GC_LIVE_SET -> LiveSetRecommendations.of(s);
            default -> throw new IllegalStateException(bottleneck().key());
        };
    }

    @Override
    public void challenge(Experiments experiments) {
        switch (bottleneck()) {
            case GC_ALLOCATION -> {
                experiments.not(
                        "the collector's flags can only be given when a JVM starts: jdyno tune");
            }
            case GC_PROMOTION -> {
                experiments.fewerInFlight();
            }
            case GC_LIVE_SET -> {
                experiments.not(
                        "the collector's flags can only be given when a JVM starts: jdyno tune");
            }
            default -> throw new IllegalStateException(bottleneck().key());
        }
    }
}
