package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.event.Collector;
import dev.jdyno.gclog.sums.Analysis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Threads take long to reach a safepoint: one stop took long, or all of them together do.
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
        Optional<Analysis.SafepointTotal> slowest =
                a.safepoints().stream()
                        .max(Comparator.comparingDouble(Analysis.SafepointTotal::maxReachingMs));
        double worst = slowest.map(Analysis.SafepointTotal::maxReachingMs).orElse(0.0);
        double share = a.spanPct(a.stopped().reachingMs());
        if (worst < WARNING_MS && share < GcOverhead.WARNING_PCT) {
            return clear();
        }
        return found(
                worst >= LongPause.CRITICAL_MS || share >= GcOverhead.CRITICAL_PCT
                        ? Severity.CRITICAL
                        : Severity.WARNING,
                String.format(
                        Locale.ROOT,
                        "threads took up to %s to reach a safepoint (%s)%s",
                        GcRule.ms(worst),
                        slowest.map(Analysis.SafepointTotal::operation).orElse(""),
                        share >= GcOverhead.WARNING_PCT
                                ? String.format(Locale.ROOT, ", in all %.1f %% of the run", share)
                                : ""),
                "all others stand and wait for the last one; the GC's own pause time does not hold"
                        + " it",
                List.of(
                        GcRule.evidence(
                                "longest time to safepoint",
                                worst,
                                "ms",
                                WARNING_MS,
                                slowest.map(s -> List.of(s.maxLine())).orElse(List.of())),
                        GcRule.evidence("all time to safepoint", a.stopped().reachingMs(), "ms", 0),
                        GcRule.evidence(
                                "share of the run until the last thread stood",
                                share,
                                "%",
                                GcOverhead.WARNING_PCT)),
                advice(a),
                "Reaching safepoint below 1 ms in the next log");
    }

    private static List<String> advice(Analysis a) {
        List<String> all = new ArrayList<>();
        loopPolls(a).ifPresent(all::add);
        all.add(
                "-XX:+SafepointTimeout -XX:SafepointTimeoutDelay="
                        + (int) WARNING_MS
                        + " names the thread that is late; usual are counted loops, copying or"
                        + " filling large arrays, memory mapped files on a slow disk, and too few"
                        + " cores");
        return all;
    }

    /// How counted loops get a poll where they have none: it was switched off, or this collector
    /// does without it by default.
    private static Optional<String> loopPolls(Analysis a) {
        boolean off = "false".equals(a.setup().flags().get("UseCountedLoopSafepoints"));
        boolean on = "true".equals(a.setup().flags().get("UseCountedLoopSafepoints"));
        // a log that was switched on in the middle has no head
        int jdk = a.setup().feature().orElse(a.setup().unified() ? STRIP_MINING_FROM : 0);
        boolean byDefault =
                jdk >= STRIP_MINING_FROM
                        && (a.collector() == Collector.G1 || a.collector().isPauseless());
        return off
                ? Optional.of(
                        "remove -XX:-UseCountedLoopSafepoints: without it counted loops can stop"
                                + " in the middle")
                : on || byDefault
                        ? Optional.empty()
                        : Optional.of(
                                "-XX:+UseCountedLoopSafepoints lets counted loops stop in the"
                                        + " middle, which is not the default of this JDK with this"
                                        + " collector");
    }

    /// From here on the collectors that promise short pauses let counted loops stop (JDK-8186027).
    private static final int STRIP_MINING_FROM = 10;
}
