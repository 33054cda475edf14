package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Collector;
import dev.jdyno.gclog.Diagnosis.Evidence;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import dev.jdyno.gclog.PauseKind;
import dev.jdyno.gclog.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Full collections, and what forced them.
final class FullGc implements Rule {

    /// s between full collections below which they are frequent; Jifa's fullGCInterval.
    static final double INTERVAL_S = 60;

    /// Live share of the old generation's present size that makes full collections endless; Jifa's
    /// limit is 80 %.
    static final double OLD_FULL = 0.8;

    @Override
    public String id() {
        return "full-gc";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        long count = a.count("full");
        if (count == 0) {
            return clear();
        }
        List<Evidence> evidence = new ArrayList<>();
        String main = "";
        boolean onlyAsked = true;
        for (Analysis.CauseTotal c : a.causes()) {
            if (c.kind() != PauseKind.FULL) {
                continue;
            }
            String cause = c.cause().isEmpty() ? "cause not in the log" : c.cause();
            main = main.isEmpty() ? cause : main;
            onlyAsked &= isAsked(cause);
            evidence.add(
                    Rule.evidence(
                            String.format(
                                    Locale.ROOT,
                                    "full collections: %s, %s in all",
                                    cause,
                                    Rule.ms(c.totalMs())),
                            c.count(),
                            "",
                            0,
                            c.lines()));
        }
        double interval = a.spanS() / count;
        boolean frequent = a.spanS() > 0 && interval < INTERVAL_S;
        if (onlyAsked) {
            return notApplicable("all were asked for: see explicit-gc and metaspace-gc");
        }
        boolean ordinary = a.collector() == Collector.SERIAL || a.collector() == Collector.PARALLEL;
        if (ordinary && !frequent) {
            return clear();
        }
        return found(
                frequent ? Severity.CRITICAL : Severity.WARNING,
                String.format(Locale.ROOT, "%d full collections, mostly: %s", count, main),
                ordinary
                        ? "each stops the application for a time that grows with the live set"
                        : "a full collection is the emergency brake of this collector: it should"
                                + " never run",
                evidence,
                List.of(advice(a, main)),
                "a log of the same length without a full collection");
    }

    static boolean isAsked(String cause) {
        return cause.startsWith("System")
                || cause.startsWith("Metadata")
                || cause.startsWith("Heap Dump")
                || cause.startsWith("Heap Inspection")
                || cause.startsWith("Diagnostic")
                || cause.startsWith("JvmtiEnv");
    }

    private static String advice(Analysis a, String cause) {
        double live = a.heap().liveBytes().orElse(0.0);
        double max = a.heap().maxBytes().orElse(0.0);
        if (max > 0 && live > 0.6 * max && !a.heap().liveIsUpperBound()) {
            return String.format(
                    Locale.ROOT,
                    "the live set fills %.0f %% of the heap: see live-set; the cause (%s) is only"
                            + " how it shows",
                    100 * live / max,
                    cause);
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
        if (live > OLD_FULL * old && old > 0 && !a.heap().liveIsUpperBound()) {
            return String.format(
                    Locale.ROOT,
                    "what lives (%s) fills old (%s): a larger old generation, by -Xms where the heap has"
                            + " not grown yet, else by -Xmx or a smaller -Xmn",
                    Rule.bytes(live),
                    Rule.bytes(old));
        }
        if (a.trouble(Trouble.PROMOTION_FAILED).any()) {
            return "young collections found no room in old for what survived them (promotion failed):"
                    + " keep short-lived objects young, or give old more room";
        }
        if (a.promotedBytesPerS().orElse(0.0) > 0) {
            return String.format(
                    Locale.ROOT,
                    "old fills by %s/s promoted: keep short-lived objects young (see"
                            + " premature-promotion, young-too-small)",
                    Rule.bytes(a.promotedBytesPerS().orElseThrow()));
        }
        return "log more (-Xlog:gc* or -XX:+PrintGCDetails) to see what fills the old generation";
    }
}
