package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcLimits;
import java.util.ArrayList;
import java.util.List;

/// The collector takes too large a share of the run.
final class GcOverhead implements GcRule {

    /// Minimum share of the log's span in pauses for a warning, in percent. JMC's GcPauseRatioRule
    /// informs at 5 and warns at 10.
    static final double WARNING_PCT = 100 * GcLimits.STOPPED_SHARE_FELT;

    static final double CRITICAL_PCT = 100 * GcLimits.STOPPED_SHARE;

    /// Minimum length of a log in seconds. A shorter log shows only the start of the JVM.
    static final double START_S = 5;

    /// Length of a log in seconds below which the text mentions the length.
    static final double SHORT_S = 60;

    /// Minimum number of pauses. The span of a log begins and often ends with a pause, so few
    /// pauses would take a large share of it.
    static final long PAUSES = 5;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.spanS() <= 0) {
            return notApplicable("the log has no time stamps");
        }
        if (a.pauses().count() < PAUSES) {
            return notApplicable("fewer than " + PAUSES + " pauses");
        }
        double share = 100 * a.facts().stopped();
        if (share < WARNING_PCT) {
            return clear();
        }
        List<GcAdvice> advice = new ArrayList<>();
        advice.add(
                GcAdvice.words(
                        "fix the cause named by the other diagnoses of this log first; allocating"
                                + " less helps in every case"));
        GcRule.room(a).ifPresent(advice::add);
        return advising(
                share >= CRITICAL_PCT && a.spanS() >= START_S
                        ? Severity.CRITICAL
                        : Severity.WARNING,
                GcRule.say(
                        "the application stood still for the collector %.1f %% of the %s",
                        share,
                        a.spanS() < SHORT_S
                                ? GcRule.span(a.spanS()) + " that the log covers"
                                : "time"),
                "no request makes progress in a pause: QPS is lower by this share, and each pause"
                        + " adds to the RT of every request in flight",
                List.of(
                        GcRule.evidence(
                                "share of the run in GC pauses",
                                share,
                                "%",
                                WARNING_PCT,
                                List.of(a.pauses().maxLine()))),
                advice,
                "the same load again: the share of GC pauses must fall below "
                        + (int) WARNING_PCT
                        + " %");
    }
}
