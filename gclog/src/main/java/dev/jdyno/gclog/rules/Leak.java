package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.statistics.Trend;
import java.util.List;
import java.util.Optional;

/// The live set grows over the log (E7).
final class Leak implements GcRule {
    /// Minimum time between the first and the last floor in seconds. A shorter growth may be caches
    /// that fill.
    static final double SHORTEST_S = 30;

    /// Length in seconds from which growth is no longer warm-up.
    static final double LONG_S = 600;

    /// Time until the heap is full, in seconds, below which the leak is urgent: a day.
    static final double SOON_S = 24 * 3600;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Ruling trend = byTrend(a);
        return trend instanceof Ruling.Found
                ? trend
                : GrowthFromStart.in(a).map(grown -> found(grown, a)).orElse(trend);
    }

    private Ruling found(GrowthFromStart grown, Analysis a) {
        double left = Math.max(0, a.heap().maxBytes().orElse(0.0) - grown.last().bytes());
        return advising(
                Severity.WARNING,
                GcRule.say(
                        "what stays alive grew at one pace from the start: %s in %s%s",
                        GcRule.bytes((double) grown.last().bytes()),
                        GcRule.span(grown.last().atS()),
                        grown.ended()
                                ? ", until the heap was full"
                                : "; the heap is full in about "
                                        + GcRule.span(left / grown.perS())),
                "a leak, unless the start was not over: the log is too short to tell; full"
                        + " collections become frequent and then endless before memory runs out",
                List.of(
                        GcRule.evidence(
                                "growth per second late over growth per second since the start",
                                grown.pace(),
                                "",
                                GrowthFromStart.SLOWED,
                                List.of(grown.mid().line(), grown.last().line())),
                        GcRule.evidence("growth since the start", grown.perS(), "B/s", 0)),
                List.of(
                        GcAdvice.words(
                                "log for ten minutes or more, to see whether it still grows"),
                        GcAdvices.leak()),
                "floors of a longer log level off or go on");
    }

    private Ruling byTrend(Analysis a) {
        Optional<Trend> trend = a.heap().trend();
        Optional<Double> max = a.heap().maxBytes();
        if (trend.isEmpty() || trend.get().points() < GcLimits.RISE_POINTS || max.isEmpty()) {
            return notApplicable("fewer than " + GcLimits.RISE_POINTS + " old collections");
        }
        Trend t = trend.get();
        List<Analysis.Floor> floors = a.heap().floorsUntilFull();
        double over = floors.getLast().atS() - floors.getFirst().atS();
        double growth = t.perS() * over;
        if (over < SHORTEST_S) {
            return notApplicable("the log is too short to tell growth from warm-up");
        }
        long later = floors.getLast().bytes() - floors.get(floors.size() / 2).bytes();
        if (later < GcLimits.RISE_LATER_HALF * growth) {
            return clear();
        }
        if (t.z() < GcLimits.RISE_Z || growth < GcLimits.RISE_SHARE * max.get()) {
            return clear();
        }
        boolean full = floors.size() < a.heap().floors().size();
        double left = Math.max(0, max.get() - a.heap().liveBytes().orElse(0.0)) / t.perS();
        return advising(
                full || (over >= LONG_S && left < SOON_S) ? Severity.CRITICAL : Severity.WARNING,
                GcRule.say(
                        "the live set grows by %s an hour; the heap is %s",
                        GcRule.bytes(t.perS() * 3600),
                        full
                                ? "nearly full since line " + floors.getLast().line()
                                : "full in about " + GcRule.span(left)),
                "full collections become frequent and then endless before memory runs out",
                List.of(
                        GcRule.evidence(
                                "trend of what old collections leave",
                                t.perS(),
                                "B/s",
                                0,
                                List.of(floors.getFirst().line(), floors.getLast().line())),
                        GcRule.evidence("Mann–Kendall z of it", t.z(), "", GcLimits.RISE_Z)),
                List.of(GcAdvices.leak()),
                "floors of the next log stay level");
    }
}
