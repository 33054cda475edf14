package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Threads take long to reach a safepoint, in a single stop or in the sum of all stops.
final class TimeToSafepoint implements GcRule {

    /// Limit in ms; a healthy JVM needs well below 1 ms.
    static final double WARNING_MS = 50;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (!a.stopped().safepointsLogged()) {
            return notApplicable("safepoints are not logged (-Xlog:safepoint)");
        }
        Optional<Analysis.SafepointTotal> slowest =
                a.safepoints().stream()
                        .max(Comparator.comparingDouble(Analysis.SafepointTotal::maxReachingMs));
        double worst = slowest.map(Analysis.SafepointTotal::maxReachingMs).orElse(0.0);
        double share = a.spanPct(a.stopped().reachingMs());
        if (worst < WARNING_MS && share < GcOverhead.WARNING_PCT) {
            return clear();
        }
        return advising(
                worst >= LongPause.CRITICAL_MS || share >= GcOverhead.CRITICAL_PCT
                        ? Severity.CRITICAL
                        : Severity.WARNING,
                GcRule.say(
                        "threads took up to %s to reach a safepoint (%s)%s",
                        GcRule.ms(worst),
                        slowest.map(Analysis.SafepointTotal::operation).orElse(""),
                        share >= GcOverhead.WARNING_PCT
                                ? GcRule.say(", in all %.1f %% of the run", share)
                                : ""),
                "all other threads wait for the last one, and GC pause times do not include this"
                        + " wait",
                List.of(
                        GcRule.evidence(
                                "longest time to safepoint",
                                worst,
                                "ms",
                                WARNING_MS,
                                slowest.map(s -> List.of(s.maxLine())).orElse(List.of())),
                        GcRule.evidence("all time to safepoint", a.stopped().reachingMs(), "ms", 0),
                        GcRule.evidence(
                                "share of the run until the last thread had stopped",
                                share,
                                "%",
                                GcOverhead.WARNING_PCT)),
                advice(a, worst),
                "Reaching safepoint below 1 ms in the next log");
    }

    private static List<GcAdvice> advice(Analysis a, double worstMs) {
        return Stream.concat(
                        GcAdvices.loopPolls(a.setting()).stream(),
                        Stream.of(GcAdvices.nameLateThread(worstMs)))
                .toList();
    }
}
