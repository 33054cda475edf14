package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;

/// G1 marks, but full collections free the garbage instead of mixed collections.
final class MixedBehind implements GcRule {
    /// Minimum number of marking cycles for a judgement.
    static final long CYCLES = 3;

    /// Minimum number of mixed collections per cycle. Several follow a healthy cycle, up to
    /// G1MixedGCCountTarget = 8.
    static final double MIXED_PER_CYCLE = 1;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.G1) {
            return notApplicable("only G1 has mixed collections");
        }
        long cycles = a.count("concurrent") - a.count("aborted");
        if (cycles < CYCLES) {
            return notApplicable("fewer than " + CYCLES + " whole marking cycles");
        }
        double perCycle = (double) a.count("mixed") / cycles;
        if (perCycle >= MIXED_PER_CYCLE || a.count("full") == 0) {
            return clear();
        }
        return found(
                Severity.WARNING,
                GcRule.say(
                        "%d marking cycles were followed by %d mixed collections, and %d full ones",
                        cycles, a.count("mixed"), a.count("full")),
                "marking costs CPU and frees nothing by itself; old then fills until a full"
                        + " collection stops every request",
                List.of(
                        GcRule.evidence(
                                "mixed collections a marking cycle", perCycle, "", MIXED_PER_CYCLE),
                        GcRule.evidence("full collections", a.count("full"), "", 0)),
                List.of(
                        "-XX:G1HeapWastePercent=2 (default 5): go on with regions that hold less"
                                + " garbage",
                        "-XX:G1MixedGCLiveThresholdPercent=90 (default 85, experimental:"
                                + " -XX:+UnlockExperimentalVMOptions): take fuller regions too",
                        "when most of old is alive (see live-set) only a larger heap helps"),
                "mixed collections follow each Concurrent Cycle of the next log");
    }
}
