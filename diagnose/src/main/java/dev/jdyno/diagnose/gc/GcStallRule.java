package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.breakdown.Stalls;
import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.CollectorRule;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.GcCost;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A concurrent collector is too slow, so threads wait until it has freed memory. ZGC's pauses stay
/// short in this case. Shenandoah stops the application to finish its late cycles.
public final class GcStallRule implements CollectorRule {
    /// ZGC's cause for collections that came too late.
    static final String ZGC_LATE = "Allocation Stall";

    /// Shenandoah's cause for cycles that came too late and were finished with the application
    /// stopped ("degenerated"). Young collections of Serial and Parallel always have the same
    /// cause, but they are not late.
    static final String FAILURE = "Allocation Failure";

    /// Causes of late cycles that only Shenandoah has.
    static final List<String> SHENANDOAH_LATE =
            List.of(
                    "Allocation Failure During Evacuation",
                    "Upgrade To Full GC",
                    "Shenandoah Allocation Failure");

    /// Minimum share of the requests in flight that wait for memory.
    static final double STALLED_LIMIT = 0.10;

    /// Minimum share of the collections that came too late. It is used if the log contains no
    /// stalls, which Shenandoah never logs.
    static final double LATE_LIMIT = 0.30;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.GC_STALL;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(
                Bottleneck.CPU,
                Bottleneck.GC_ALLOCATION,
                Bottleneck.GC_PROMOTION,
                Bottleneck.GC_LIVE_SET,
                Bottleneck.GC_LEAK);
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Round round = largestStall(evidence);
        Optional<GcActivity> seen = round.gc();
        if (seen.isEmpty()) {
            return new Finding.NotApplicable("the target's collector was not measured");
        }
        GcActivity gc = seen.get();
        double waiting = waiting(evidence, round);
        double stalled = stalledShare(evidence, round);
        double late = late(gc);
        boolean isLate = late >= LATE_LIMIT || stopsForLong(gc, late);
        if (stalled < STALLED_LIMIT && !isLate) {
            return Finding.Cleared.only(
                    Math.min(0.3, stalled),
                    new BelowLimit(stalled, STALLED_LIMIT),
                    "of the requests wait for the collector");
        }
        return new Finding.Limits(
                "allocation stalls",
                Math.max(
                        confidence(stalled, STALLED_LIMIT, 0.5, 0.80, 0.96),
                        isLate ? sureOfLate(late, gc.pauseShare()) : 0),
                stalled >= STALLED_LIMIT
                        ? say(
                                "The collector cannot keep up: %s%.0f %% of the %s wait for it to"
                                        + " free memory, although pauses are only %.1f %% of the"
                                        + " time. Give it more heap, or allocate less.",
                                load(evidence, round),
                                stalled * 100,
                                runOnCarriers(evidence)
                                        ? "carriers of virtual threads"
                                        : "requests in flight",
                                gc.pauseShare() * 100)
                        : say(
                                "The collector cannot keep up: %s%.0f %% of its collections came too"
                                        + " late and %s, pauses are %.1f %% of the time. Give it more"
                                        + " heap, or allocate less.",
                                load(evidence, round),
                                late * 100,
                                gc.causeShare(ZGC_LATE) > 0
                                        ? "threads waited for them"
                                        : "were ended with the application stopped",
                                gc.pauseShare() * 100),
                lines(evidence, round, waiting, stalled, late));
    }

    /// Returns the load of a round as the beginning of a sentence; empty for the load of the other
    /// evidence.
    private static String load(Evidence evidence, Round round) {
        return round.concurrency() == evidence.plateau().concurrency()
                ? ""
                : say("with %d in flight ", round.concurrency());
    }

    /// Returns the round with most stalls, which pauses cannot show. Stalls may begin only above
    /// the plateau, and may be the reason why throughput falls there.
    private static Round largestStall(Evidence evidence) {
        Round worst = evidence.worstGc();
        return evidence.rounds().stream()
                .filter(r -> r.concurrency() >= evidence.plateau().concurrency())
                .filter(r -> stalledShare(evidence, r) >= STALLED_LIMIT)
                .max(Comparator.comparingDouble(r -> stalledShare(evidence, r)))
                .orElse(worst);
    }

    /// Returns the stalled share of the requests at the load of the report, 0…1. The share in the
    /// verdict may be that of a higher load, because stalls may begin only there.
    static double atReportedLoad(Situation s) {
        Evidence evidence = s.evidence();
        return largestStall(evidence).concurrency() == s.now().concurrency()
                ? s.figure(Figure.STALLED).orElse(0.0)
                : stalledShare(evidence, s.now());
    }

    /// Returns the share of the requests in flight, or of their carriers, that is stalled. A
    /// virtual thread that waits for memory blocks its carrier, and other virtual threads wait for
    /// that carrier.
    private static double stalledShare(Evidence evidence, Round round) {
        double waiting = waiting(evidence, round);
        double max =
                runOnCarriers(evidence)
                        ? round.cpu()
                                .map(c -> Math.min(round.concurrency(), c.availableCores()))
                                .orElse((double) round.concurrency())
                        : round.concurrency();
        return Math.min(1, waiting / Math.max(1, max));
    }

    /// Returns the number of threads that wait for memory, as counted in the round or found in the
    /// diagnostic window at its load.
    private static double waiting(Evidence evidence, Round round) {
        return round.gc()
                .map(gc ->
                        evidence.saturated()
                                .filter(c -> c.concurrency() == round.concurrency())
                                .map(c -> Stalls.threads(gc, c))
                                .orElse(gc.stalledThreads().orElse(0.0)))
                .orElse(0.0);
    }

    private static boolean runOnCarriers(Evidence evidence) {
        return evidence.sign(Sign.VIRTUAL_THREADS).filter(n -> n >= Limits.NONE).isPresent();
    }

    /// Returns the share of the collections that came too late, if no stall was logged.
    private static double late(GcActivity gc) {
        double zgc = gc.stalledThreads().isPresent() ? 0 : gc.causeShare(ZGC_LATE);
        double shenandoah = SHENANDOAH_LATE.stream().mapToDouble(gc::causeShare).sum();
        return zgc + shenandoah + (isShenandoah(gc) ? gc.causeShare(FAILURE) : 0);
    }

    /// True if late cycles of Shenandoah stop the application for a large share of the time. Cycles
    /// that begin in time stop it only for moments, so even a few late cycles explain a tenth of
    /// the time or more. The number of late cycles is no criterion, because sampled counters also
    /// count the short stops of the other cycles.
    private static boolean stopsForLong(GcActivity gc, double late) {
        return isShenandoah(gc) && late > 0 && gc.pauseShare() >= GcCost.PAUSE_SHARE_LIMIT;
    }

    /// True if the collector is Shenandoah: it has no promotion, or collections with Shenandoah's
    /// own cause. A collector with promotion and without that cause is Serial or Parallel. Their
    /// collections have the cause {@link #FAILURE}, too, so they must be excluded.
    private static boolean isShenandoah(GcActivity gc) {
        return gc.promotedBytesPerS().isEmpty() || gc.causeShare(Stalls.SHENANDOAH_IN_TIME) > 0;
    }

    private static double sureOfLate(double late, double stopped) {
        return Math.max(
                confidence(late, LATE_LIMIT, 0.8, 0.70, 0.85),
                stopped < GcCost.PAUSE_SHARE_LIMIT
                        ? 0
                        : confidence(stopped, GcCost.PAUSE_SHARE_LIMIT, 0.4, 0.70, 0.95));
    }

    private static List<EvidenceLine> lines(
            Evidence evidence, Round round, double waiting, double stalled, double late) {
        GcActivity gc = round.gc().orElseThrow();
        String load = load(evidence, round);
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.STALLED,
                        say(
                                "%s%.1f threads on average wait for the collector to free memory",
                                load, waiting),
                        stalled,
                        STALLED_LIMIT));
        double tooLate = Math.max(late, gc.causeShare(ZGC_LATE));
        lines.add(
                line(
                        Figure.LATE_COLLECTIONS,
                        say("%s%.0f %% of the collections came too late", load, tooLate * 100),
                        tooLate,
                        LATE_LIMIT));
        lines.add(
                line(
                        Figure.GC_PAUSE_SHARE,
                        say("%scollector pauses %.1f %% of the time", load, gc.pauseShare() * 100),
                        gc.pauseShare(),
                        GcCost.PAUSE_SHARE_LIMIT));
        evidence.sign(Sign.GC_CORES)
                .ifPresent(c ->
                        lines.add(
                                line(
                                        Figure.GC_CORES,
                                        say("collector threads use %.2f cores", c),
                                        c,
                                        0)));
        return lines;
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return GcRecommendations.stalls(s);
    }
}
