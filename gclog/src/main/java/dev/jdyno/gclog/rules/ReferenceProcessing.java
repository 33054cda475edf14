package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.PhaseTotal;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Soft, weak, phantom and final references take a large part of the pauses. Either there are very
/// many of them, or only one thread processes them.
final class ReferenceProcessing implements GcRule {
    /// Minimum share of all pause time. Oracle's G1 tuning guide ("Reference Object Processing
    /// Takes Too Long") examines the same phases without a figure.
    static final double SHARE = 0.25;

    /// Minimum share of the run in this part, in percent, that requests notice.
    static final double RUN_PCT = 1;

    /// Minimum length of the longest reference processing, in ms, for a single one to matter. It is
    /// half of G1's default pause goal.
    static final double LONGEST_MS = 100;

    /// Names of reference processing in the logs. Each set is complete by itself: that of G1 in JDK
    /// 8, of unified logs, and of single kinds with -XX:+PrintReferenceGC.
    private static final List<Set<String>> WORDS =
            List.of(
                    Set.of("Ref Proc", "Ref Enq"),
                    Set.of("Reference Processing"),
                    Set.of(
                            "SoftReference",
                            "WeakReference",
                            "FinalReference",
                            "PhantomReference",
                            "JNI Weak Reference"));

    private static final int PARALLEL_IN_G1_FROM = 11;
    private static final int PARALLEL_IN_ALL_FROM = 17;

    private record Part(double totalMs, double maxMs) {}

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Part part = part(a);
        double pauses = a.pauses().total();
        if (part.totalMs() == 0 || pauses == 0) {
            return notApplicable("this part of a pause is not logged (-Xlog:gc+phases=debug)");
        }
        double share = part.totalMs() / pauses;
        double ofRun = a.spanS() > 0 ? 100 * part.totalMs() / 1000 / a.spanS() : 0;
        boolean isFelt = ofRun >= RUN_PCT || part.maxMs() >= LONGEST_MS;
        if (share < SHARE || !isFelt) {
            return clear();
        }
        List<String> advice = new ArrayList<>();
        if (!inParallel(a)) {
            advice.add(
                    "-XX:+ParallelRefProcEnabled: all of the collector's threads go through them");
        }
        advice.add(
                "fewer weak, soft and phantom references, finalizers and cleaners: caches with a limit"
                        + " instead of soft values, buffers and streams that are closed;"
                        + " -Xlog:gc+ref=debug (-XX:+PrintReferenceGC on JDK 8) counts each kind");
        return found(
                part.maxMs() >= LongPause.CRITICAL_MS ? Severity.CRITICAL : Severity.WARNING,
                GcRule.say(
                        "references take %.0f %% of the pauses, at most %s at once",
                        100 * share, GcRule.ms(part.maxMs())),
                "the application stands still while the collector goes through soft, weak, phantom"
                        + " and final references",
                List.of(
                        GcRule.evidence("share of the pauses", share, "", SHARE, longest(a)),
                        GcRule.evidence("share of the run", ofRun, "%", RUN_PCT),
                        GcRule.evidence("the longest", part.maxMs(), "ms", LONGEST_MS)),
                advice,
                "less than " + Math.round(100 * SHARE) + " % of the pauses in the next log");
    }

    private static Part part(Analysis a) {
        return WORDS.stream()
                .map(words -> part(a, words))
                .max(Comparator.comparingDouble(Part::totalMs))
                .orElse(new Part(0, 0));
    }

    private static Part part(Analysis a, Set<String> words) {
        double total = 0;
        double max = 0;
        for (PhaseTotal phase : a.phases()) {
            if (words.contains(phase.name())) {
                total += phase.totalMs();
                max = Math.max(max, phase.maxMs());
            }
        }
        return new Part(total, max);
    }

    private static List<Long> longest(Analysis a) {
        return a.pauses().maxLine() > 0 ? List.of(a.pauses().maxLine()) : List.of();
    }

    /// True if all GC threads process references, by a flag or by default (`-XX:+PrintFlagsFinal`
    /// of JDK 11, 17 and 25).
    static boolean inParallel(Analysis a) {
        String flag = a.setup().flags().get("ParallelRefProcEnabled");
        if (flag != null) {
            return flag.equals("true");
        }
        int jdk = a.setup().feature().orElse(0);
        return a.collector() == Collector.SERIAL
                || jdk >= PARALLEL_IN_ALL_FROM
                || (jdk >= PARALLEL_IN_G1_FROM && a.collector() == Collector.G1);
    }
}
