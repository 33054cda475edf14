package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcLimits;
import java.util.List;

/// The run as a whole is fine, but the application was mostly stopped during a part of it. Both
/// shares include all stops, by the collector and by other operations.
final class LocalThrash implements GcRule {

    /// Share of a window in which the application was stopped, in percent; garbagecat warns of a
    /// throughput below 90 %.
    static final double STOPPED_PCT = 100 * GcLimits.STOPPED_SHARE;

    /// Length of the window in seconds; JMC's GcPauseRatioRule uses a sliding window of 60 s.
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
