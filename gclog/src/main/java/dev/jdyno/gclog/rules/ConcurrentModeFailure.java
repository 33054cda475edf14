package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// CMS did not finish before the old generation was full, or found it fragmented.
final class ConcurrentModeFailure implements GcRule {

    /// Recommended occupancy of the old generation, in percent, at which a cycle starts, if CMS's
    /// own choice was too late.
    static final int EARLIER_PCT = 60;

    private static final String REMOVE_INCREMENTAL =
            "remove CMSIncrementalMode: it is obsolete, and its cycles end later";

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Sightings failure = a.trouble(Trouble.CONCURRENT_MODE_FAILURE);
        Sightings promotion = a.trouble(Trouble.PROMOTION_FAILED);
        if (a.collector() != Collector.CMS) {
            return notApplicable("only CMS has it");
        }
        if (!failure.any() && !promotion.any()) {
            return clear();
        }
        boolean fragmented = promotion.count() > failure.count();
        List<GcAdvice> advice = new ArrayList<>();
        String incremental =
                "true".equals(a.setup().flags().get("CMSIncrementalMode"))
                        ? REMOVE_INCREMENTAL + "; "
                        : "";
        Optional<Analysis.FailedWithRoom> withFreeSpace =
                a.heap().failedWithRoom().filter(r -> 2 * r.count() >= failure.count());
        if (livesTooMuch(a)) {
            advice.add(larger(a));
            if (!incremental.isEmpty()) {
                advice.add(GcAdvice.words(REMOVE_INCREMENTAL));
            }
        } else if (withFreeSpace.isPresent()) {
            advice.add(
                    GcAdvice.words(incremental + fragmented(withFreeSpace.get(), failure.count())));
            advice.add(GcAdvice.words("or " + earlier()));
        } else {
            advice.add(
                    GcAdvice.words(
                            incremental
                                    + (fragmented
                                            ? "failed promotions without concurrent mode failures:"
                                                    + " old is fragmented; a larger old, fewer"
                                                    + " promotions, or G1"
                                            : earlier())));
        }
        advice.add(GcAdvice.words("CMS is gone since JDK 14: plan for G1 or ZGC"));
        return advising(
                Severity.CRITICAL,
                sentence(failure.count(), promotion.count()),
                "each falls back to a full collection by one thread",
                List.of(
                        GcRule.evidence(
                                "concurrent mode failures",
                                failure.count(),
                                "",
                                0,
                                failure.lines()),
                        GcRule.evidence(
                                "failed promotions", promotion.count(), "", 0, promotion.lines())),
                advice,
                "no concurrent mode failure in the next log");
    }

    private static String earlier() {
        return "start earlier: -XX:CMSInitiatingOccupancyFraction="
                + EARLIER_PCT
                + " -XX:+UseCMSInitiatingOccupancyOnly";
    }

    private static String fragmented(Analysis.FailedWithRoom withFreeSpace, long failures) {
        return GcRule.say(
                "fragmentation is likely: %s old was at most %.0f %% full and had room for all of"
                        + " young, but not in one piece: G1 compacts as it goes, or a larger old",
                failures == 1 ? "when it failed" : "at " + withFreeSpace.count() + " of them",
                100 * withFreeSpace.oldShare());
    }

    private static double oldBytes(Analysis a) {
        return a.heap().oldCapacityBytes().orElse(0.0);
    }

    private static double liveBytes(Analysis a) {
        return a.heap().liveIsUpperBound() ? 0 : a.heap().liveBytes().orElse(0.0);
    }

    /// True if the live set exceeds the occupancy at which cycles would start. Cycles would then
    /// never end.
    private static boolean livesTooMuch(Analysis a) {
        return oldBytes(a) > 0 && liveBytes(a) > EARLIER_PCT / 100.0 * oldBytes(a);
    }

    /// Advice for a heap whose old generation is twice the live set, if the machine has the memory.
    private static GcAdvice larger(Analysis a) {
        double heap = a.heap().maxBytes().orElse(0.0) - oldBytes(a) + 2 * liveBytes(a);
        String why =
                GcRule.say(
                        "%s alive fill %.0f %% of old (%s), so starting earlier does not help",
                        GcRule.bytes(liveBytes(a)),
                        Math.min(100, 100 * liveBytes(a) / oldBytes(a)),
                        GcRule.bytes(oldBytes(a)));
        return GcAdvices.heapIfItFits(a.setting(), heap, why);
    }

    private static String sentence(long failures, long promotions) {
        String failed = GcRule.count(failures, "concurrent mode failure");
        String fragmented = GcRule.count(promotions, "failed promotion");
        return failures == 0 ? fragmented : promotions == 0 ? failed : failed + ", " + fragmented;
    }
}
