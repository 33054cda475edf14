package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import java.util.List;
import java.util.Locale;

/// Pauses waited instead of working.
final class CpuStarved implements GcRule {

    /// Share of the pauses' time that starved ones take.
    static final double SHARE = 0.05;

    /// Share up to which one or two such pauses may be chance on a machine that has cores enough.
    static final double CHANCE = 0.25;

    @Override
    public String id() {
        return "cpu-starved";
    }

    @Override
    public GcFinding evaluate(Analysis a, Given given) {
        Sightings s = a.cpu().starved();
        return OddPauses.judge(this, a, s, SHARE, evidence -> said(a, s, evidence));
    }

    private GcFinding said(Analysis a, Sightings s, List<Evidence> evidence) {
        return found(
                OddPauses.severity(a, s, CHANCE),
                String.format(
                        Locale.ROOT,
                        "in %s (%s) the GC threads hardly ran",
                        GcRule.count(s.count(), "pause"),
                        GcRule.ms(s.totalMs())),
                "wall time far above CPU time means that the machine, not the collector, made the"
                        + " pause long",
                evidence,
                List.of(
                        "look at CPU quota throttling (cpu.stat), steal, swapping and the disk the"
                                + " log is written to"
                                + GcRule.byJdk(a, " (-Xlog:async from JDK 17)", "")),
                "real close to (user + sys) / threads in the next log");
    }
}
