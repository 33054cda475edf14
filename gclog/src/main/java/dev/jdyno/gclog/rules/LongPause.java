package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.measure.gc.GcCauses;
import java.util.List;
import java.util.Map;

/// Finds a stop that was longer than users accept.
final class LongPause implements GcRule {

    /// Limit in ms; Jifa's longPauseThreshold.
    static final double WARNING_MS = 400;

    /// Limit in ms for ZGC and Shenandoah; Jifa's limit for pauseless collectors.
    static final double PAUSELESS_MS = 30;

    /// Limit in ms for critical; JMC's information limit for the longest pause.
    static final double CRITICAL_MS = 1000;

    /// Minimum number of pauses for which their median is representative.
    static final long SEVERAL = 10;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Distribution p = a.pauses();
        if (p.count() == 0) {
            return notApplicable("the log has no pause");
        }
        double limit = a.collector().isPauseless() ? PAUSELESS_MS : WARNING_MS;
        if (p.max() < limit) {
            return clear();
        }
        PauseKind kind =
                a.pausesByKind().entrySet().stream()
                        .filter(e -> e.getValue().maxLine() == p.maxLine())
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(PauseKind.YOUNG);
        return found(
                p.max() >= CRITICAL_MS ? Severity.CRITICAL : Severity.WARNING,
                GcRule.say(
                        "the longest pause (%s) took %s%s",
                        kind.key(),
                        GcRule.ms(p.max()),
                        p.count() >= SEVERAL && p.p50() >= limit
                                ? ", half of all " + GcRule.ms(p.p50()) + " or more"
                                : ""),
                "every request in flight waits that long, and the queue behind them needs about as"
                        + " long again to drain: the p99 of RT follows the longest pauses",
                List.of(
                        GcRule.evidence(
                                "longest pause", p.max(), "ms", limit, List.of(p.maxLine())),
                        GcRule.evidence("99th percentile of pauses", p.p99(), "ms", limit)),
                List.of(OddPauses.machine(a, p.maxLine()).orElseGet(() -> byKind(a, kind))),
                "the longest pause of a run of the same length must fall below "
                        + GcRule.ms(limit));
    }

    private static String byKind(Analysis a, PauseKind kind) {
        return switch (kind) {
            case FULL ->
                    "avoid full collections: see the diagnosis "
                            + fullCause(a)
                            + " for what asks for them";
            case DEGENERATED -> "see the diagnosis degenerated";
            case REMARK -> "see the diagnosis long-remark";
            default ->
                    "copying survivors dominates a young pause (F14): fewer objects that live across"
                            + " collections, or more GC threads where cores are idle";
        };
    }

    /// The diagnosis that explains the cause of the longest full collection.
    private static String fullCause(Analysis a) {
        String cause = "";
        double longest = 0;
        for (Analysis.CauseTotal c : a.causes()) {
            if (c.kind() == PauseKind.FULL && c.maxMs() > longest) {
                longest = c.maxMs();
                cause = c.cause();
            }
        }
        return GcCauses.isAsked(cause)
                ? "explicit-gc"
                : FullGc.isMetadata(cause) ? "metaspace-gc" : "full-gc";
    }
}
