package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import java.util.ArrayList;
import java.util.List;

/// A survivor space was full after a collection, so further survivors of any age were promoted. The
/// requests in flight hold more memory than it has (F6).
final class SurvivorOverflow implements GcRule {

    /// Minimum share of collections with a full survivor space; fewer may be chance.
    static final double SHARE = 0.1;

    /// Minimum number of collections. The first ones of a JVM overflow because of its long-lived
    /// objects.
    static final long COLLECTIONS = 10;

    /// The same share for a log without age tables, which has only sizes. Below it, equal sizes may
    /// be chance.
    static final double SHARE_BY_SIZE = 0.3;

    /// Minimum size in bytes. Spaces as small as the heap's alignment are always full.
    static final long MIN_BYTES = 1 << 20;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Analysis.Ages ages = a.ages();
        if (ages.tables() == 0) {
            return bySize(a);
        }
        if (ages.tables() < COLLECTIONS) {
            return notApplicable("fewer than " + COLLECTIONS + " age tables");
        }
        double share = (double) ages.overflowed().count() / ages.tables();
        if (share < SHARE || a.promotedBytes() <= 0) {
            return clear();
        }
        // at the default TargetSurvivorRatio of 50 %
        return found(a, share, SHARE, 2 * ages.desiredBytes(), ages.overflowed());
    }

    /// The result without age tables: survivor spaces of a fixed size that are equally full after
    /// collections, with promotion.
    private Ruling bySize(Analysis a) {
        Analysis.Survivors s = a.survivors();
        boolean fixed =
                a.collector().hasContiguousGenerations() && a.collector() != Collector.PARALLEL;
        if (!fixed || s.collections() < COLLECTIONS || s.mostBytes() < MIN_BYTES) {
            return notApplicable(
                    "the log has no age tables (-Xlog:gc+age=trace or"
                            + " -XX:+PrintTenuringDistribution)");
        }
        double share = (double) s.full().count() / s.collections();
        return share < SHARE_BY_SIZE
                ? clear()
                : found(a, share, SHARE_BY_SIZE, (double) s.mostBytes(), s.full());
    }

    private Ruling found(Analysis a, double share, double limit, double survivor, Sightings full) {
        List<GcAdvice> advice = new ArrayList<>();
        if (a.collector().hasContiguousGenerations()) {
            PrematurePromotion.survivors(
                            a, survivor, 2 * survivor, "bytes of twice as many requests")
                    .ifPresent(advice::add);
        } else {
            GcRule.room(a).ifPresent(_ -> advice.add(GcAdvices.survivorSpace(a.setting())));
        }
        advice.add(
                GcAdvices.holdLess()
                        .because(
                                "the objects that requests in flight hold must fit into "
                                        + GcRule.bytes(survivor)));
        return advising(
                Severity.WARNING,
                GcRule.say("survivor spaces were full in %.0f %% of collections", 100 * share),
                "objects that do not fit move to old at any age and die there: only an old"
                        + " collection frees them",
                List.of(
                        GcRule.evidence(
                                "collections with a full survivor space",
                                share,
                                "",
                                limit,
                                full.lines())),
                advice,
                "gc+age in the next log: the ages add up to less than a survivor space");
    }
}
