package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvices;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The GC threads take CPU time that requests could use, in pauses and concurrently.
final class GcCpu implements GcRule {

    /// Minimum CPU use of the collector for a warning, in percent of all CPUs. The default
    /// GCTimeRatio of G1 allows 8 % (1 / (1 + 12)).
    static final double WARNING_PCT = 8;

    static final double CRITICAL_PCT = 20;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.setup().cpus().isEmpty()
                || a.spanS() <= 0
                || a.pauses().count() < GcOverhead.PAUSES) {
            return notApplicable("the log lacks the number of CPUs, time stamps or enough pauses");
        }
        int cpus = a.setup().cpus().getAsInt();
        double inPauses = a.gcCpuPct().orElse(0.0);
        double workers =
                a.setup().concurrentWorkers().isPresent()
                        ? a.setup().concurrentWorkers().getAsInt()
                        : 0;
        // All concurrent threads count as running during a whole cycle. Phases with one thread make
        // the true value slightly lower.
        double concurrentPercent = 100 * a.cyclesBusyS() / a.spanS() * Math.min(1, workers / cpus);
        double share = inPauses + concurrentPercent;
        if (share < WARNING_PCT) {
            return clear();
        }
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(GcRule.evidence("share of all CPUs", share, "%", WARNING_PCT));
        evidence.add(GcRule.evidence("of it in pauses", inPauses, "%", WARNING_PCT));
        evidence.add(
                GcRule.evidence(
                        "of it beside the application, at most",
                        concurrentPercent,
                        "%",
                        WARNING_PCT));
        return advising(
                share >= CRITICAL_PCT ? Severity.CRITICAL : Severity.WARNING,
                GcRule.say("the collector took up to %.0f %% of %d CPUs", share, cpus),
                "where CPU is the bottleneck, QPS is lower by this share, although no pause"
                        + " shows it",
                evidence,
                Stream.concat(GcRule.room(a).stream(), Stream.of(GcAdvices.allocateLess()))
                        .toList(),
                "the same load: this share falls, and saturated QPS rises by it");
    }
}
