package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;
import java.util.Optional;

/// Threads waited for ZGC to free memory. Pauses do not show this.
final class AllocationStalls implements GcRule {

    /// Minimum number of stalls per minute for critical. JMC's ZGCAllocationStallRule informs at 10
    /// and warns at 100.
    static final double CRITICAL_PER_MINUTE = 100;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.ZGC) {
            return notApplicable("only ZGC stalls");
        }
        Analysis.Stalls s = a.stalls();
        if (s.count() == 0) {
            return clear();
        }
        double perMinute = a.spanS() > 0 ? s.count() / (a.spanS() / 60) : (double) s.count();
        return advising(
                perMinute >= CRITICAL_PER_MINUTE ? Severity.CRITICAL : Severity.WARNING,
                GcRule.say(
                        "%d allocation stalls, %s of threads' time, the longest %s",
                        s.count(), GcRule.ms(s.totalMs()), GcRule.ms(s.maxMs())),
                "a stalled request waits for the collector as in a pause, while the pause figures"
                        + " look excellent",
                List.of(
                        GcRule.evidence("stalls per minute", perMinute, "1/min", 0, s.lines()),
                        GcRule.evidence("longest stall", s.maxMs(), "ms", 0)),
                GcRule.late(
                        a,
                        a.generational()
                                ? Optional.empty()
                                : Optional.of(
                                        "generational ZGC (-XX:+ZGenerational in JDK 21 and 22, the"
                                                + " default from 23)")),
                "no line Allocation Stall in the next log");
    }
}
