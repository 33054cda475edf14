package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Analysis.CauseTotal;
import dev.jdyno.gclog.sums.Sightings;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.gc.GcLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The application or a tool requests collections.
final class ExplicitGc implements GcRule {
    /// Maximum share of all pauses' time for requested collections.
    static final double TIME_SHARE = 0.05;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Predicate<CauseTotal> isCall = c -> GcCauses.isCalled(c.cause());
        Predicate<CauseTotal> isTool = c -> GcCauses.isAsked(c.cause()) && !isCall.test(c);
        CauseTotal calls = GcRule.sum(a, isCall);
        CauseTotal tools = GcRule.sum(a, isTool);
        Sightings cycles = a.trouble(Trouble.ASKED_CYCLE);
        List<Long> lines =
                Stream.of(calls.lines(), tools.lines(), cycles.lines())
                        .flatMap(List::stream)
                        .toList();
        if (calls.count() + tools.count() + cycles.count() == 0) {
            return clear();
        }
        double share = a.facts().causes().asked() + a.facts().causes().inspected();
        List<String> sentence = new ArrayList<>();
        if (calls.count() > 0) {
            sentence.add("System.gc() was called " + sentence(a, calls, isCall));
        }
        if (tools.count() > 0) {
            sentence.add(
                    "tools asked for a collection ("
                            + tools.cause()
                            + ") "
                            + sentence(a, tools, isTool));
        }
        if (cycles.any()) {
            sentence.add(
                    GcRule.say(
                            "System.gc() or a tool requested %d of %d cycles",
                            cycles.count(), a.count("concurrent")));
        }
        return advising(
                severity(
                        a,
                        share,
                        calls.totalMs() + tools.totalMs(),
                        Math.max(calls.maxMs(), tools.maxMs())),
                String.join("; ", sentence),
                cycles.any()
                        ? "each call takes the CPU of a whole cycle that the collector did not need"
                        : "each call stops the application for a whole-heap collection that the"
                                + " collector did not need",
                List.of(
                        GcRule.evidence(
                                "share of collections", share, "", GcLimits.ASKED_SHARE, lines)),
                advice(a, calls.count() + cycles.count() > 0, tools.count() > 0),
                calls.count() + cycles.count() > 0
                        ? "no System.gc() in the next log"
                        : "no such cause in the next log");
    }

    /// A sentence on the requested collections. Parallel runs a young and a full collection for one
    /// call, so only full collections count as calls.
    private static String sentence(Analysis a, CauseTotal asked, Predicate<CauseTotal> of) {
        long full = GcRule.sum(a, of.and(c -> c.kind() == PauseKind.FULL)).count();
        return GcRule.say(
                "%s, %s of pauses, the longest %s",
                GcRule.times(
                        a.collector() == Collector.PARALLEL && full > 0 ? full : asked.count()),
                GcRule.ms(asked.totalMs()),
                GcRule.ms(asked.maxMs()));
    }

    private static List<GcAdvice> advice(Analysis a, boolean called, boolean tools) {
        List<GcAdvice> advice = new ArrayList<>();
        if (called) {
            advice.add(GcAdvices.takeCallsOut());
            advice.add(GcAdvices.ignoreCalls(a.setting()));
        }
        if (tools) {
            advice.add(GcAdvices.inspectLess());
        }
        return advice;
    }

    /// The severity, by the cost of the calls: their share of the run, the longest stop of the log,
    /// and their share of all pauses.
    private static Severity severity(Analysis a, double share, double askedMs, double longest) {
        boolean overhead = a.spanS() > 0 && askedMs / 10 / a.spanS() >= GcOverhead.CRITICAL_PCT;
        boolean worst = longest >= LongPause.CRITICAL_MS && longest >= a.pauses().max();
        if (overhead || worst) {
            return Severity.CRITICAL;
        }
        return share > GcLimits.ASKED_SHARE
                        || askedMs > TIME_SHARE * a.pauses().total()
                        || longest >= LongPause.WARNING_MS
                ? Severity.WARNING
                : Severity.INFO;
    }
}
