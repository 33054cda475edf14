package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;

/// Finds a young collection that promoted far more than the others. Possible causes: a batch, a
/// cache that fills, or a load peak with more live objects than the survivor spaces hold.
final class PromotionBurst implements GcRule {
    /// Minimum share of the old generation promoted at once; Jifa's highPromotionThreshold.
    static final double OLD_SHARE = 0.03;

    /// Minimum ratio to the mean promotion of a collection. Below it, all collections promote
    /// similar amounts.
    static final double TIMES_MEAN = 10;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        double old = a.heap().oldCapacityBytes().or(() -> a.heap().maxBytes()).orElse(0.0);
        long young = a.count("young") + a.count("mixed");
        if (old <= 0 || young < 20 || a.heap().promotedMostBytes() == 0) {
            return notApplicable("the log does not show promotion, or has few young collections");
        }
        double max = a.heap().promotedMostBytes();
        double mean = a.promotedBytes() / young;
        if (max < OLD_SHARE * old || max < TIMES_MEAN * mean) {
            return clear();
        }
        return found(
                Severity.INFO,
                GcRule.say(
                        "one young collection promoted %s, %.1f %% of old; the mean is %s",
                        GcRule.bytes(max), 100 * max / old, GcRule.bytes(mean)),
                "a pause that copies so much is a long one, and a few of them bring the next old"
                        + " collection near",
                List.of(
                        GcRule.evidence(
                                "share of old promoted at once",
                                max / old,
                                "",
                                OLD_SHARE,
                                List.of(a.heap().promotedMostLine())),
                        GcRule.evidence("times the mean promotion", max / mean, "", TIMES_MEAN)),
                List.of(
                        "look at what the service did at that line (a batch, a cache warming, a"
                                + " large reply) and spread it over time or shrink its steps"),
                "no single collection of the next log promotes " + (int) (100 * OLD_SHARE) + " %");
    }
}
