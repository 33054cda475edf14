package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;

/// Finds a collector with one thread on a machine with several cores.
final class WrongCollector implements GcRule {

    /// Minimum heap size in bytes for which several GC threads pay off; HotSpot's own limit for a
    /// server-class machine.
    static final double HEAP_BYTES = 1792.0 * (1 << 20);

    /// Minimum share of the run in pauses, in percent, at which the collector matters.
    static final double SHARE_PCT = 2;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.SERIAL || a.setup().cpus().isEmpty()) {
            return notApplicable("not Serial, or the number of CPUs is not in the log");
        }
        double share = a.spanPct(a.pauses().total());
        if (a.setup().cpus().getAsInt() < 2
                || a.heap().maxBytes().orElse(0.0) < HEAP_BYTES
                || share < SHARE_PCT) {
            return clear();
        }
        return found(
                Severity.WARNING,
                GcRule.say(
                        "Serial collects %s with one thread on %d CPUs",
                        GcRule.bytes(a.heap().maxBytes().orElseThrow()),
                        a.setup().cpus().getAsInt()),
                "pauses could be shorter by about the number of cores",
                List.of(GcRule.evidence("share of the run in pauses", share, "%", SHARE_PCT)),
                List.of("-XX:+UseG1GC for RT, -XX:+UseParallelGC for throughput"),
                "pauses of the next log");
    }
}
