package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Sightings;
import java.util.List;

/// Pauses in which the GC threads waited instead of working.
final class CpuStarved implements GcRule {

    /// Minimum share of starved pauses in the time of all pauses.
    static final double SHARE = 0.05;

    /// Maximum share of starved pauses at which they may be chance on a machine with enough cores.
    static final double CHANCE = 0.25;

    /// Maximum CPU time over wall time of starved pauses at which a disk is the likely reason. With
    /// a CPU quota or busy neighbours, the threads get more CPU time.
    static final double SWAPPED = 0.05;

    /// Minimum mean length of starved pauses, in ms, at which a disk is the likely reason. A CPU
    /// quota stops threads for at most the rest of a period of 100 ms.
    static final double SEVERAL_PERIODS_MS = 1000;

    /// Maximum kernel share of that CPU time at which a disk is the likely reason. Above it, the
    /// kernel was reclaiming or compacting memory.
    static final double KERNEL = 0.5;

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Sightings s = a.cpu().starved();
        return OddPauses.judge(this, a, s, SHARE, evidence -> ruling(a, s, evidence));
    }

    /// True if the pauses waited for memory pages on disk. The threads sleep meanwhile, and use
    /// neither user nor kernel time.
    static boolean isSwapping(Analysis a, Sightings s) {
        double cpuS = a.cpu().starvedUserS() + a.cpu().starvedSystemS();
        return s.totalMs() >= SEVERAL_PERIODS_MS * s.count()
                && cpuS * 1000 <= SWAPPED * s.totalMs()
                && a.cpu().starvedSystemS() <= KERNEL * cpuS;
    }

    private Ruling ruling(Analysis a, Sightings s, List<Evidence> evidence) {
        return found(
                OddPauses.severity(a, s, CHANCE),
                GcRule.say(
                        "in %s (%s) the GC threads had almost no CPU time",
                        GcRule.count(s.count(), "pause"), GcRule.ms(s.totalMs())),
                "wall time far above CPU time means that the machine, not the collector, made the"
                        + " pause long",
                evidence,
                List.of(
                        isSwapping(a, s)
                                ? "swapping is likely, for they had almost no CPU time: see VmSwap in"
                                        + " /proc/PID/status and si in vmstat; fewer neighbours or a"
                                        + " smaller -Xmx, vm.swappiness=1; else look at CPU quota"
                                        + " throttling (cpu.stat) and steal"
                                : "look at CPU quota throttling (cpu.stat), steal, swapping and the disk"
                                        + " the log is written to"
                                        + GcRule.byJdk(a, " (-Xlog:async from JDK 17)", "")),
                "real close to (user + sys) / threads in the next log");
    }
}
