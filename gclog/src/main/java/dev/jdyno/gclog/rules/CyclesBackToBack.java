package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;
import java.util.Optional;

/// The concurrent collector hardly rests: the next step of load makes it stall, degenerate, or
/// collect with the application stopped. Nothing in the pauses shows it.
final class CyclesBackToBack implements GcRule {
    /// Share of the run in which a cycle ran. A collector that starts a cycle when one more would
    /// just fit rests as long as the heap's headroom lasts; four fifths leave a fifth of headroom
    /// in speed.
    static final double WARNING_SHARE = 0.8;

    /// Fewest cycles to judge by.
    static final long CYCLES = 5;

    /// Fewest seconds: a warm-up alone marks all the time.
    static final double SHORTEST_S = 30;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        long cycles = a.count("concurrent");
        if (cycles < CYCLES || a.spanS() < SHORTEST_S) {
            return notApplicable("fewer than " + CYCLES + " cycles beside the application");
        }
        double share = a.cyclesBusyS() / a.spanS();
        if (share < WARNING_SHARE) {
            return clear();
        }
        return advising(
                Severity.WARNING,
                GcRule.say(
                        "the collector ran beside the application %.0f %% of the time, in %d cycles",
                        100 * share, cycles),
                "its threads take CPU from requests all that time, and it has no room for a peak",
                List.of(
                        GcRule.evidence(
                                "share of the run with a cycle under way",
                                share,
                                "",
                                WARNING_SHARE)),
                GcRule.late(a, Optional.empty()),
                a.collector() == Collector.G1
                        ? "pauses between two Concurrent Cycles in the next log"
                        : "the share of the run with a cycle under way falls");
    }
}
