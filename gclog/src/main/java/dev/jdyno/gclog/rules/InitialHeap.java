package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;

/// -Xms is below -Xmx, and the heap had to grow under load.
final class InitialHeap implements GcRule {

    /// Maximum ratio of the initial to the maximum heap size at which the difference matters.
    /// garbagecat warns of any difference.
    static final double SHARE = 0.8;

    /// Minimum ratio of the largest to the initial heap size at which the heap counts as grown.
    static final double GROWN = 1.2;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Analysis.Heap h = a.heap();
        if (a.setup().initialHeapBytes().isEmpty() || h.maxBytes().isEmpty()) {
            return notApplicable("the log does not show -Xms and -Xmx");
        }
        double initial = a.setup().initialHeapBytes().getAsLong();
        double max = h.maxBytes().get();
        if (initial >= SHARE * max || h.highestCapacityBytes() < GROWN * initial) {
            return clear();
        }
        long collections = a.pauses().count();
        long early =
                a.series().stream()
                        .filter(p ->
                                p.capacityBytes() > 0
                                        && p.capacityBytes() < SHARE * h.highestCapacityBytes())
                        .mapToLong(Analysis.Point::merged)
                        .sum();
        return found(
                Severity.INFO,
                GcRule.say(
                        "the heap began with %s of %s and grew to %s",
                        GcRule.bytes(initial),
                        GcRule.bytes(max),
                        GcRule.bytes((double) h.highestCapacityBytes())),
                "while it grows, collections come more often than they will, and fresh pages are"
                        + " fetched inside pauses: after each start the first requests pay",
                List.of(
                        GcRule.evidence("initial over largest heap", initial / max, "", SHARE),
                        GcRule.evidence(
                                GcRule.say(
                                        "collections before it had %.0f %% of its size, of %d",
                                        100 * SHARE, collections),
                                early,
                                "",
                                0)),
                List.of(
                        GcRule.say(
                                "-Xms%1$s -Xmx%1$s -XX:+AlwaysPreTouch: all of it from the start"
                                        + " (not where idle JVMs share the machine)",
                                GcRule.flag(max))),
                "one capacity from the first line of the next log on");
    }
}
