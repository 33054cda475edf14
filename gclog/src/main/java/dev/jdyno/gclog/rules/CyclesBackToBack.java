package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;
import java.util.Optional;

/// The concurrent collector is almost always busy. With slightly more load it stalls threads,
/// degenerates, or collects while the application is stopped. Pauses do not show this.
final class CyclesBackToBack implements GcRule {
    /// Minimum share of the log's time in which a cycle is in progress, for a warning. A collector
    /// that starts a cycle just in time is idle while the heap has free space. At four fifths, a
    /// fifth of its speed is in reserve.
    static final double WARNING_SHARE = 0.8;

    /// Minimum number of cycles for a judgement.
    static final long CYCLES = 5;

    /// Minimum length of the log in seconds. During warm-up, marking may run all the time.
    static final double SHORTEST_S = 30;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        long cycles = a.count("concurrent");
        if (cycles < CYCLES || a.spanS() < SHORTEST_S) {
            return notApplicable("fewer than " + CYCLES + " concurrent cycles");
        }
        double share = a.cyclesBusyS() / a.spanS();
        if (share < WARNING_SHARE) {
            return clear();
        }
        return advising(
                Severity.WARNING,
                GcRule.say(
                        "the collector ran concurrently %.0f %% of the time, in %d cycles",
                        100 * share, cycles),
                "its threads take CPU from requests all that time, and it has no room for a peak",
                List.of(
                        GcRule.evidence(
                                "share of the time in which a cycle runs",
                                share,
                                "",
                                WARNING_SHARE)),
                GcRule.late(a, Optional.empty()),
                a.collector() == Collector.G1
                        ? "pauses between two Concurrent Cycles in the next log"
                        : "the share of the time in which a cycle runs falls");
    }
}
