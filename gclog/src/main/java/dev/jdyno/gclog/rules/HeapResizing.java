package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;

/// The heap grows and shrinks while the JVM serves requests.
final class HeapResizing implements GcRule {

    /// Minimum number of capacity changes per hour.
    static final double PER_HOUR = 60;

    /// Maximum ratio of the smallest to the largest capacity. Above it, the changes are only
    /// rounding.
    static final double SPAN = 0.8;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Analysis.Heap h = a.heap();
        if (a.spanS() < 60 || h.highestCapacityBytes() == 0) {
            return notApplicable("the log is too short or has no capacities");
        }
        double perHour = h.capacityChanges() / (a.spanS() / 3600);
        if (perHour < PER_HOUR
                || h.lowestCapacityBytes() > SPAN * h.highestCapacityBytes()
                || h.capacityChanges() < 10) {
            return clear();
        }
        return found(
                Severity.INFO,
                GcRule.say(
                        "the heap changed its size %d times, between %s and %s",
                        h.capacityChanges(),
                        GcRule.bytes((double) h.lowestCapacityBytes()),
                        GcRule.bytes((double) h.highestCapacityBytes())),
                "memory given back must be fetched again, page by page, inside pauses",
                List.of(GcRule.evidence("changes per hour", perHour, "1/h", PER_HOUR)),
                List.of(
                        GcRule.say(
                                "-Xms%s -Xmx%s: a fixed size, if the memory is the JVM's own",
                                GcRule.flag(h.maxBytes().orElse((double) h.highestCapacityBytes())),
                                GcRule.flag(
                                        h.maxBytes().orElse((double) h.highestCapacityBytes()))),
                        switch (a.collector()) {
                            case ZGC ->
                                    "or -XX:-ZUncommit, or a longer -XX:ZUncommitDelay (300 s by"
                                            + " default): memory stays for the next peak";
                            case SHENANDOAH ->
                                    "or -XX:-ShenandoahUncommit, or a longer"
                                            + " -XX:ShenandoahUncommitDelay (300000 ms by default)";
                            default ->
                                    "or accept it where memory is shared and pauses are short enough";
                        }),
                "one capacity throughout the next log");
    }
}
