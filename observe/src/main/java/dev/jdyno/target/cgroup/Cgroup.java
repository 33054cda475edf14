package dev.jdyno.target.cgroup;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// A control group that jdyno has made, with a CPU quota and a memory limit. Closing it ends the
/// processes left in it, and removes it.
///
/// It is removed on a signal too, by a hook that waits until the launched command has ended. If
/// jdyno itself is killed, the empty group stays until the next {@link Cgroups#removeLeft()}.
public final class Cgroup implements AutoCloseable {
    /// Time for the kernel to take the last process out of the group after its end.
    private static final Duration LEAVING = Duration.ofSeconds(2);

    /// Maximum time until killed processes have left the group.
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

    /// Maximum time on a signal until the launched command has ended: the measurements are written
    /// first, then the service ends.
    private static final Duration ON_SIGNAL = Duration.ofSeconds(60);

    private static final long POLL_MS = 20;

    private final ControlFiles files;
    private final NanoClock clock;
    private final boolean v2;

    /// Its folders: one in version 2; in version 1 that of the CPU, then that of the memory.
    private final List<Path> folders;

    private final Thread onSignal = new Thread(this::removeOnSignal, "jdyno-remove-cgroup");

    Cgroup(ControlFiles files, NanoClock clock, boolean v2, List<Path> folders) {
        this.files = files;
        this.clock = clock;
        this.v2 = v2;
        this.folders = List.copyOf(folders);
        Runtime.getRuntime().addShutdownHook(onSignal);
    }

    /// The command for a shell that first moves itself into the group.
    ///
    /// The shell enters before it starts the JVM, because a JVM reads its limits only once, when it
    /// begins: it derives the number of its threads, its collector and its heap from them. A
    /// process that is moved after its start would have those of the whole machine. Memory that it
    /// has allocated before would also count elsewhere. `0` is the process that writes; a process
    /// id would be wrong in another namespace.
    public String entering(String command) {
        return folders.stream()
                .map(f -> "echo 0 > " + quoted(f.resolve("cgroup.procs")) + " || exit 125\n")
                .collect(Collectors.joining("", "", command));
    }

    private static String quoted(Path file) {
        return "'" + file.toString().replace("'", "'\\''") + "'";
    }

    /// Folders of the group.
    public List<Path> folders() {
        return folders;
    }

    public CgroupUse use() {
        Path memory = folders.getLast();
        String kills = text(memory.resolve(v2 ? "memory.events" : "memory.oom_control"));
        String peak = text(memory.resolve(v2 ? "memory.peak" : "memory.max_usage_in_bytes"));
        return new CgroupUse(count(kills, "oom_kill "), number(peak.strip()).map(Bytes::new));
    }

    private String text(Path file) {
        return files.read(file).orElse("");
    }

    private static long count(String text, String key) {
        return ProcFs.afterKey(text, key).flatMap(Cgroup::number).orElse(0L);
    }

    private static Optional<Long> number(String text) {
        return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    private List<Long> processes() {
        return folders.stream()
                .flatMap(f -> text(f.resolve("cgroup.procs")).lines())
                .flatMap(l -> number(l.strip()).stream())
                .distinct()
                .toList();
    }

    /// Waits until no process is in the group.
    ///
    /// @param round is done again and again while there is one
    /// @return false if there is still one after that time
    private boolean awaitEmpty(Duration max, Runnable round) throws InterruptedException {
        long deadline = clock.nanos() + max.toNanos();
        while (!processes().isEmpty()) {
            if (clock.nanos() >= deadline) {
                return false;
            }
            round.run();
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return true;
    }

    private void end(Duration patience) throws InterruptedException, IOException {
        if (!awaitEmpty(patience, () -> {})) {
            // a process can start another one between the list of the processes and its own end
            var _ = awaitEmpty(KILL_LIMIT, this::kill);
        }
        remove();
    }

    /// Every process in the group comes from the command that entered it.
    private void kill() {
        processes().forEach(files::kill);
    }

    private void remove() throws IOException, InterruptedException {
        long deadline = clock.nanos() + LEAVING.toNanos();
        for (Path folder : folders) {
            while (true) {
                try {
                    files.remove(folder);
                    break;
                } catch (IOException busy) {
                    // an ended process stays in its group until its memory is freed
                    if (clock.nanos() >= deadline) {
                        throw busy;
                    }
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
            }
        }
    }

    private void removeOnSignal() {
        try {
            end(ON_SIGNAL);
        } catch (IOException | InterruptedException stays) {
            // the next run removes it: see Cgroups.removeLeft
        }
    }

    /// Ends the processes that are left in the group, and removes it.
    ///
    /// @throws dev.jdyno.measure.text.UserError if it cannot be removed
    @Override
    public void close() {
        try {
            end(LEAVING);
        } catch (IOException stays) {
            throw Cgroups.staying(folders, stays);
        } catch (InterruptedException hurry) {
            endAtOnce();
            Thread.currentThread().interrupt();
        } finally {
            removeHook();
        }
    }

    /// Ends and removes the group without patience, so that an interrupt leaves nothing behind. A
    /// second interrupt ends the attempt.
    private void endAtOnce() {
        try {
            end(Duration.ZERO);
        } catch (IOException | InterruptedException stays) {
            // the next run removes it: see Cgroups.removeLeft
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException endsAlready) {
            // the hook finds no folder and does nothing
        }
    }
}
