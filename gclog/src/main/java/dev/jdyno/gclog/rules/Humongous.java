package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.gc.GcLimits;
import java.util.List;
import java.util.stream.Stream;

/// Objects of half a region or more bypass the young generation.
final class Humongous implements GcRule {
    /// Share of the heap that such objects fill; garbagecat and Jifa warn at half.
    static final double HEAP_SHARE = 0.5;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.G1) {
            return notApplicable("only G1 has humongous objects");
        }
        Analysis.CauseTotal started = GcRule.sum(a, c -> c.cause().equals(GcCauses.HUMONGOUS));
        long all = GcRule.sum(a, _ -> true).count();
        double max = a.heap().maxBytes().orElse(0.0);
        double heapShare = max > 0 ? (double) a.heap().humongousMaxBytes() / max : 0;
        double share = a.facts().causes().humongous();
        if (share < GcLimits.HUMONGOUS_SHARE && heapShare < HEAP_SHARE) {
            return clear();
        }
        return advising(
                Severity.WARNING,
                GcRule.say(
                                "humongous allocations started %d of %d collections",
                                started.count(), all)
                        + (a.heap().humongousMaxBytes() > 0
                                ? " and filled up to "
                                        + GcRule.bytes((double) a.heap().humongousMaxBytes())
                                : ""),
                "each takes whole regions, at once in old, and may start marking early",
                List.of(
                        GcRule.evidence(
                                "collections started by them",
                                share,
                                "",
                                GcLimits.HUMONGOUS_SHARE,
                                started.lines()),
                        GcRule.evidence(
                                "largest share of the heap",
                                heapShare,
                                "",
                                HEAP_SHARE,
                                List.of(a.heap().humongousMaxLine()))),
                advice(a),
                "the cause G1 Humongous Allocation disappears");
    }

    private static List<GcAdvice> advice(Analysis a) {
        return Stream.concat(
                        GcAdvices.regions(a.setting()).stream(),
                        Stream.of(GcAdvices.smallerArrays()))
                .toList();
    }
}
