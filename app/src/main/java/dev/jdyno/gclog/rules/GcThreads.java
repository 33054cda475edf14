package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import java.util.List;
import java.util.Locale;

/// The collector has more threads than the JVM has CPUs.
final class GcThreads implements Rule {

    @Override
    public String id() {
        return "gc-threads";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        if (a.setup().cpus().isEmpty() || a.setup().parallelWorkers().isEmpty()) {
            return notApplicable("the log does not tell CPUs and GC threads");
        }
        int cpus = a.setup().cpus().getAsInt();
        int workers = a.setup().parallelWorkers().getAsInt();
        if (workers <= cpus) {
            return clear();
        }
        return found(
                Severity.WARNING,
                String.format(Locale.ROOT, "%d GC threads on %d CPUs", workers, cpus),
                "threads that wait for a CPU make the others of the same pause spin",
                List.of(Rule.evidence("GC threads", workers, "", cpus)),
                List.of(
                        String.format(
                                Locale.ROOT,
                                "-XX:ParallelGCThreads=%d, or no such flag at all",
                                cpus)),
                "shorter pauses at the same CPU time");
    }
}
