package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import java.util.List;

/// A full collection came before G1's marking cycle was complete: marking began too late.
final class MarkingTooLate implements GcRule {
    /// Recommended percentage of the heap at which marking starts, if the default of 45 is too
    /// late.
    static final int EARLIER_PCT = 30;

    /// Minimum occupancy, as a share of the maximum heap. If the heap never reached it, the full
    /// collection had another reason, such as an array larger than any group of adjacent free
    /// regions.
    static final double NEARLY_FULL = 0.5;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.G1) {
            return notApplicable("only G1's cycles are aborted so");
        }
        Sightings aborted = a.trouble(Trouble.MARKING_ABORTED);
        if (!aborted.any()) {
            return clear();
        }
        if (a.heap().highestBytes() < NEARLY_FULL * a.heap().maxBytes().orElse(0.0)) {
            return notApplicable("the heap was not full when it was collected: see full-gc");
        }
        double live = a.heap().liveBytes().orElse(0.0);
        double max = a.heap().maxBytes().orElse(0.0);
        boolean full = max > 0 && live > max * EARLIER_PCT / 100 && !a.heap().liveIsUpperBound();
        return advising(
                Severity.CRITICAL,
                GcRule.say(
                        "%d of %d marking cycles were cut short by a full collection",
                        aborted.count(), a.count("concurrent")),
                "the work of the cycle is lost, and the full collection stops every request for as"
                        + " long as compacting the heap takes",
                List.of(GcRule.evidence("aborted cycles", aborted.count(), "", 0, aborted.lines())),
                List.of(
                        full
                                ? GcAdvices.heapIfItFits(
                                        a.setting(),
                                        live * 100 / EARLIER_PCT,
                                        GcRule.say(
                                                "%s stay alive, so marking cannot start early"
                                                        + " enough in %s",
                                                GcRule.bytes(live), GcRule.bytes(max)))
                                : GcAdvice.words(
                                        earlier(a, EARLIER_PCT) + ": start marking earlier")),
                "no Concurrent Mark Abort (concurrent-mark-abort before JDK 9) in the next log");
    }

    /// The flags for an earlier start. JDK 9 and later adapt the threshold by default; JDK 8 does
    /// not know the flag that disables this and would not start with it.
    static String earlier(Analysis a, int percent) {
        return "-XX:InitiatingHeapOccupancyPercent="
                + percent
                + GcRule.byJdk(a, " -XX:-G1UseAdaptiveIHOP", "");
    }
}
