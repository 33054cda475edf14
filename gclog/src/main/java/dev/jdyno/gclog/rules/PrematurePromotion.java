package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.gc.GcSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Survivors do not fit into their space, so young objects are promoted (dynamic age F11,
/// experiment E21).
final class PrematurePromotion implements GcRule {
    /// Minimum share of collections that lowered the tenuring threshold below its maximum.
    static final double LOWERED_SHARE = 0.5;

    /// Minimum number of collections. The first ones of a JVM promote long-lived objects.
    static final long COLLECTIONS = 10;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Analysis.Ages ages = a.ages();
        if (ages.collections() == 0) {
            return notApplicable(
                    "the log has no tenuring information (-Xlog:gc+age=trace or"
                            + " -XX:+PrintTenuringDistribution)");
        }
        if (ages.collections() < COLLECTIONS) {
            return notApplicable("fewer than " + COLLECTIONS + " young collections");
        }
        double lowered = (double) ages.lowered().count() / ages.collections();
        boolean ageOne = ages.tables() > 0 && 2 * ages.ageOneAbove().count() > ages.tables();
        if (lowered < LOWERED_SHARE || (!a.facts().promotes() && !ageOne)) {
            return clear();
        }
        double promoted = a.facts().promotedShare();
        double ageOneBytes = ages.meanBytes().isEmpty() ? 0 : ages.meanBytes().getFirst();
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(
                GcRule.evidence(
                        GcRule.say(
                                "collections with a threshold below %d (down to %d)",
                                ages.maxThreshold(), ages.lowestThreshold()),
                        lowered,
                        "",
                        LOWERED_SHARE,
                        ages.lowered().lines()));
        if (ages.tables() > 0) {
            evidence.add(
                    GcRule.evidence(
                            "mean age-1 bytes, beside the desired survivor size",
                            ageOneBytes,
                            "B",
                            ages.desiredBytes(),
                            ages.ageOneAbove().lines()));
        }
        evidence.add(
                GcRule.evidence(
                        "promoted share of allocation", promoted, "", GcLimits.PROMOTED_SHARE));
        return advising(
                severity(a, ageOne),
                GcRule.say(
                        "objects are promoted young: the threshold was below %d in %.0f %% of"
                                + " collections, %.1f %% of what is allocated reaches old",
                        ages.maxThreshold(), 100 * lowered, 100 * promoted),
                "what dies in old is only freed by old collections, the expensive ones",
                evidence,
                advice(a, ageOneBytes),
                "gc+age in the next log: the threshold stays at its maximum, promotion falls");
    }

    /// The severity; critical only if the collections cost noticeable time, too.
    private static Severity severity(Analysis a, boolean ageOne) {
        if (ageOne) {
            boolean felt =
                    a.throughputPct().orElse(0.0) < 100 - GcOverhead.WARNING_PCT
                            || a.pauses().max() >= LongPause.WARNING_MS;
            return felt ? Severity.CRITICAL : Severity.WARNING;
        }
        boolean slow = a.hoursToFull().orElse(0.0) >= PromotionRate.HOURS;
        return slow ? Severity.INFO : Severity.WARNING;
    }

    private static List<GcAdvice> advice(Analysis a, double ageOneBytes) {
        GcSetting g = a.setting();
        List<GcAdvice> all = new ArrayList<>();
        if (!a.collector().hasContiguousGenerations()) {
            if (g.twiceTheRoom().filter(g::hasMemoryFor).isPresent()) {
                all.add(GcAdvices.survivorSpace(g));
            }
        } else if (ageOneBytes > 0) {
            // By the default TargetSurvivorRatio of 50 %, survivor spaces of twice the bytes of age
            // 1 keep these objects young. If such spaces exist already, the older ages do not fit.
            double now = 2 * a.ages().desiredBytes();
            boolean older = 2 * ageOneBytes <= now;
            survivors(
                            a,
                            now,
                            older ? 2 * now : 2 * ageOneBytes,
                            (older ? "older ages, too," : "age-1 bytes") + " at the 50 % target")
                    .ifPresent(all::add);
        }
        all.add(GcAdvices.holdLess());
        return all;
    }

    /// Advice for another size of the survivor spaces with an unchanged Eden, if the heap has room
    /// for them; empty if the log does not show the size of young.
    ///
    /// @param hold what the survivor spaces then hold, as text
    static Optional<GcAdvice> survivors(Analysis a, double now, double wanted, String hold) {
        double young = a.heap().youngBytes().orElse(0.0);
        double eden = Math.max(young - 2 * now, young / 3);
        String sizes = GcRule.bytes(wanted) + " (now " + GcRule.bytes(now) + ")";
        boolean fits = eden >= wanted && eden + 2 * wanted <= a.heap().maxBytes().orElse(0.0) / 2;
        return young <= 0
                ? Optional.empty()
                : Optional.of(
                        fits
                                ? GcAdvices.survivors(
                                        a.setting(),
                                        wanted,
                                        eden,
                                        0,
                                        "Make the survivor spaces larger (F11)",
                                        "survivors of "
                                                + sizes
                                                + " hold the "
                                                + hold
                                                + ", with Eden as it is")
                                : GcAdvice.words(
                                        "survivors of "
                                                + sizes
                                                + " would be needed, which this heap has no room"
                                                + " for: first a larger heap or fewer bytes held"));
    }
}
