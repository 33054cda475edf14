package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The application or a tool asks for collections.
final class ExplicitGc implements Rule {

    /// Share of all collections; JMC's SystemGcRule.
    static final double SHARE = 0.5;

    @Override
    public String id() {
        return "explicit-gc";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        long asked = 0;
        long all = 0;
        double askedMs = 0;
        List<Long> lines = new ArrayList<>();
        for (Analysis.CauseTotal c : a.causes()) {
            if (!c.kind().collects()) {
                continue;
            }
            all += c.count();
            if (c.cause().startsWith("System")) {
                asked += c.count();
                askedMs += c.totalMs();
                lines.addAll(c.lines());
            }
        }
        if (asked == 0) {
            return clear();
        }
        double share = (double) asked / all;
        return found(
                share > SHARE || askedMs > 0.05 * a.pauses().total()
                        ? Severity.WARNING
                        : Severity.INFO,
                String.format(
                        Locale.ROOT,
                        "System.gc() was called %d times, %s of pauses",
                        asked,
                        Rule.ms(askedMs)),
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
}
