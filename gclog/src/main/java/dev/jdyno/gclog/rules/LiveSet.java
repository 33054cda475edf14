package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The heap is too small for what lives in it.
final class LiveSet implements GcRule {

    /// Live share of the heap, percent; Jifa's limits are 60 for the heap and 80 for old.
    static final double WARNING_PCT = 60;

    static final double CRITICAL_PCT = 80;

    /// Heap over live set that is roomy: JTune and Hunt & John take 3 to 4.
    static final double ROOMY = 3;

    @Override
    public String id() {
        return "live-set";
    }

    @Override
    public GcFinding evaluate(Analysis a, Given given) {
        Optional<Double> live = a.heap().liveBytes();
        Optional<Double> max = a.heap().maxBytes();
        if (live.isEmpty() || max.isEmpty() || a.heap().liveIsUpperBound()) {
            return notApplicable("no old collection shows what is alive");
        }
        double share = 100 * live.get() / max.get();
        if (share < WARNING_PCT) {
            return clear();
        }
        double roomy = ROOMY * live.get();
        boolean fits =
                a.setup().physicalBytes().isEmpty()
                        || roomy < 0.8 * a.setup().physicalBytes().getAsLong();
        return GcRule.asking(
                fits ? roomy : 0,
                found(
                        share >= CRITICAL_PCT ? Severity.CRITICAL : Severity.WARNING,
                        String.format(
                                Locale.ROOT,
                                "%s of a heap of %s stays alive (%.0f %%)",
                                GcRule.bytes(live.get()),
                                GcRule.bytes(max.get()),
                                share),
                        "the nearer the live set comes to the heap, the more often old is collected for"
                                + " less and less",
                        List.of(
                                GcRule.evidence(
                                        "live share of the heap",
                                        share,
                                        "%",
                                        WARNING_PCT,
                                        a.heap().floors().stream()
                                                .skip(Math.max(0, a.heap().floors().size() - 3))
                                                .map(Analysis.Floor::line)
                                                .toList())),
                        List.of(
                                fits
                                        ? String.format(
                                                Locale.ROOT,
                                                "-Xmx%s: %.0f × the live set",
                                                GcRule.flag(roomy),
                                                ROOMY)
                                        : "the machine has no memory for a roomy heap ("
                                                + GcRule.bytes(roomy)
                                                + "): keep less alive (caches, sessions)"),
                        "old collections become rarer in proportion to the free space"));
    }
}
