package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;

/// Pauses are longer than their goal.
final class PauseGoal implements GcRule {

    /// Maximum share of pauses above the goal in percent: a p99 at the goal.
    static final double MISSED_PCT = 1;

    /// Minimum number of pauses above the goal; a single one may belong to the start.
    static final long MISSED = 3;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.pauses().count() == 0) {
            return notApplicable("the log has no pause");
        }
        boolean stated = a.setup().flags().containsKey("MaxGCPauseMillis");
        if (a.collector() != Collector.G1 && a.pauseGoalMs() == 200 && !stated) {
            return notApplicable(
                    "no goal was given (--slo pause=…) and only G1 has one by default");
        }
        double missed = 100 * a.pausesAboveGoal();
        if (missed <= MISSED_PCT || a.pausesAboveGoal() * a.pauses().count() < MISSED - 0.5) {
            return clear();
        }
        return found(
                Severity.WARNING,
                GcRule.say(
                        "%.1f %% of the pauses are longer than the goal of %s",
                        missed, GcRule.ms(a.pauseGoalMs())),
                "a goal that is missed this often is no bound for RT",
                List.of(
                        GcRule.evidence(
                                "pauses above the goal",
                                missed,
                                "%",
                                MISSED_PCT,
                                List.of(a.pauses().maxLine()))),
                List.of(
                        a.pauses().p50() > a.pauseGoalMs()
                                ? "the median is above the goal too: no setting of the goal will"
                                        + " reach it; reduce what survives, or use a concurrent"
                                        + " collector (ZGC, Shenandoah)"
                                : "find what the long ones have in common: kind and cause of the"
                                        + " pauses in this report"),
                "the same load again: at most " + (int) MISSED_PCT + " % of pauses above the goal");
    }
}
