package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;

/// The collector has more threads than the JVM has CPUs, or far fewer.
final class GcThreads implements GcRule {

    /// Minimum share of the JVM's default number of GC threads. With fewer threads, pauses are
    /// longer than necessary.
    static final double FEW_SHARE = 0.5;

    /// The JVM's default of ParallelGCThreads: all of the first 8 CPUs, five eighths of the others.
    static int byDefault(int cpus) {
        return cpus <= 8 ? cpus : 8 + (cpus - 8) * 5 / 8;
    }

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        if (a.setup().cpus().isEmpty() || a.setup().parallelWorkers().isEmpty()) {
            return notApplicable("the log does not show the numbers of CPUs and GC threads");
        }
        int cpus = a.setup().cpus().getAsInt();
        int workers = a.setup().parallelWorkers().getAsInt();
        if (workers < FEW_SHARE * byDefault(cpus)) {
            return found(
                    Severity.WARNING,
                    GcRule.say("only %d GC threads on %d CPUs", workers, cpus),
                    "the application's threads stand still in a pause, and so do the other CPUs",
                    List.of(GcRule.evidence("GC threads", workers, "", byDefault(cpus))),
                    List.of(
                            GcRule.say(
                                    "no -XX:ParallelGCThreads at all: the JVM takes %d here",
                                    byDefault(cpus))),
                    "shorter pauses at about the same CPU time");
        }
        if (workers <= cpus) {
            return clear();
        }
        return found(
                Severity.WARNING,
                GcRule.say("%d GC threads on %d CPUs", workers, cpus),
                "threads that wait for a CPU make the others of the same pause spin",
                List.of(GcRule.evidence("GC threads", workers, "", cpus)),
                List.of(GcRule.say("-XX:ParallelGCThreads=%d, or no such flag at all", cpus)),
                "shorter pauses at the same CPU time");
    }
}
