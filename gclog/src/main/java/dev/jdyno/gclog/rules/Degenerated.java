package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.event.Collector;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Shenandoah had to stop the application to finish a cycle.
final class Degenerated implements GcRule {

    @Override
    public String id() {
        return "degenerated";
    }

    @Override
    public GcFinding evaluate(Analysis a, Given given) {
        if (a.collector() != Collector.SHENANDOAH) {
            return notApplicable("only Shenandoah degenerates");
        }
        long count = a.count("degenerated");
        long full = a.count("full");
        if (count + full == 0) {
            return clear();
        }
        List<Long> lines = new ArrayList<>();
        double ms = 0;
        double longest = 0;
        for (Analysis.CauseTotal c : a.causes()) {
            if (c.kind() == PauseKind.DEGENERATED || c.kind() == PauseKind.FULL) {
                lines.addAll(c.lines());
                ms += c.totalMs();
                longest = Math.max(longest, c.maxMs());
            }
        }
        return GcRule.asking(
                GcRule.twiceTheRoom(a),
                found(
                        full > 0 || longest >= LongPause.CRITICAL_MS
                                ? Severity.CRITICAL
                                : Severity.WARNING,
                        String.format(
                                Locale.ROOT,
                                "%d degenerated and %d full collections, %s of pauses",
                                count,
                                full,
                                GcRule.ms(ms)),
                        "allocation outran the cycle: what should run beside the application stopped it",
                        List.of(
                                GcRule.evidence(
                                        "degenerated and full", count + full, "", 0, lines)),
                        advice(a),
                        "no Pause Degenerated GC in the next log"));
    }

    /// JDK whose Shenandoah has generations without unlocking anything (JEP 521).
    private static final int GENERATIONAL_FROM = 25;

    private static List<String> advice(Analysis a) {
        List<String> all = new ArrayList<>();
        double heap = GcRule.twiceTheRoom(a);
        all.add(
                heap > 0
                        ? String.format(
                                Locale.ROOT,
                                "-Xmx%s: twice the room beside %s alive",
                                GcRule.flag(heap),
                                GcRule.bytes(a.heap().liveBytes().orElse(0.0)))
                        : "a larger heap");
        if (a.generational()) {
            all.add(
                    "or begin young cycles earlier: -XX:ShenandoahMinFreeThreshold=20 (default 10);"
                            + " what is promoted needs room in old, too: fewer survivors help both");
        } else {
            all.add("or start earlier: -XX:ShenandoahMinFreeThreshold=20 (default 10)");
            if (a.setup().feature().orElse(0) >= GENERATIONAL_FROM) {
                all.add(
                        "or -XX:ShenandoahGCMode=generational: a young cycle is shorter than one"
                                + " of the whole heap");
            }
        }
        all.add("or allocate less; more -XX:ConcGCThreads only where cores are idle");
        return all;
    }
}
