package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Native code that holds arrays keeps collections waiting.
final class GcLocker implements GcRule {

    /// Share of collections; JMC's GcLockerRule.
    static final double SHARE = 0.1;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        long locked = 0;
        long all = 0;
        List<Long> lines = new ArrayList<>();
        for (Analysis.CauseTotal c : a.causes()) {
            if (!c.kind().collects()) {
                continue;
            }
            all += c.count();
            if (c.cause().startsWith("GCLocker")) {
                locked += c.count();
                lines.addAll(c.lines());
            }
        }
        if (all == 0 || (double) locked / all < SHARE) {
            return clear();
        }
        return found(
                Severity.WARNING,
                String.format(
                        Locale.ROOT,
                        "%d of %d collections were started by the GC locker",
                        locked,
                        all),
                "JNI critical sections put collections off; they then run at a bad moment, and"
                        + " threads wait for memory meanwhile",
                List.of(
                        GcRule.evidence(
                                "share of collections", (double) locked / all, "", SHARE, lines)),
                List.of(
                        "find the native library that holds arrays (compression, image codecs)",
                        "JDK 22 and later with G1 pin regions instead (JEP 423)"),
                "collections with the cause GCLocker Initiated GC below 10 %");
    }
}
