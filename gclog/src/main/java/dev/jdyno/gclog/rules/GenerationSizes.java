package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;

/// Finds a generation that is only a very small part of the heap.
final class GenerationSizes implements GcRule {
    /// Minimum share of the heap for a generation; Jifa's smallGeneration.
    static final double SHARE = 0.1;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        double young = a.heap().youngBytes().orElse(0.0);
        double old = a.heap().oldCapacityBytes().orElse(0.0);
        if (!a.collector().hasContiguousGenerations() || young <= 0 || old <= 0) {
            return notApplicable("the log does not show two generations of fixed sizes");
        }
        double youngShare = young / (young + old);
        if (youngShare >= SHARE && youngShare <= 1 - SHARE) {
            return clear();
        }
        boolean youngIsSmall = youngShare < SHARE;
        double live = a.heap().liveBytes().orElse(0.0);
        double spare = young + old - 1.5 * live;
        double quarter = Math.max(young, Math.min((young + old) / 4, spare));
        return found(
                Severity.INFO,
                GcRule.say(
                        "the %s generation has %.0f %% of the heap",
                        youngIsSmall ? "young" : "old",
                        100 * (youngIsSmall ? youngShare : 1 - youngShare)),
                youngIsSmall
                        ? "young collections come often, and objects are promoted before they die"
                        : "what survives has no room: every promotion brings a full collection near",
                List.of(
                        GcRule.evidence("young", young, "B", SHARE * (young + old)),
                        GcRule.evidence("old", old, "B", SHARE * (young + old))),
                List.of(
                        youngIsSmall
                                ? GcRule.say(
                                        "-Xmn%s (now %s): a quarter of the heap (F12), as far as %s"
                                                + " alive leave room",
                                        GcRule.flag(quarter),
                                        GcRule.bytes(young),
                                        GcRule.bytes(live))
                                : "a smaller -Xmn or a larger -Xmx: old must hold the live set and"
                                        + " half of it again"),
                "young collections a second and full collections of the next log");
    }
}
