package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A command started by jdyno and all its processes ({@link LaunchTree}). It leads a separate
/// session (`setsid`), so that a Ctrl-C at the terminal does not reach it before jdyno has stopped
/// measuring.
///
/// It does not outlive jdyno. On a signal it is ended once all {@link Unfinished} work is done.
/// When jdyno is killed, a shell ends it ({@link LaunchGuard}).
final class Launched {
    /// Number of output lines in an error message.
    private static final int LAST_LINES = 8;

    private static final int LAST_BYTES = 8192;

    /// Maximum number of kill rounds: a process may start another one between two of them.
    private static final int MAX_KILLS = 20;

    /// Maximum time for killed processes to disappear: the kernel needs a moment, and longer for a
    /// large heap.
    private static final Duration KILL_LIMIT = Duration.ofSeconds(5);

    private final Process process;
    private final Path output;
    private final ProcFs proc;
    private final Optional<LaunchTree> tree;
    private final Optional<LaunchGuard> guard;
    private final Thread endWithUs;
    private volatile boolean measured;

    private Launched(
            Process process,
            Path output,
            ProcFs proc,
            Optional<LaunchTree> tree,
            Optional<LaunchGuard> guard) {
        this.process = process;
        this.output = output;
        this.proc = proc;
        this.tree = tree;
        this.guard = guard;
        this.endWithUs = new Thread(this::endWithUs, "jdyno-end-target");
        Runtime.getRuntime().addShutdownHook(endWithUs);
    }

    static Launched start(List<String> command, Path output, ProcFs proc) {
        return start(command, Optional.empty(), output, proc);
    }

    /// @param folder working folder; empty for jdyno's
    static Launched start(List<String> command, Optional<Path> folder, Path output, ProcFs proc) {
        Optional<String> setsid =
                Optional.of(Path.of("/usr/bin/setsid"))
                        .filter(Files::isExecutable)
                        .map(Path::toString);
        List<String> full = new ArrayList<>(command);
        setsid.ifPresent(full::addFirst);
        LaunchMark mark = LaunchMark.draw();
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(full)
                            .redirectErrorStream(true)
                            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(output.toFile());
            folder.ifPresent(f -> builder.directory(f.toFile()));
            Inherited.byService(builder.environment(), command);
            mark.put(builder.environment());
            // a lower limit of its start time, in case it has already ended
            Optional<String> before = proc.startTicks(ProcessHandle.current().pid());
            Process process = builder.start();
            Optional<LaunchTree> tree =
                    proc.startTicks(process.pid())
                            .or(() -> before)
                            .map(ticks ->
                                    new LaunchTree(
                                            proc,
                                            process.pid(),
                                            Long.parseLong(ticks),
                                            setsid.isPresent(),
                                            mark));
            return new Launched(process, output, proc, tree, guard(process, setsid, tree));
        } catch (IOException notStarted) {
            throw UserError.usage(
                            "cannot launch '" + String.join(" ", command) + "'",
                            String.valueOf(notStarted.getMessage()),
                            "run the same command in a shell first; give full paths")
                    .causedBy(notStarted);
        }
    }

    private static Optional<LaunchGuard> guard(
            Process process, Optional<String> setsid, Optional<LaunchTree> tree)
            throws IOException {
        if (tree.isEmpty()) {
            return Optional.empty();
        }
        try {
            LaunchGuard guard = LaunchGuard.start(setsid, tree.get());
            // after the command has ended, another session may get its number: the guard must not
            // end processes of that session
            var _ =
                    process.onExit()
                            .thenRun(() -> {
                                if (tree.get().living().isEmpty()) {
                                    guard.dismiss();
                                }
                            });
            return Optional.of(guard);
        } catch (IOException notStarted) {
            process.destroyForcibly();
            throw notStarted;
        }
    }

    long pid() {
        return process.pid();
    }

    /// Waits for the end of the command itself.
    ///
    /// @return true if it has ended
    boolean awaitEnd(Duration max) throws InterruptedException {
        return process.waitFor(max.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Exit code of the process; empty while it runs.
    OptionalInt exitCode() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    boolean isAnyAlive() {
        return process.isAlive() || !members().isEmpty();
    }

    /// Waits for the end of the command itself.
    ///
    /// @return its exit code; empty if it still runs
    OptionalInt awaitExit(Duration max) throws InterruptedException {
        return process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(process.exitValue())
                : OptionalInt.empty();
    }

    /// The living processes of the command, each after its parent.
    List<Long> processes() {
        List<Long> all = new ArrayList<>(members());
        if (process.isAlive()) {
            all.addFirst(process.pid());
        }
        return all;
    }

    /// The living processes, except the command itself.
    private List<Long> members() {
        List<Long> members = new ArrayList<>();
        if (tree.isPresent()) {
            members.addAll(tree.get().living());
        } else {
            process.descendants().forEach(d -> members.add(d.pid()));
        }
        members.remove(process.pid());
        return members;
    }

    /// Sends SIGTERM to all processes, then SIGKILL to those left after the limit. Returns once
    /// none of them runs, so that the next command finds its port free.
    ///
    /// @return true if a process was left after the limit
    boolean end(Duration limit, NanoClock clock) throws InterruptedException {
        long deadline = clock.nanos() + limit.toNanos();
        List<Long> all = members();
        process.destroy();
        all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
        while (isAnyAlive() && clock.nanos() < deadline) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        boolean left = isAnyAlive();
        kill();
        long gone = clock.nanos() + KILL_LIMIT.toNanos();
        while (isAnyAlive() && clock.nanos() < gone) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        removeHook();
        return left;
    }

    /// Marks the command as measured: its measurements are to be written before it ends.
    void measuring() {
        measured = true;
    }

    /// Called on a signal. Ends the command after its measurements are written.
    private void endWithUs() {
        try {
            if (measured) {
                Unfinished.await();
            }
            var _ = end(Target.STOP_LIMIT, NanoClock.SYSTEM);
        } catch (InterruptedException hurry) {
            kill();
        }
    }

    /// Sends SIGKILL to all processes, then removes the folders of recordings that killed JVMs
    /// leave behind.
    void kill() {
        List<JfrRepository> recordings = new ArrayList<>(JfrRepository.of(proc, process.pid()));
        Set<Long> killed = new HashSet<>();
        List<Long> all = members();
        process.destroyForcibly();
        for (int i = 0; i < MAX_KILLS && !all.isEmpty(); i++) {
            for (long pid : all) {
                if (killed.add(pid)) {
                    recordings.addAll(JfrRepository.of(proc, pid));
                }
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            all = members();
        }
        recordings.forEach(JfrRepository::remove);
        guard.ifPresent(LaunchGuard::dismiss);
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(endWithUs);
        } catch (IllegalStateException alreadyShuttingDown) {
            // the hook runs or has run: killing twice does no harm
        }
    }

    /// @param when completes "the target ended …"
    UserError died(String when) {
        // the kernel reports the end before Java knows the exit code: a moment, on a busy machine
        // more
        process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
        String code = process.isAlive() ? "" : " with exit code " + process.exitValue();
        return UserError.target(
                "the target ended" + code + " " + when,
                "its last words were" + lastLines(),
                "run the same command by hand; its whole output is in " + output);
    }

    /// The end of its output, each line indented on a separate line.
    String lastLines() {
        String tail;
        try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
            long from = Math.max(0, file.length() - LAST_BYTES);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            tail = new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            return " (its output " + output + " cannot be read)";
        }
        if (tail.isEmpty()) {
            return " (it printed nothing)";
        }
        List<String> lines = tail.lines().toList();
        var text = new StringBuilder(":");
        lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())
                .forEach(line -> text.append("\n    ").append(line));
        return text.toString();
    }
}
