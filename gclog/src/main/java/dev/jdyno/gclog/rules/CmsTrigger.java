package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.List;
import java.util.Map;

/// CMS starts its cycles at a wrong time. Either its occupancy fraction is only a hint, or live
/// data always exceed the fraction.
final class CmsTrigger implements GcRule {

    /// Minimum share of the log's time in which a cycle is in progress. Above it, the collector
    /// counts as never idle.
    static final double BUSY_SHARE = 0.5;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Map<String, String> flags = a.setup().flags();
        String fraction = flags.get("CMSInitiatingOccupancyFraction");
        if (a.collector() != Collector.CMS || fraction == null || !fraction.matches("\\d{1,3}")) {
            return notApplicable("not CMS, or no CMSInitiatingOccupancyFraction in the log's head");
        }
        double pct = Double.parseDouble(fraction);
        boolean onlyHint = !"true".equals(flags.get("UseCMSInitiatingOccupancyOnly"));
        double live = a.heap().liveBytes().orElse(0.0);
        double old = a.heap().oldCapacityBytes().orElse(0.0);
        double livePct = old > 0 && !a.heap().liveIsUpperBound() ? 100 * live / old : 0;
        double busy = a.spanS() > 0 ? a.cyclesBusyS() / a.spanS() : 0;
        if (livePct > pct && busy > BUSY_SHARE) {
            double roomy = live * 100 / pct * 1.2;
            return found(
                    Severity.WARNING,
                    GcRule.say(
                            "CMS starts when old is %.0f %% full, and %.0f %% of old stay alive:"
                                    + " CMS never stops",
                            pct, livePct),
                    "its threads take CPU from requests all the time and free next to nothing",
                    List.of(
                            GcRule.evidence("live share of old", livePct, "%", pct),
                            GcRule.evidence(
                                    "share of the time in which a cycle runs",
                                    busy,
                                    "",
                                    BUSY_SHARE)),
                    List.of(
                            GcRule.say(
                                    "an old generation of %s (-Xmx), or a fraction above %.0f",
                                    GcRule.flag(roomy), livePct)),
                    "the share of the time in which a cycle runs falls");
        }
        if (!onlyHint) {
            return clear();
        }
        return found(
                Severity.INFO,
                GcRule.say(
                        "CMSInitiatingOccupancyFraction=%.0f holds for the first cycle only", pct),
                "without UseCMSInitiatingOccupancyOnly the JVM goes by its own forecast afterwards,"
                        + " which comes late when load rises",
                List.of(GcRule.evidence("CMSInitiatingOccupancyFraction", pct, "%", pct)),
                List.of("-XX:+UseCMSInitiatingOccupancyOnly in addition"),
                "initial marks of the next log at this occupancy of old");
    }
}
