package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import dev.jdyno.measure.gc.Collector;
import java.util.List;

/// G1 found no free region into which to copy survivors.
final class EvacuationFailure implements GcRule {

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.G1) {
            return notApplicable("only G1 evacuates");
        }
        Sightings s = a.trouble(Trouble.EVACUATION_FAILURE);
        if (!s.any()) {
            return clear();
        }
        return found(
                Severity.CRITICAL,
                GcRule.say(
                        "%s, %s of pauses",
                        GcRule.count(s.count(), "evacuation failure"), GcRule.ms(s.totalMs())),
                "the pause must undo the copying, and a full collection often follows",
                List.of(GcRule.evidence("evacuation failures", s.count(), "", 0, s.lines())),
                List.of(
                        a.count("concurrent") == 0
                                ? "a larger heap: no marking cycle ran at all, so the young"
                                        + " generation alone filled it"
                                : "start marking earlier: "
                                        + MarkingTooLate.earlier(a, MarkingTooLate.EARLIER_PCT)
                                        + ", or keep more in reserve:"
                                        + " -XX:G1ReservePercent=20; a larger heap helps both"),
                "no to-space exhausted (JDK 17 and before) or Evacuation Failure (later) in the"
                        + " next log");
    }
}
