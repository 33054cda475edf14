package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;
import java.util.Optional;

/// Shenandoah had to stop the application to finish a cycle.
final class Degenerated implements GcRule {

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.SHENANDOAH) {
            return notApplicable("only Shenandoah degenerates");
        }
        long count = a.count("degenerated");
        long full = a.count("full");
        if (count + full == 0) {
            return clear();
        }
        Analysis.CauseTotal late =
                GcRule.sum(a, c -> c.kind() == PauseKind.DEGENERATED || c.kind() == PauseKind.FULL);
        return advising(
                full > 0 || late.maxMs() >= LongPause.CRITICAL_MS
                        ? Severity.CRITICAL
                        : Severity.WARNING,
                GcRule.say(
                        "%d degenerated and %d full collections, %s of pauses",
                        count, full, GcRule.ms(late.totalMs())),
                "allocation outran the cycle: what should run beside the application stopped it",
                List.of(GcRule.evidence("degenerated and full", count + full, "", 0, late.lines())),
                GcRule.late(a, Optional.of(earlier(a))),
                "no Pause Degenerated GC in the next log");
    }

    /// First JDK whose Shenandoah has generations without an experimental flag (JEP 521).
    private static final int GENERATIONAL_FROM = 25;

    private static String earlier(Analysis a) {
        String earlier = "begin cycles earlier: -XX:ShenandoahMinFreeThreshold=20 (default 10)";
        return a.generational()
                ? earlier + "; what is promoted needs room in old, too: fewer survivors help both"
                : a.setup().feature().orElse(0) >= GENERATIONAL_FROM
                        ? earlier
                                + ", or -XX:ShenandoahGCMode=generational: a young cycle is"
                                + " shorter than one of the whole heap"
                        : earlier;
    }
}
