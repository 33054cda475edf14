package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;
import java.util.Optional;

/// The speed at which promotion fills the old generation, and the hours until it is full (F10).
final class PromotionRate implements GcRule {

    /// Minimum acceptable time to the next full collection, in hours.
    static final double HOURS = 1;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (!a.collector().hasContiguousGenerations()) {
            return notApplicable("G1, ZGC and Shenandoah collect old concurrently");
        }
        Optional<Double> rate = a.promotedBytesPerS();
        Optional<Double> left = a.hoursToFull();
        if (rate.isEmpty() || left.isEmpty()) {
            return notApplicable("the log does not show promotion or the old generation's size");
        }
        double hours = left.get();
        // the old generation is filled by live objects, not by promotion
        if (hours >= HOURS || hours <= 0) {
            return clear();
        }
        return found(
                Severity.INFO,
                GcRule.say(
                        "%s an hour move into old: from empty to full in %s",
                        GcRule.bytes(rate.get() * 3600), GcRule.span(hours * 3600)),
                "the old collection that follows is the longest stop of this collector",
                List.of(
                        GcRule.evidence("hours until old is full", hours, "h", HOURS),
                        GcRule.evidence("promotion", rate.get(), "B/s", 0)),
                List.of("a larger young generation, or fewer objects held across collections"),
                "promotion falls, full collections become rarer");
    }
}
