package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.gc.GcSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The heap is too small for its live set.
final class LiveSet implements GcRule {

    /// Minimum live set for a warning, in percent of the heap. Jifa's limits are 60 for the heap
    /// and 80 for the old generation.
    static final double WARNING_PCT = 60;

    static final double CRITICAL_PCT = 100 * GcLimits.OLD_FULL;

    /// Minimum occupancy after young collections, in percent of G1's heap, if no marking was
    /// completed. Marking begins at 45 % and should leave space for copying.
    static final double FULL_PCT = 85;

    /// Minimum number of such collections; fewer may be chance.
    static final long SEVERAL = 2;

    /// True if G1's whole heap is nearly full. Only G1 keeps free space in all of its heap; with
    /// fixed generations, the old one fills up first.
    private static boolean isFull(Analysis a, double left, double max) {
        boolean grown = a.heap().maxIsStated() || a.heap().capacityChanges() == 0;
        return a.collector() == Collector.G1
                && a.heap().liveIsUpperBound()
                && grown
                && 100 * left >= FULL_PCT * max;
    }

    /// The result for memory still in use after the last collections, whether it is live or marking
    /// did not find it dead.
    private Ruling full(Analysis a, double left, double max) {
        long collections = a.count("young") + a.count("mixed");
        boolean once = collections < SEVERAL;
        String oneThread =
                a.setup().concurrentWorkers().orElse(0) == 1
                        ? " (1 thread marks: -XX:ConcGCThreads)"
                        : "";
        return found(
                once ? Severity.WARNING : Severity.CRITICAL,
                GcRule.say(
                        "%s of a heap of %s are in use after %s (%.0f %%)",
                        GcRule.bytes(left),
                        GcRule.bytes(max),
                        once ? "the one collection in this log" : "its last collections",
                        100 * left / max),
                "a collection that finds no room to copy to turns into a full one, which stops every"
                        + " request for seconds",
                List.of(
                        GcRule.evidence(
                                "share of the heap in use after collections",
                                100 * left / max,
                                "%",
                                FULL_PCT,
                                a.series().isEmpty()
                                        ? List.of()
                                        : List.of(a.series().getLast().line()))),
                List.of(
                        "alive, or not marked in time: a larger heap helps either; if a full collection"
                                + " (jcmd PID GC.run) frees much, start marking earlier: "
                                + MarkingTooLate.earlier(a, MarkingTooLate.EARLIER_PCT)
                                + oneThread),
                "collections leave less than " + (int) WARNING_PCT + " % of the heap in use");
    }

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Optional<Double> live = a.heap().liveBytes();
        Optional<Double> max = a.heap().maxBytes();
        if (live.isPresent() && max.isPresent() && isFull(a, live.get(), max.get())) {
            return full(a, live.get(), max.get());
        }
        if (live.isEmpty() || max.isEmpty() || a.heap().liveIsUpperBound()) {
            return notApplicable("no old collection shows what is alive");
        }
        double share = 100 * live.get() / max.get();
        if (share < WARNING_PCT) {
            return clear();
        }
        GcSetting g = a.setting();
        boolean fits = g.roomy().filter(g::hasMemoryFor).isPresent();
        List<GcAdvice> advice = new ArrayList<>();
        if (fits) {
            advice.add(GcAdvices.largeHeap(g));
        }
        advice.add(
                fits
                        ? GcAdvices.liveLess()
                        : GcAdvices.liveLess()
                                .because(
                                        "the machine has no memory for a roomy heap ("
                                                + GcRule.bytes(g.roomy().orElse(0.0))
                                                + ")"));
        return advising(
                share >= CRITICAL_PCT ? Severity.CRITICAL : Severity.WARNING,
                GcRule.say(
                        "%s of a heap of %s stays alive (%.0f %%)",
                        GcRule.bytes(live.get()), GcRule.bytes(max.get()), share),
                "the nearer the live set comes to the heap, the more often old is collected for"
                        + " less and less",
                List.of(
                        GcRule.evidence(
                                "live share of the heap",
                                share,
                                "%",
                                WARNING_PCT,
                                a.heap().floors().stream()
                                        .skip(Math.max(0, a.heap().floors().size() - 3))
                                        .map(Analysis.Floor::line)
                                        .toList())),
                advice,
                "old collections become rarer in proportion to the free space");
    }
}
