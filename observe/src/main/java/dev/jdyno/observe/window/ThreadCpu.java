package dev.jdyno.observe.window;

import dev.jdyno.observe.stacks.ThreadTimes;
import java.util.HashMap;
import java.util.Map;

/// CPU use of a JVM's threads between two times, by the kernel's thread id.
///
/// @param seconds time between the two; 0 if the CPU use is unknown
/// @param cores mean number of cores that each thread used
/// @param names of the threads
public record ThreadCpu(double seconds, Map<Long, Double> cores, Map<Long, String> names) {
    static final ThreadCpu NONE = new ThreadCpu(0, Map.of(), Map.of());

    public ThreadCpu {
        cores = Map.copyOf(cores);
        names = Map.copyOf(names);
    }

    /// Computes CPU use from the CPU times in the first and the last dump of a series.
    static ThreadCpu between(ThreadTimes first, ThreadTimes last) {
        Map<Long, String> names = new HashMap<>();
        last.byTid().forEach((tid, t) -> names.put(tid, t.name()));
        return new ThreadCpu(first.secondsTo(last), first.coresTo(last), names);
    }

    double processCores() {
        return cores.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
