package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.GcCauses;
import dev.jdyno.measure.gc.GcLimits;
import java.util.ArrayList;
import java.util.List;

/// Full collections and their causes.
final class FullGc implements GcRule {
    /// Minimum number of full collections at which their mean interval is meaningful.
    static final long FREQUENT = 3;

    /// Interval between full collections in seconds below which they are frequent; Jifa's
    /// fullGCInterval.
    static final double INTERVAL_S = 60;

    /// Share of the run in percent below which frequent short full collections cost very little.
    static final double SHARE_PCT = 1;

    /// Minimum promotion per full collection, as a share of the old generation, at which promotion
    /// counts as the reason why it became full.
    static final double FILLED_BY_PROMOTION = 0.05;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.count("full") == 0) {
            return clear();
        }
        long count = 0;
        double longest = 0;
        double totalMs = 0;
        List<Evidence> evidence = new ArrayList<>();
        String main = "";
        for (Analysis.CauseTotal c : a.causes()) {
            if (c.kind() != PauseKind.FULL) {
                continue;
            }
            String cause = c.cause().isEmpty() ? "cause not in the log" : c.cause();
            if (isAsked(cause)) {
                continue;
            }
            main = main.isEmpty() ? cause : main;
            count += c.count();
            longest = Math.max(longest, c.maxMs());
            totalMs += c.totalMs();
            evidence.add(
                    GcRule.evidence(
                            GcRule.say(
                                    "full collections: %s, %s in all",
                                    cause, GcRule.ms(c.totalMs())),
                            c.count(),
                            "",
                            0,
                            c.lines()));
        }
        if (count == 0) {
            return notApplicable("all were asked for: see explicit-gc and metaspace-gc");
        }
        boolean frequent = count >= FREQUENT && a.spanS() > 0 && a.spanS() / count < INTERVAL_S;
        boolean ordinary =
                a.collector() == Collector.SERIAL
                        || a.collector() == Collector.PARALLEL
                        || a.collector() == Collector.UNKNOWN;
        if (ordinary && !frequent && longest < LongPause.WARNING_MS) {
            return clear();
        }
        boolean costly =
                totalMs / 10 >= SHARE_PCT * a.spanS()
                        || (!ordinary && longest >= LongPause.WARNING_MS);
        return found(
                (frequent && costly) || longest >= LongPause.CRITICAL_MS
                        ? Severity.CRITICAL
                        : Severity.WARNING,
                sentence(a, count, main),
                ordinary
                        ? "each stops the application for a time that grows with the live set"
                        : "a full collection is the emergency brake of this collector: it should"
                                + " never run",
                evidence,
                advices(a, main, count, longest),
                "a log of the same length without a full collection");
    }

    /// Text such as `38 full collections, one every 22m, mostly: Ergonomics`.
    private static String sentence(Analysis a, long count, String main) {
        return GcRule.count(count, "full collection")
                + (count > 1 && a.spanS() > 0
                        ? ", one every " + GcRule.span(a.spanS() / count)
                        : "")
                + (count > 1 ? ", mostly: " : ": ")
                + main;
    }

    /// True if the cause is a lack of space for classes: metaspace, or the permanent generation
    /// before JDK 8.
    static boolean isMetadata(String cause) {
        return cause.startsWith("Metadata") || cause.equals(GcEvent.PERMANENT_GENERATION_FULL);
    }

    private static boolean isAsked(String cause) {
        return isMetadata(cause) || GcCauses.isAsked(cause);
    }

    private static List<String> advices(Analysis a, String main, long count, double longest) {
        List<String> all = new ArrayList<>();
        all.add(advice(a, main, count));
        if (a.setup().serialOld()
                && longest >= LongPause.CRITICAL_MS
                && !fillsHeap(a)
                && PhysicalMemory.onDisk(a).isEmpty()) {
            all.add(
                    "-XX:+UseParallelOldGC (the default from JDK 7u4): these full collections ran on"
                            + " one thread");
        }
        return all;
    }

    /// True if the live set fills the heap. Then neither more threads nor more space in the old
    /// generation helps.
    private static boolean fillsHeap(Analysis a) {
        double max = a.heap().maxBytes().orElse(0.0);
        return max > 0
                && a.heap().liveBytes().orElse(0.0) > LiveSet.WARNING_PCT / 100 * max
                && !a.heap().liveIsUpperBound();
    }

    private static String advice(Analysis a, String cause, long count) {
        double live = a.heap().liveBytes().orElse(0.0);
        double max = a.heap().maxBytes().orElse(0.0);
        if (fillsHeap(a)) {
            return GcRule.say(
                    "the live set fills %.0f %% of the heap: see live-set; the cause (%s) is only"
                            + " how it shows",
                    100 * live / max, cause);
        }
        if (a.collector() == Collector.CMS
                && (a.trouble(Trouble.PROMOTION_FAILED).any()
                        || a.trouble(Trouble.CONCURRENT_MODE_FAILURE).any())) {
            return "see concurrent-mode-failure";
        }
        if (a.collector() == Collector.SHENANDOAH) {
            return "see degenerated: a full collection is what it turns to when even that is too slow";
        }
        double old = a.heap().oldCapacityBytes().orElse(0.0);
        if (live > GcLimits.OLD_FULL * old && old > 0 && !a.heap().liveIsUpperBound()) {
            return GcRule.say(
                    "what lives (%s) fills old (%s): a larger old generation, by -Xms where the heap has"
                            + " not grown yet, else by -Xmx or a smaller -Xmn",
                    GcRule.bytes(live), GcRule.bytes(old));
        }
        if (a.trouble(Trouble.PROMOTION_FAILED).any()) {
            return "young collections found no room in old for what survived them (promotion failed):"
                    + " keep short-lived objects young, or give old more room";
        }
        double fills = old > 0 ? old : max;
        if (a.promotedBytes() > 0 && a.promotedBytes() < FILLED_BY_PROMOTION * fills * count) {
            return GcRule.say(
                    "young collections promoted only %s in all, so this is not what filled it: look for"
                            + " arrays too large for %s",
                    GcRule.bytes(a.promotedBytes()),
                    a.collector() == Collector.G1
                            ? "the free regions in one piece (humongous)"
                            : "Eden, which go straight into old");
        }
        if (a.promotedBytesPerS().orElse(0.0) > 0) {
            return GcRule.say(
                    "old fills by %s/s promoted: keep short-lived objects young, by a larger young"
                            + " generation or fewer objects held",
                    GcRule.bytes(a.promotedBytesPerS().orElseThrow()));
        }
        return "log more ("
                + GcRule.byJdk(a, "-Xlog:gc*", "-XX:+PrintGCDetails")
                + ") to see what fills the old generation";
    }
}
