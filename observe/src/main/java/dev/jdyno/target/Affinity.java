package dev.jdyno.target;

import dev.jdyno.measure.text.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Restricts the target's threads and child processes to fewer CPUs for a limited time, by
/// `taskset`.
///
/// New threads and processes inherit the CPUs of the thread that creates them. So pinning and
/// restoring each repeat until a check of all threads finds none with other CPUs. A thread that an
/// unchanged thread creates between two checks is found by the next check.
///
/// A separate process restores the CPUs ({@link AffinityGuard}), so that this also happens when
/// jdyno is killed in any way. The start time of a process is checked before its id is used,
/// because another process may have the id by then.
///
/// A process whose parent has ended (a daemon) is not found, because nothing connects it to the
/// target.
public final class Affinity implements AutoCloseable {
    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final int RESTORE_SECONDS = 20;

    /// Maximum number of checks of all threads; each check changes threads with other CPUs.
    private static final int MAX_CHECKS = 50;

    /// Number of checks in a row that must find no thread with other CPUs. A single check may miss
    /// a thread whose creator ended before it was checked.
    private static final int CLEAN_CHECKS = 2;

    private final Target target;
    private final TaskTree tasks;
    private final String before;
    private final String pinned;
    private final Map<TaskTree.Task, String> own;
    private final Process guard;

    private Affinity(
            Target target,
            TaskTree tasks,
            String before,
            String pinned,
            Map<TaskTree.Task, String> own,
            Process guard) {
        this.target = target;
        this.tasks = tasks;
        this.before = before;
        this.pinned = pinned;
        this.own = Map.copyOf(own);
        this.guard = guard;
    }

    /// Restricts every thread of the target and of its child processes to the first `cores` of its
    /// CPUs.
    ///
    /// @throws UserError when this is not possible; then nothing was changed
    public static Affinity pin(Target target, int cores) throws InterruptedException {
        if (!Files.isExecutable(TASKSET) || !Files.isExecutable(SETSID)) {
            throw refused("taskset or setsid is missing", "install util-linux");
        }
        target.requireAlive();
        var tasks = new TaskTree(ProcFs.SYSTEM, target.pid());
        String allowed =
                tasks.cpusOfProcess()
                        .orElseThrow(() -> refused("its CPUs cannot be read", "is it alive?"));
        List<Integer> cpus = cpus(allowed);
        if (cpus.size() <= cores) {
            throw refused("it may use the CPUs " + allowed + " only", "give it more of them");
        }
        String fewer = String.join(",", cpus.subList(0, cores).stream().map(c -> "" + c).toList());
        try {
            Map<TaskTree.Task, String> own = ofTheirOwn(tasks, allowed);
            Process guard = AffinityGuard.start(SETSID, target, allowed, own);
            var affinity = new Affinity(target, tasks, allowed, fewer, own, guard);
            if (!affinity.set(cpus.subList(0, cores))) {
                affinity.close();
                throw refused("taskset failed", "run jdyno as the target's user or as root");
            }
            return affinity;
        } catch (IOException notStarted) {
            throw refused(String.valueOf(notStarted.getMessage()), "try taskset by hand")
                    .causedBy(notStarted);
        }
    }

    private static UserError refused(String why, String fix) {
        return UserError.target("the target's CPUs cannot be changed", why, fix);
    }

    /// The numbers of a list such as `0-3,8`.
    static List<Integer> cpus(String list) {
        List<Integer> cpus = new ArrayList<>();
        for (String part : list.split(",")) {
            String[] ends = part.trim().split("-");
            for (int c = Integer.parseInt(ends[0]);
                    c <= Integer.parseInt(ends[ends.length - 1]);
                    c++) {
                cpus.add(c);
            }
        }
        return cpus;
    }

    /// Threads that had other CPUs than their process before the change.
    private static Map<TaskTree.Task, String> ofTheirOwn(TaskTree tasks, String common) {
        Map<TaskTree.Task, String> own = new HashMap<>();
        tasks.cpus()
                .forEach((task, cpus) -> {
                    if (!cpus.equals(common)) {
                        own.put(task, cpus);
                    }
                });
        return own;
    }

    /// @return true if all threads now run on these CPUs
    private boolean set(List<Integer> wanted) throws IOException, InterruptedException {
        int clean = 0;
        for (int look = 0; look < MAX_CHECKS && clean < CLEAN_CHECKS && target.isAlive(); look++) {
            List<TaskTree.Task> others =
                    tasks.cpus().entrySet().stream()
                            .filter(e -> !cpus(e.getValue()).equals(wanted))
                            .map(Map.Entry::getKey)
                            .toList();
            clean = others.isEmpty() ? clean + 1 : 0;
            if (look == 0) {
                // most of the threads in one call
                taskset("-a", "-p", "-c", pinned, Long.toString(target.pid()));
                continue;
            }
            for (TaskTree.Task task : others) {
                if (tasks.lives(task)) {
                    taskset("-p", "-c", pinned, task.tid());
                }
            }
        }
        return clean >= CLEAN_CHECKS;
    }

    /// Runs `taskset` and ignores its exit code: it fails if a thread ended meanwhile, and the next
    /// check reads the CPUs of the threads.
    private static void taskset(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(TASKSET.toString()));
        command.addAll(List.of(arguments));
        Process taskset = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = taskset.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(_ -> {});
        }
        taskset.waitFor();
    }

    /// The restriction in words: `CPU 0 of 0-1`.
    public String says() {
        return "CPU " + pinned + " of " + before;
    }

    /// Restores the CPUs of every thread.
    ///
    /// @throws UserError when they could not be restored
    @Override
    public void close() {
        boolean interrupted = false;
        try {
            guard.getOutputStream().close();
            while (true) {
                try {
                    if (!guard.waitFor(RESTORE_SECONDS, TimeUnit.SECONDS)) {
                        throw notRestored(wrong());
                    }
                    break;
                } catch (InterruptedException hurry) {
                    interrupted = true;
                }
            }
            List<TaskTree.Task> wrong = wrong();
            if (!wrong.isEmpty()) {
                throw notRestored(wrong);
            }
        } catch (IOException brokenPipe) {
            throw notRestored(wrong()).causedBy(brokenPipe);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Threads whose CPUs are not restored. A thread that was created meanwhile counts only if it
    /// has exactly the restricted CPUs, because it may have chosen other CPUs itself.
    private List<TaskTree.Task> wrong() {
        if (!target.isAlive()) {
            return List.of();
        }
        String fewer = asKernelWrites(pinned);
        return tasks.cpus().entrySet().stream()
                .filter(e ->
                        own.containsKey(e.getKey())
                                ? !e.getValue().equals(own.get(e.getKey()))
                                : e.getValue().equals(fewer))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Converts a CPU list to the kernel's form: `0,1,2` to `0-2`.
    static String asKernelWrites(String list) {
        List<Integer> cpus = cpus(list);
        var text = new StringBuilder();
        for (int i = 0; i < cpus.size(); i++) {
            int from = i;
            while (i + 1 < cpus.size() && cpus.get(i + 1) == cpus.get(i) + 1) {
                i++;
            }
            text.append(text.isEmpty() ? "" : ",").append(cpus.get(from));
            if (i > from) {
                text.append('-').append(cpus.get(i));
            }
        }
        return text.toString();
    }

    private UserError notRestored(List<TaskTree.Task> wrong) {
        long children =
                wrong.stream()
                        .map(TaskTree.Task::pid)
                        .filter(p -> p != target.pid())
                        .distinct()
                        .count();
        return UserError.target(
                "the target still runs on fewer CPUs",
                "taskset could not restore them"
                        + (wrong.isEmpty() ? "" : " for " + wrong.size() + " threads")
                        + (children == 0
                                ? ""
                                : ", some of them of " + children + " child processes"),
                command(wrong));
    }

    private String command(List<TaskTree.Task> wrong) {
        return wrong.stream()
                .map(TaskTree.Task::pid)
                .distinct()
                .sorted()
                .map(p -> "taskset -a -p -c " + before + " " + p)
                .reduce((a, b) -> a + "; " + b)
                .orElse("taskset -a -p -c " + before + " " + target.pid());
    }
}
