package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;

/// Native code that holds arrays delays collections.
final class GcLocker implements GcRule {

    /// Minimum share of collections caused by the GC locker; JMC's GcLockerRule.
    static final double SHARE = 0.1;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Analysis.CauseTotal locked = GcRule.sum(a, c -> c.cause().startsWith("GCLocker"));
        long all = GcRule.sum(a, _ -> true).count();
        double share = all == 0 ? 0 : (double) locked.count() / all;
        if (share < SHARE) {
            return clear();
        }
        return found(
                Severity.WARNING,
                GcRule.say(
                        "%d of %d collections were started by the GC locker", locked.count(), all),
                "JNI critical sections put collections off; they then run at a bad moment, and"
                        + " threads wait for memory meanwhile",
                List.of(GcRule.evidence("share of collections", share, "", SHARE, locked.lines())),
                List.of(
                        "find the native library that holds arrays (compression, image codecs)",
                        "JDK 22 and later with G1 pin regions instead (JEP 423)"),
                "collections with the cause GCLocker Initiated GC below 10 %");
    }
}
