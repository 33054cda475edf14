package dev.jdyno.observe.threads;

import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.observe.stacks.PoolName;
import dev.jdyno.target.ProcFs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The threads of a process as the kernel lists them: the first 15 characters of their names, and
/// their present state. It is the only source if the JVM gives no thread dump.
public final class KernelThreads {
    private static final Map<Character, String> STATES =
            Map.of(
                    'R', "running or ready",
                    'S', "sleeping",
                    'D', "in the disk or a driver",
                    'I', "idle",
                    'T', "stopped",
                    't', "traced",
                    'Z', "ended");

    private final ProcFs proc;
    private final long pid;

    public KernelThreads(ProcFs proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /// The kernel's name of a thread: `C2 CompilerThre`, `GC Thread#0`.
    public String name(long tid) {
        return ProcFs.text(proc.of(pid).resolve("task/" + tid + "/comm"))
                .map(String::strip)
                .orElse("thread " + tid);
    }

    /// Groups of threads with the same name, digits removed, those that used most CPU first.
    ///
    /// @param use cores by thread, over a window
    public List<ThreadReport.Group> groups(Map<Long, CoreUse> use) {
        Map<String, List<Long>> byName = new TreeMap<>();
        use.keySet()
                .forEach(tid ->
                        byName.computeIfAbsent(PoolName.of(name(tid)), _ -> new ArrayList<>())
                                .add(tid));
        return byName.entrySet().stream()
                .map(e -> group(e.getKey(), e.getValue(), use))
                .sorted(
                        Comparator.comparingDouble(ThreadReport.Group::cores)
                                .reversed()
                                .thenComparingInt(g -> -g.threads()))
                .toList();
    }

    private ThreadReport.Group group(String name, List<Long> tids, Map<Long, CoreUse> use) {
        Map<String, Integer> states = new HashMap<>();
        double cores = 0;
        double waiting = 0;
        for (long tid : tids) {
            states.merge(state(tid), 1, Integer::sum);
            CoreUse of = use.getOrDefault(tid, CoreUse.NONE);
            cores += of.onCpu();
            waiting += of.waiting();
        }
        return new ThreadReport.Group(name, tids.size(), states, cores, waiting);
    }

    // 4711 (http-nio-8080-e) S 1 4711 …
    private String state(long tid) {
        return ProcFs.text(proc.of(pid).resolve("task/" + tid + "/stat"))
                .filter(t -> t.lastIndexOf(')') + 2 < t.length())
                .map(t -> t.charAt(t.lastIndexOf(')') + 2))
                .map(c -> STATES.getOrDefault(c, "in state " + c))
                .orElse("ended");
    }
}
