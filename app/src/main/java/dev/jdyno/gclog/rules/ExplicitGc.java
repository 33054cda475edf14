package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Collector;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import dev.jdyno.gclog.PauseKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The application or a tool asks for collections.
final class ExplicitGc implements Rule {

    /// Share of all collections; JMC's SystemGcRule.
    static final double SHARE = 0.5;

    /// Share of all pauses' time.
    static final double TIME_SHARE = 0.05;

    @Override
    public String id() {
        return "explicit-gc";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        long asked = 0;
        long full = 0;
        long all = 0;
        double askedMs = 0;
        double longest = 0;
        List<Long> lines = new ArrayList<>();
        for (Analysis.CauseTotal c : a.causes()) {
            if (!c.kind().collects()) {
                continue;
            }
            all += c.count();
            if (c.cause().startsWith("System")) {
                asked += c.count();
                full += c.kind() == PauseKind.FULL ? c.count() : 0;
                askedMs += c.totalMs();
                longest = Math.max(longest, c.maxMs());
                lines.addAll(c.lines());
            }
        }
        if (asked == 0) {
            return clear();
        }
        double share = (double) asked / all;
        // Parallel answers one call by a young collection and a full one
        return found(
                severity(a, share, askedMs, longest),
                String.format(
                        Locale.ROOT,
                        "System.gc() was called %s, %s of pauses, the longest %s",
                        Rule.times(a.collector() == Collector.PARALLEL && full > 0 ? full : asked),
                        Rule.ms(askedMs),
                        Rule.ms(longest)),
                "each call stops the application for a whole-heap collection that the collector did"
                        + " not need",
                List.of(Rule.evidence("share of collections", share, "", SHARE, lines)),
                List.of(
                        "find the caller (a profiler's allocation view, or RMI's hourly"
                                + " sun.rmi.dgc intervals); -XX:+ExplicitGCInvokesConcurrent makes"
                                + " G1 and CMS do it beside the application",
                        "-XX:+DisableExplicitGC only when nothing relies on it: direct buffers are"
                                + " freed by such collections"),
                "no System.gc() in the next log");
    }

    /// By what the calls cost: a share of the run, the log's longest stop, a share of all pauses.
    private static Severity severity(Analysis a, double share, double askedMs, double longest) {
        boolean overhead = a.spanS() > 0 && askedMs / 10 / a.spanS() >= GcOverhead.CRITICAL_PCT;
        boolean worst = longest >= LongPause.CRITICAL_MS && longest >= a.pauses().max();
        if (overhead || worst) {
            return Severity.CRITICAL;
        }
        return share > SHARE
                        || askedMs > TIME_SHARE * a.pauses().total()
                        || longest >= LongPause.WARNING_MS
                ? Severity.WARNING
                : Severity.INFO;
    }
}
