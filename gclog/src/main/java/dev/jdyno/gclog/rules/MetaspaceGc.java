package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;
import java.util.Optional;

/// Class metadata triggers collections.
final class MetaspaceGc implements GcRule {

    /// Minimum growth over the later half of the log that counts as a trend and not as warm-up.
    static final double GROWTH = 1.2;

    /// Minimum length of a log in seconds for a judgement of growth.
    static final double SETTLED_S = 600;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Analysis.CauseTotal forced = GcRule.sum(a, c -> FullGc.isMetadata(c.cause()));
        long count = forced.count();
        Optional<Analysis.Metaspace> m = a.heap().metaspace();
        boolean grows =
                m.isPresent()
                        && a.spanS() > SETTLED_S
                        && m.get().lastBytes() > GROWTH * m.get().halfwayBytes();
        if (count == 0 && !grows) {
            return clear();
        }
        double highest = m.map(x -> (double) x.highestBytes()).orElse(0.0);
        return found(
                grows ? Severity.WARNING : Severity.INFO,
                grows
                        ? GcRule.say(
                                "%s grew from %s to %s in the later half of the log",
                                a.setup().permanentGeneration()
                                        ? "the permanent generation"
                                        : "metaspace",
                                GcRule.bytes((double) m.get().halfwayBytes()),
                                GcRule.bytes((double) m.get().lastBytes()))
                        : GcRule.say(
                                "%s because %s, %s",
                                GcRule.count(count, "collection"),
                                a.setup().permanentGeneration()
                                        ? "the permanent generation was full"
                                        : "metaspace passed its threshold",
                                GcRule.ms(forced.totalMs())),
                "these collections have nothing to do with the heap; metaspace that never stops"
                        + " growing is a class loader leak",
                List.of(GcRule.evidence("collections for metadata", count, "", 0, forced.lines())),
                List.of(
                        highest > 0
                                ? GcRule.say(
                                        a.setup().permanentGeneration()
                                                ? "-XX:PermSize=%s -XX:MaxPermSize=%1$s: above what"
                                                        + " this run used (%s)"
                                                : "-XX:MetaspaceSize=%s: above what this run used (%s), so"
                                                        + " that the threshold is not met while starting",
                                        GcRule.flag(1.25 * highest),
                                        GcRule.bytes(highest))
                                : "log metaspace ("
                                        + GcRule.byJdk(a, "-Xlog:gc*", "-XX:+PrintGCDetails")
                                        + ") to choose -XX:MetaspaceSize"),
                "no collection with the cause Metadata GC Threshold");
    }
}
