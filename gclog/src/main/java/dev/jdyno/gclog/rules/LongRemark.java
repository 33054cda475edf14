package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.measure.gc.Collector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The stop that ends marking is long.
final class LongRemark implements GcRule {

    /// Limit in ms; a quarter of G1's default goal.
    static final double WARNING_MS = 100;

    /// Parts of a remark as named in the logs of G1 in JDK 9 and later, of G1 in JDK 8, and of CMS.
    private static final Set<String> PARTS =
            Set.of(
                    "Reference Processing",
                    "Finalize Marking",
                    "Class Unloading",
                    "Cleanup Old",
                    "GC ref-proc",
                    "Unloading",
                    "Rescan (parallel)",
                    "weak refs processing",
                    "class unloading",
                    "scrub symbol table",
                    "scrub string table");

    /// Number of parts that the text names.
    private static final int SHOWN = 2;

    /// The remarks and, if the log has them, their longest parts.
    private static List<Evidence> evidence(Analysis a, Distribution remarks) {
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(
                GcRule.evidence(
                        "95th percentile of remarks",
                        remarks.p95(),
                        "ms",
                        WARNING_MS,
                        List.of(remarks.maxLine())));
        a.phases().stream()
                .filter(p -> PARTS.contains(p.name()))
                .limit(SHOWN)
                .forEach(p ->
                        evidence.add(
                                GcRule.evidence(
                                        "of their time: " + p.name(), p.totalMs(), "ms", 0)));
        return evidence;
    }

    /// Advice, without the flags that the log's JVM already has.
    private static List<String> advice(Analysis a, Distribution remarks) {
        Optional<String> machine = OddPauses.machine(a, remarks.maxLine());
        if (machine.isPresent()) {
            return List.of(machine.get());
        }
        List<String> all = new ArrayList<>();
        if (!ReferenceProcessing.inParallel(a)) {
            all.add("-XX:+ParallelRefProcEnabled: references are processed there");
        }
        if (a.collector() != Collector.CMS) {
            all.add(
                    "fewer weak and soft references and finalizers; class unloading is part of it too");
        } else if (!a.setting().isOn("CMSScavengeBeforeRemark")) {
            all.add("-XX:+CMSScavengeBeforeRemark: a small young generation is scanned faster");
        } else {
            all.add("fewer weak and soft references and finalizers, and classes that stay loaded");
        }
        return all;
    }

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Distribution d = a.pausesByKind().get(PauseKind.REMARK);
        if (d == null) {
            return notApplicable("no marking cycle ended in this log");
        }
        if (d.p95() < WARNING_MS) {
            return clear();
        }
        return found(
                d.max() >= LongPause.CRITICAL_MS
                        ? Severity.CRITICAL
                        : d.max() < a.pauses().p95() ? Severity.INFO : Severity.WARNING,
                GcRule.say(
                        "remark pauses take up to %s (p95 %s)",
                        GcRule.ms(d.max()), GcRule.ms(d.p95())),
                "they stop the application although marking itself runs beside it",
                evidence(a, d),
                advice(a, d),
                "remarks below " + GcRule.ms(WARNING_MS) + " in the next log");
    }
}
