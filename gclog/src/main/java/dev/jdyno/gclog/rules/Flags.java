package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Flags that prevent the collector from adapting itself.
final class Flags implements GcRule {

    /// MaxGCPauseMillis in ms below which G1 has almost no choice. G1's documentation warns of
    /// aggressive goals without a figure. G1's shortest young pauses are of this order.
    static final double TIGHT_GOAL_MS = 20;

    /// First JDK whose G1 adapts the start of marking (JDK-8136677).
    private static final int ADAPTIVE_IHOP_FROM = 9;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.setup().flags().isEmpty()) {
            return notApplicable("the log has no flags (JDK 8 heads, -Xlog:arguments)");
        }
        Map<String, String> flags = a.setup().flags();
        double goalMs = GcSetting.number(flags, "MaxGCPauseMillis").orElse(0);
        List<String> advice = new ArrayList<>();
        if (a.collector() == Collector.G1
                && (flags.containsKey("NewSize") || flags.containsKey("NewRatio"))) {
            advice.add(
                    "remove -Xmn, NewSize and NewRatio: with G1 they switch its pause control off");
        }
        if (a.collector() == Collector.G1 && goalMs > 0 && goalMs < TIGHT_GOAL_MS) {
            advice.add(
                    GcRule.say(
                            "raise MaxGCPauseMillis=%.0f: G1 answers a goal below %.0f ms with a young"
                                    + " generation of its smallest size, collected all the time",
                            goalMs, TIGHT_GOAL_MS));
        }
        if (a.collector() == Collector.G1
                && flags.containsKey("InitiatingHeapOccupancyPercent")
                && !"false".equals(flags.get("G1UseAdaptiveIHOP"))
                && a.setup().feature().orElse(0) >= ADAPTIVE_IHOP_FROM) {
            advice.add(
                    "InitiatingHeapOccupancyPercent is the first guess only: G1 adapts it, unless"
                            + " -XX:-G1UseAdaptiveIHOP is set, too");
        }
        if (a.collector() == Collector.PARALLEL
                && flags.containsKey("SurvivorRatio")
                && !"false".equals(flags.get("UseAdaptiveSizePolicy"))) {
            advice.add(
                    "SurvivorRatio is where Parallel begins: it resizes survivors afterwards,"
                            + " unless -XX:-UseAdaptiveSizePolicy is set, too");
        }
        if (a.collector() == Collector.PARALLEL
                && "false".equals(flags.get("UseAdaptiveSizePolicy"))) {
            advice.add(
                    "remove -XX:-UseAdaptiveSizePolicy unless sizes were measured for this load:"
                            + " Parallel no longer follows it");
        }
        if (GcSetting.number(flags, "ParallelGCThreads").orElse(0) == 1
                && a.setup().cpus().orElse(2) > 1) {
            advice.add("remove ParallelGCThreads=1: one thread collects while all others wait");
        }
        if (flags.containsKey("CMSIncrementalMode")) {
            advice.add("remove CMSIncrementalMode: made for single cores, it slows others");
        }
        if ("0".equals(flags.get("MaxTenuringThreshold"))) {
            advice.add("remove MaxTenuringThreshold=0: it promotes every survivor at once");
        }
        if (advice.isEmpty()) {
            return clear();
        }
        return found(
                Severity.WARNING,
                GcRule.count(advice.size(), "flag")
                        + (advice.size() == 1 ? " works" : " work")
                        + " against the collector",
                "settings of another collector or release outlive their reason",
                List.of(GcRule.evidence("flags", advice.size(), "", 0)),
                advice,
                "the same load without them, side by side: jdyno gc BEFORE AFTER");
    }
}
