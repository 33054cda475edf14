package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.ArrayList;
import java.util.List;

/// Stops for other reasons than a collection. They do not include the time until the last thread
/// has stopped, which {@link TimeToSafepoint} judges.
final class OtherSafepoints implements GcRule {

    /// Minimum safepoint time over GC pause time; garbagecat's WARN_GC_SAFEPOINT_RATIO.
    static final double RATIO = 1.2;

    /// Minimum share of the run in percent at which these stops matter.
    static final double SHARE_PCT = 0.5;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (!a.stopped().safepointsLogged()) {
            return notApplicable("safepoints are not logged (-Xlog:safepoint)");
        }
        if (a.spanS() <= 0) {
            return notApplicable("the log has no time stamps");
        }
        double other = a.stopped().operationsMs();
        double share = a.spanPct(other);
        if (share < SHARE_PCT || other + a.stopped().gcMs() < RATIO * a.stopped().gcMs()) {
            return clear();
        }
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(
                GcRule.evidence(
                        "share of the run in stops that are no GC pause", share, "%", SHARE_PCT));
        List<Analysis.SafepointTotal> operations =
                a.safepoints().stream().filter(s -> !s.ofGc()).limit(2).toList();
        operations.forEach(s ->
                evidence.add(
                        GcRule.evidence(
                                GcRule.say("%s: %d times, longest", s.operation(), s.count()),
                                s.maxMs(),
                                "ms",
                                0,
                                List.of(s.maxLine()))));
        boolean leaving = a.stopped().leavingMs() > other / 2;
        return found(
                Severity.WARNING,
                GcRule.say(
                        "%s of stops are not GC pauses (%.1f %% of the run)",
                        GcRule.ms(other), share),
                "they stop every request just as GC pauses do, and no GC figure shows them",
                evidence,
                leaving
                        ? List.of(
                                "most of it is waking the threads again: too few cores for the"
                                        + " runnable threads")
                        : Operations.advice(a, operations),
                "other safepoints of the next log below " + SHARE_PCT + " % of the run");
    }
}
