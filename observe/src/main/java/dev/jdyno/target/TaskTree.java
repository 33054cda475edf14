package dev.jdyno.target;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The threads of a process and of its child processes, and the CPUs that each may run on.
record TaskTree(ProcFs proc, long pid) {
    /// @param started start in ticks since the machine's start: another thread may have its id
    ///   later
    record Task(long pid, String tid, String started) {}

    /// Every present thread, with its CPUs in the kernel's form (`0-3,8`).
    Map<Task, String> cpus() {
        Map<Task, String> found = new HashMap<>();
        for (long process : processes()) {
            for (String tid : tids(process)) {
                Optional<String> started = started(process, tid);
                Optional<String> cpus = cpus(process, tid);
                if (started.isPresent() && cpus.isPresent()) {
                    found.put(new Task(process, tid, started.get()), cpus.get());
                }
            }
        }
        return found;
    }

    Optional<String> cpusOfProcess() {
        return cpus(pid, Long.toString(pid));
    }

    /// True if it is still the same thread.
    boolean lives(Task task) {
        return started(task.pid(), task.tid()).filter(task.started()::equals).isPresent();
    }

    private List<Long> processes() {
        List<Long> all = new ArrayList<>(List.of(pid));
        ProcessHandle.of(pid).ifPresent(p -> p.descendants().forEach(d -> all.add(d.pid())));
        return all;
    }

    private List<String> tids(long process) {
        try (var tasks = Files.list(proc.of(process, "task"))) {
            return tasks.map(t -> String.valueOf(t.getFileName())).toList();
        } catch (IOException | UncheckedIOException ended) {
            return List.of();
        }
    }

    private Optional<String> started(long process, String tid) {
        return proc.text(process, "task/" + tid + "/stat")
                .map(t -> t.substring(t.lastIndexOf(')') + 2).split(" ")[19]);
    }

    private Optional<String> cpus(long process, String tid) {
        return proc.text(process, "task/" + tid + "/status")
                .flatMap(t -> ProcFs.afterKey(t, "Cpus_allowed_list:"));
    }
}
