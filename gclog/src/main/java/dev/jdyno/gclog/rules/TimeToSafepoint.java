package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;
import java.util.Locale;

/// Threads take long to reach a safepoint.
final class TimeToSafepoint implements GcRule {

    /// ms; a healthy JVM needs well below one.
    static final double WARNING_MS = 50;

    @Override
    public String id() {
        return "time-to-safepoint";
    }

    @Override
    public GcFinding evaluate(Analysis a, Given given) {
        if (!a.stopped().safepointsLogged()) {
            return notApplicable("safepoints are not logged (-Xlog:safepoint)");
        }
        double worst = 0;
        long line = 0;
        String operation = "";
        for (Analysis.SafepointTotal s : a.safepoints()) {
            if (s.maxReachingMs() > worst) {
                worst = s.maxReachingMs();
                line = s.maxLine();
                operation = s.operation();
            }
        }
        if (worst < WARNING_MS) {
            return clear();
        }
        return found(
                worst >= LongPause.CRITICAL_MS ? Severity.CRITICAL : Severity.WARNING,
                String.format(
                        Locale.ROOT,
                        "threads took up to %s to reach a safepoint (%s)",
                        GcRule.ms(worst),
                        operation),
                "all others stand and wait for the last one; the GC's own pause time does not hold"
                        + " it",
                List.of(
                        GcRule.evidence(
                                "longest time to safepoint",
                                worst,
                                "ms",
                                WARNING_MS,
                                List.of(line)),
                        GcRule.evidence(
                                "all time to safepoint", a.stopped().reachingMs(), "ms", 0)),
                List.of(
                        GcRule.byJdk(
                                        a,
                                        "-Xlog:safepoint*=debug names the thread; usual are counted"
                                                + " loops",
                                        "-XX:+SafepointTimeout -XX:SafepointTimeoutDelay=100 names"
                                                + " the thread; usual are counted loops (JDK 8:"
                                                + " -XX:+UseCountedLoopSafepoints)")
                                + ", large array copies, memory mapped files on a slow disk, or too"
                                + " few cores"),
                "Reaching safepoint below 1 ms in the next log");
    }
}
