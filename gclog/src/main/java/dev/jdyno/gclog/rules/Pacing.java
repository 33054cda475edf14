package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;
import java.util.Optional;

/// Shenandoah slowed down threads that allocate faster than it frees memory. Pauses do not show
/// this.
final class Pacing implements GcRule {
    /// Minimum delay in thread-seconds per second of the run, as if one thread of a hundred were
    /// always stopped.
    static final double SHARE = 0.01;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.SHENANDOAH) {
            return notApplicable("only Shenandoah paces");
        }
        Analysis.Stalls s = a.stalls();
        double share = a.spanS() > 0 ? s.totalMs() / 1000 / a.spanS() : 0;
        if (s.count() == 0 || share < SHARE) {
            return clear();
        }
        return advising(
                Severity.WARNING,
                GcRule.say(
                        "pacing held threads back for %s in all, one for %s in a single cycle",
                        GcRule.ms(s.totalMs()), GcRule.ms(s.maxMs())),
                "a request that is held back waits as in a pause, while the pause figures look"
                        + " excellent",
                List.of(
                        GcRule.evidence(
                                "thread-seconds of delay per second", share, "", SHARE, s.lines())),
                GcRule.late(
                        a,
                        Optional.of(
                                "begin cycles earlier: -XX:ShenandoahMinFreeThreshold=20 (default"
                                        + " 10); -XX:-ShenandoahPacing only trades delays for"
                                        + " degenerated collections")),
                "the table Allocation pacing accrued of the next log");
    }
}
