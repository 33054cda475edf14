package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The collector takes a large share of the time. The figures show which of three reasons applies.
/// There may be too much garbage for the young generation (experiments E18, E19). Live data may
/// overflow into the old generation (E5, E20, E21). Or the live set may be near the heap's size.
public final class GcCost {
    /// Minimum share of the time in which the collector stops the application (JMC's
    /// GcPauseRatioRule: warning).
    public static final double PAUSE_SHARE_LIMIT = GcLimits.STOPPED_SHARE;

    /// Minimum share of time or CPU used by the collector at which it must be fixed before the
    /// application. Without the collector, throughput would be at least a quarter higher.
    public static final double FIRST_FROM = 0.20;

    /// Maximum share of the memory left by full collections that the requests in flight can hold.
    /// Up to it, the memory counts as longer-lived than requests.
    private static final double MAX_HELD_BY_REQUESTS = 0.5;

    /// Minimum number of full collections per second that counts as "in series".
    public static final double FULL_PER_SECOND = 0.05;

    /// Minimum size of the old generation, as a share of old and young generation together, at
    /// which too little is left for the young one. Two such services had 0.83 and 0.90.
    private static final double LIVES = 0.70;

    /// Minimum number of young collections per request at which the young generation is too small
    /// for the garbage of a few requests. Objects then survive only because the next collection is
    /// too early.
    private static final double YOUNG_PER_REQUEST = 0.2;

    /// Minimum number of young collections per second at which the young generation is too small
    /// for the allocation rate, even if much data survives. Services whose live data overflowed had
    /// 10 to 102. Services with a young generation that was too small had 470 to 3450.
    private static final double YOUNG_PER_SECOND = 200;

    /// Bottlenecks that are only consequences when the collector is busy for a reason of its own.
    public static final Set<Bottleneck> BUSY_COLLECTOR =
            Set.of(
                    Bottleneck.GC_ALLOCATION,
                    Bottleneck.GC_PROMOTION,
                    Bottleneck.GC_LIVE_SET,
                    Bottleneck.GC_LEAK,
                    Bottleneck.CPU,
                    Bottleneck.SAFEPOINT);

    /// Factor on the confidence if the collector rarely stops the service and the service has
    /// enough CPU.
    private static final double HAS_CPU = 0.6;

    private final GcCostRule rule;
    private final Evidence evidence;

    GcCost(GcCostRule rule, Evidence evidence) {
        this.rule = rule;
        this.evidence = evidence;
    }

    Finding finding() {
        Round round = evidence.worstGc();
        if (round.gc().isEmpty()) {
            return new Finding.NotApplicable("the target's collector was not measured");
        }
        GcActivity gc = round.gc().get();
        double cost = evidence.gcCost();
        Optional<BelowLimit> little = BelowLimit.of(cost, PAUSE_SHARE_LIMIT);
        if (little.isPresent()) {
            return Finding.Cleared.only(
                    cost, little.get(), "of the time or of the CPU goes to the collector");
        }
        Bottleneck kind = kind(gc, round, evidence.rounds());
        if (kind != rule.bottleneck()) {
            return new Finding.Cleared(0.2, "the collector's figures point to " + kind.key())
                    .rather(kind);
        }
        boolean both = kind == Bottleneck.GC_ALLOCATION && gc.facts().promotes();
        double sure = both ? Doubt.GARBAGE_WITH_OVERFLOW.cap(sure(cost)) : sure(cost);
        if (gc.pauseShare() < PAUSE_SHARE_LIMIT && !evidence.cpuIsShort()) {
            // the collector uses CPU, but the service has enough of it
            sure *= HAS_CPU;
        }
        List<EvidenceLine> lines = lines(gc, round, cost);
        lines.addAll(rule.lines(evidence));
        return new Finding.Limits("", sure, says(gc, round, cost), lines);
    }

    /// Returns the confidence for this cost. Below {@link #FIRST_FROM}, the cost is reported but
    /// does not become the verdict.
    static double sure(double cost) {
        return cost < FIRST_FROM
                ? confidence(cost, PAUSE_SHARE_LIMIT, FIRST_FROM, 0.25, 0.45)
                : confidence(cost, FIRST_FROM, 0.4, 0.70, 0.96);
    }

    private static Bottleneck kind(GcActivity gc, Round round, List<Round> rounds) {
        boolean fullInSeries = isInSeries(gc, round);
        Optional<Double> oldShare =
                gc.oldCapacityBytes()
                        .filter(c -> c > 0)
                        .flatMap(c -> gc.oldUsedBytes().map(u -> u / c));
        boolean promotes = gc.facts().promotes();
        if (fullInSeries && !promotes && oldShare.orElse(0.0) >= GcLimits.OLD_FULL) {
            return Bottleneck.GC_LIVE_SET;
        }
        if (fullInSeries && rounds.stream().anyMatch(r -> staysFullAtNoMore(r, round))) {
            return Bottleneck.GC_LIVE_SET;
        }
        if (!promotes && marksInVain(gc, round)) {
            return Bottleneck.GC_LIVE_SET;
        }
        if (!gc.facts().allocatesInOld() && isCollectedAllTheTime(gc, round)) {
            return Bottleneck.GC_ALLOCATION;
        }
        // requests may not be counted if the service is only observed
        if (round.requests() > 0 && gc.young().count() > YOUNG_PER_REQUEST * round.requests()) {
            return Bottleneck.GC_ALLOCATION;
        }
        if (promotes || fullInSeries) {
            return Bottleneck.GC_PROMOTION;
        }
        return Bottleneck.GC_ALLOCATION;
    }

    private static boolean isCollectedAllTheTime(GcActivity gc, Round round) {
        return gc.young().count() / round.seconds() >= YOUNG_PER_SECOND;
    }

    /// True if a concurrent collector marks in cycle after cycle but frees nothing, and the live
    /// data leaves little room for the young generation. The size of the young generation is
    /// estimated as the bytes allocated between two collections.
    public static boolean marksInVain(GcActivity gc, Round round) {
        double used = gc.oldUsedBytes().orElse(0.0);
        double floor = gc.why().oldFloorBytes().orElse(0.0);
        double allocated = gc.allocBytesPerS().orElse(0.0) * round.seconds();
        double young = allocated / Math.max(1, gc.young().count());
        double inFlight = gc.requestBytes().orElse(0.0) * round.concurrency();
        return gc.marksInVain(round.seconds())
                && used >= LIVES * (used + young)
                && inFlight <= MAX_HELD_BY_REQUESTS * floor;
    }

    private static boolean isInSeries(GcActivity gc, Round round) {
        return gc.full().count() / round.seconds() >= FULL_PER_SECOND;
    }

    /// True if `fewer` has no more requests in flight than `round`, and its heap stays full
    /// nevertheless. The requests in flight are then not the reason.
    private static boolean staysFullAtNoMore(Round fewer, Round round) {
        return fewer.concurrency() <= round.concurrency()
                && fewer.gc()
                        .filter(gc -> isInSeries(gc, fewer) && staysFull(gc, fewer))
                        .isPresent();
    }

    /// True if full collections free almost nothing, and the requests in flight can hold only a
    /// part of what is left. A high promotion rate is then no separate reason, because it only
    /// fills the little room that each full collection frees.
    private static boolean staysFull(GcActivity gc, Round round) {
        double left = gc.afterFullBytes().orElse(0.0);
        double inFlight = gc.requestBytes().orElse(0.0) * round.concurrency();
        return gc.oldCapacityBytes().filter(c -> c > 0 && left >= GcLimits.OLD_FULL * c).isPresent()
                && inFlight <= MAX_HELD_BY_REQUESTS * left;
    }

    private Statement says(GcActivity gc, Round round, double cost) {
        String start =
                gc.pauseShare() < PAUSE_SHARE_LIMIT
                        ? say(
                                "it works concurrently and takes %.0f %% of the service's CPU",
                                cost * 100)
                        : say(
                                "it stops the service %.0f %% of the time (per second: %.1f young"
                                        + " and %.2f full collections)",
                                gc.pauseShare() * 100,
                                gc.young().count() / round.seconds(),
                                gc.full().count() / round.seconds());
        return Statement.of(
                "The garbage collector is the bottleneck", "%s; %s.", start, rule.why(gc));
    }

    /// A line with the share of the time in which the collector stops the service.
    public static EvidenceLine pauses(GcActivity gc, double limit) {
        return line(
                Figure.GC_PAUSE_SHARE,
                say("collector pauses %.0f %% of the time", gc.pauseShare() * 100),
                gc.pauseShare(),
                limit);
    }

    private List<EvidenceLine> lines(GcActivity gc, Round round, double cost) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(pauses(gc, PAUSE_SHARE_LIMIT));
        if (cost > gc.pauseShare()) {
            lines.add(
                    line(
                            Figure.GC_COST,
                            say("the collector takes %.0f %% of the service's CPU", cost * 100),
                            cost,
                            FIRST_FROM));
        }
        rule.lives(gc, round).ifPresent(lines::add);
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
                                                new Bytes(Math.round(p)),
                                                gc.facts().promotedShare() * 100),
                                        p,
                                        0)));
        return lines;
    }
}
