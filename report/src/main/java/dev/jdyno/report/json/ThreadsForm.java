package dev.jdyno.report.json;

import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;

/// The document `jdyno/threads/1`. Its components are the documented keys, in their order
/// (docs/json.md).
public record ThreadsForm(
        String schema,
        long pid,
        double seconds,
        Map<String, Integer> states,
        ThreadSamples census,
        List<ThreadReport.Busy> busiest,
        List<ThreadReport.Queue> locks,
        List<ThreadReport.Deadlock> deadlocks,
        boolean ownersAsked,
        List<ThreadReport.Group> kernelThreads,
        List<ThreadLimit> limits,
        List<String> missing) {

    /// @param pid of the JVM
    public static ThreadsForm of(ThreadReport r, long pid, List<ThreadLimit> limits) {
        return new ThreadsForm(
                "jdyno/threads/1",
                pid,
                r.seconds(),
                r.states(),
                r.census(),
                r.busiest(),
                r.locks(),
                r.deadlocks(),
                r.owners(),
                r.kernel(),
                limits,
                r.missing());
    }
}
