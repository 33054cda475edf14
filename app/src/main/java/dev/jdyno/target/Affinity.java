package dev.jdyno.target;

import dev.jdyno.measure.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The target's threads pinned to fewer CPUs for a while, by `taskset`.
///
/// Who restores them is a process of its own, a shell in its own session that waits for the end of
/// a pipe from us: the pipe ends when we close it, and also when we are killed in whatever way.
public final class Affinity implements AutoCloseable {
    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final int RESTORE_SECONDS = 10;

    private final ProcFs proc;
    private final long pid;
    private final String before;
    private final String pinned;
    private final Process guard;

    private Affinity(ProcFs proc, long pid, String before, String pinned, Process guard) {
        this.proc = proc;
        this.pid = pid;
        this.before = before;
        this.pinned = pinned;
        this.guard = guard;
    }

    /// Lets every thread of the target run on the first `cores` of its CPUs only.
    ///
    /// @throws UserError when this cannot be done here; then nothing was changed
    public static Affinity pin(Target target, int cores) throws InterruptedException {
        ProcFs proc = ProcFs.SYSTEM;
        long pid = target.pid();
        if (!Files.isExecutable(TASKSET) || !Files.isExecutable(SETSID)) {
            throw refused("taskset or setsid is missing", "install util-linux");
        }
        String allowed =
                allowed(proc, Long.toString(pid), pid)
                        .orElseThrow(() -> refused("its CPUs cannot be read", "is it alive?"));
        List<Integer> cpus = cpus(allowed);
        if (cpus.size() <= cores) {
            throw refused("it may use the CPUs " + allowed + " only", "give it more of them");
        }
        String fewer = String.join(",", cpus.subList(0, cores).stream().map(c -> "" + c).toList());
        try {
            Process guard = guard(pid, allowed, ofTheirOwn(proc, pid, allowed));
            var affinity = new Affinity(proc, pid, allowed, fewer, guard);
            if (!affinity.set(fewer)) {
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

    /// `0-3,8` as numbers.
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

    private static Optional<String> allowed(ProcFs proc, String tid, long pid) {
        return ProcFs.text(proc.of(pid).resolve("task").resolve(tid).resolve("status"))
                .flatMap(t -> t.lines().filter(l -> l.startsWith("Cpus_allowed_list:")).findFirst())
                .map(l -> l.substring(l.indexOf(':') + 1).trim());
    }

    private static List<String> tids(ProcFs proc, long pid) {
        try (var tasks = Files.list(proc.of(pid, "task"))) {
            return tasks.map(t -> String.valueOf(t.getFileName())).toList();
        } catch (IOException | UncheckedIOException ended) {
            return List.of();
        }
    }

    /// Threads that were pinned before us to other CPUs than their process.
    private static Map<String, String> ofTheirOwn(ProcFs proc, long pid, String common) {
        Map<String, String> own = new HashMap<>();
        for (String tid : tids(proc, pid)) {
            allowed(proc, tid, pid).filter(a -> !a.equals(common)).ifPresent(a -> own.put(tid, a));
        }
        return own;
    }

    private static Process guard(long pid, String common, Map<String, String> own)
            throws IOException {
        var restore = new StringBuilder("trap '' INT TERM HUP; read -r _; ");
        restore.append("taskset -a -p -c ").append(common).append(' ').append(pid);
        own.forEach((tid, cpus) ->
                restore.append("; taskset -p -c ").append(cpus).append(' ').append(tid));
        return new ProcessBuilder(SETSID.toString(), "sh", "-c", restore.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private boolean set(String cpus) throws IOException, InterruptedException {
        Process taskset =
                new ProcessBuilder(TASKSET.toString(), "-a", "-p", "-c", cpus, Long.toString(pid))
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader said = taskset.inputReader(StandardCharsets.UTF_8)) {
            said.lines().forEach(_ -> {});
        }
        // a thread that ended meanwhile makes taskset fail; what counts is where they run now
        taskset.waitFor();
        return allowed(proc, Long.toString(pid), pid)
                .map(now -> cpus(now).equals(cpus(cpus)))
                .orElse(false);
    }

    /// `CPU 0 of 0-1`.
    public String says() {
        return "CPU " + pinned + " of " + before;
    }

    /// Restores every thread.
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
                        throw notRestored();
                    }
                    break;
                } catch (InterruptedException hurry) {
                    interrupted = true;
                }
            }
            boolean restored =
                    allowed(proc, Long.toString(pid), pid).map(before::equals).orElse(true);
            if (!restored) {
                throw notRestored();
            }
        } catch (IOException brokenPipe) {
            throw notRestored().causedBy(brokenPipe);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private UserError notRestored() {
        return UserError.target(
                "the target still runs on fewer CPUs",
                "taskset could not restore them",
                "taskset -a -p -c " + before + " " + pid);
    }
}
