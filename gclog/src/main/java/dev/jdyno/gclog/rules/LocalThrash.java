package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcLimits;
import java.util.List;

/// The run as a whole looks well, but a stretch of it stood still, for whatever reason: both shares
/// are of all stops, the collector's and others.
final class LocalThrash implements GcRule {

    /// Percent of a window stopped; garbagecat's localized throughput is bad below 90 %.
    static final double STOPPED_PCT = 100 * GcLimits.STOPPED_SHARE;

    /// Length of the window, s; JMC's GcPauseRatioRule slides over 60 s.
    static final double WINDOW_S = 60;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.spanS() < WINDOW_S) {
            return notApplicable("the log is shorter than " + (int) WINDOW_S + " s");
        }
        double share = a.spanPct(a.stopped().allMs());
        for (Analysis.WorstWindow w : a.stopped().worst()) {
            if (w.seconds() == WINDOW_S && w.stoppedPct() >= STOPPED_PCT && share < STOPPED_PCT) {
                return found(
                        Severity.WARNING,
                        GcRule.say(
                                "in the minute up to %.0f s it stood still %.0f %% of the time, over"
                                        + " the whole log of %s only %.1f %%",
                                w.endS(), w.stoppedPct(), GcRule.span(a.spanS()), share),
                        "a mean over hours hides the minute in which users waited",
                        List.of(
                                GcRule.evidence(
                                        "stopped share of the worst minute",
                                        w.stoppedPct(),
                                        "%",
                                        STOPPED_PCT,
                                        List.of(w.line()))),
                        List.of(
                                "look at what ran in that minute (a batch, a cache being filled, a"
                                        + " burst of load) and at the pauses around the line named"),
                        "the worst minute of the next log must stay below "
                                + (int) STOPPED_PCT
                                + " %");
            }
        }
        return clear();
    }
}
