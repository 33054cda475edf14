package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Collector;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import dev.jdyno.gclog.Sightings;
import dev.jdyno.gclog.Trouble;
import java.util.List;

/// CMS did not finish before old was full, or found it fragmented.
final class ConcurrentModeFailure implements Rule {

    @Override
    public String id() {
        return "concurrent-mode-failure";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        Sightings failure = a.trouble(Trouble.CONCURRENT_MODE_FAILURE);
        Sightings promotion = a.trouble(Trouble.PROMOTION_FAILED);
        if (a.collector() != Collector.CMS) {
            return notApplicable("only CMS has it");
        }
        if (!failure.any() && !promotion.any()) {
            return clear();
        }
        boolean fragmented = promotion.count() > failure.count();
        return found(
                Severity.CRITICAL,
                said(failure.count(), promotion.count()),
                "each falls back to a full collection by one thread",
                List.of(
                        Rule.evidence(
                                "concurrent mode failures",
                                failure.count(),
                                "",
                                0,
                                failure.lines()),
                        Rule.evidence(
                                "failed promotions", promotion.count(), "", 0, promotion.lines())),
                List.of(
                        fragmented
                                ? "failed promotions without concurrent mode failures: old is"
                                        + " fragmented; a larger old, fewer promotions, or G1"
                                : "start earlier: -XX:CMSInitiatingOccupancyFraction=60"
                                        + " -XX:+UseCMSInitiatingOccupancyOnly",
                        "CMS is gone since JDK 14: plan for G1 or ZGC"),
                "no concurrent mode failure in the next log");
    }

    private static String said(long failures, long promotions) {
        String failed = Rule.count(failures, "concurrent mode failure");
        String fragmented = Rule.count(promotions, "failed promotion");
        return failures == 0 ? fragmented : promotions == 0 ? failed : failed + ", " + fragmented;
    }
}
