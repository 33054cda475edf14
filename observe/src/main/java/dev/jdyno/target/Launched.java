package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A command of ours and everything it started. It leads a session of its own (`setsid`), so that a
/// Ctrl-C at the terminal does not reach it before we have stopped measuring, and so that children
/// of a script that has ended are still found.
///
/// It does not outlive us. On a signal it is ended once all {@link Unfinished} work is done. When
/// we are killed, a shell in a session of its own ends it: that waits for the end of a pipe from
/// us.
final class Launched {
    /// Lines of its output that an error message shows.
    private static final int LAST_LINES = 8;

    private static final int LAST_BYTES = 8192;

    private final Process process;
    private final Path output;
    private final ProcFs proc;
    private final boolean ownSession;
    private final Optional<Process> guard;
    private final Thread endWithUs;
    private volatile boolean measured;

    private Launched(
            Process process,
            Path output,
            ProcFs proc,
            boolean ownSession,
            Optional<Process> guard) {
        this.process = process;
        this.output = output;
        this.proc = proc;
        this.ownSession = ownSession;
        this.guard = guard;
        this.endWithUs = new Thread(this::endWithUs, "jdyno-end-target");
        Runtime.getRuntime().addShutdownHook(endWithUs);
    }

    static Launched start(List<String> command, Path output, ProcFs proc) {
        Path setsid = Path.of("/usr/bin/setsid");
        boolean ownSession = Files.isExecutable(setsid);
        List<String> full = new ArrayList<>();
        if (ownSession) {
            full.add(setsid.toString());
        }
        full.addAll(command);
        try {
            Process process =
                    new ProcessBuilder(full)
                            .redirectErrorStream(true)
                            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(output.toFile())
                            .start();
            Optional<Process> guard = ownSession ? guard(setsid, process, proc) : Optional.empty();
            return new Launched(process, output, proc, ownSession, guard);
        } catch (IOException notStarted) {
            throw UserError.usage(
                            "cannot launch '" + String.join(" ", command) + "'",
                            String.valueOf(notStarted.getMessage()),
                            "run the same command in a shell first; give full paths")
                    .causedBy(notStarted);
        }
    }

    /// A line on the pipe says that we have ended it ourselves; the end of the pipe without one,
    /// that we are gone. A process of another start time has only its pid from the one we started.
    private static Optional<Process> guard(Path setsid, Process process, ProcFs proc)
            throws IOException {
        Optional<String> started = proc.startTicks(process.pid());
        if (started.isEmpty()) {
            // it has ended already
            return Optional.empty();
        }
        String script =
                """
                trap '' INT TERM HUP
                read -r told && exit
                set -- $(sed 's/.*) //' /proc/PID/stat 2>/dev/null)
                [ -z "${20}" ] || [ "${20}" = STARTED ] || exit
                kill -s TERM -- -PID 2>/dev/null
                waited=0
                while [ $waited -lt GRACE ] && kill -s 0 -- -PID 2>/dev/null; do
                    sleep 1
                    waited=$((waited + 1))
                done
                kill -s KILL -- -PID 2>/dev/null
                """
                        .replace("PID", Long.toString(process.pid()))
                        .replace("STARTED", started.get())
                        .replace("GRACE", Long.toString(Target.STOP_LIMIT.toSeconds()));
        try {
            return Optional.of(
                    new ProcessBuilder(setsid.toString(), "sh", "-c", script)
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start());
        } catch (IOException notStarted) {
            process.destroyForcibly();
            throw notStarted;
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAnyAlive() {
        return process.isAlive() || !members().isEmpty();
    }

    /// Every living process of the session, and every descendant.
    private List<Long> members() {
        List<Long> members = new ArrayList<>();
        process.descendants().forEach(d -> members.add(d.pid()));
        if (ownSession) {
            String session = Long.toString(process.pid());
            for (long pid : proc.pids()) {
                boolean ours =
                        proc.stat(pid)
                                .map(s -> s[3].equals(session) && !s[0].equals("Z"))
                                .orElse(false);
                if (ours && !members.contains(pid)) {
                    members.add(pid);
                }
            }
        }
        members.remove(process.pid());
        return members;
    }

    /// SIGTERM to all, then SIGKILL to what is left after the limit.
    void end(Duration limit, NanoClock clock) throws InterruptedException {
        long deadline = clock.nanos() + limit.toNanos();
        List<Long> all = members();
        process.destroy();
        all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
        while (isAnyAlive() && clock.nanos() < deadline) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        kill();
        removeHook();
    }

    /// From now on something is measured of it, which is to be written before it ends.
    void measuring() {
        measured = true;
    }

    /// On a signal: not before what is measured of it is written.
    private void endWithUs() {
        try {
            if (measured) {
                Unfinished.await();
            }
            end(Target.STOP_LIMIT, NanoClock.SYSTEM);
        } catch (InterruptedException hurry) {
            kill();
        }
    }

    /// SIGKILL to all, at once; what a killed JVM cannot remove goes after it.
    void kill() {
        List<Long> all = new ArrayList<>(members());
        List<JfrRepository> recordings = new ArrayList<>(JfrRepository.of(proc, process.pid()));
        all.forEach(pid -> recordings.addAll(JfrRepository.of(proc, pid)));
        process.destroyForcibly();
        all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        recordings.forEach(JfrRepository::remove);
        guard.ifPresent(Launched::dismiss);
    }

    private static void dismiss(Process guard) {
        try (OutputStream pipe = guard.getOutputStream()) {
            pipe.write('\n');
        } catch (IOException ended) {
            // nobody waits there any more, and so nobody will end anything
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(endWithUs);
        } catch (IllegalStateException alreadyShuttingDown) {
            // the hook runs or ran: killing twice does no harm
        }
    }

    /// @param when completes "the target ended …"
    UserError died(String when) {
        // the kernel says that it is dead a moment before Java knows with which code
        process.onExit().completeOnTimeout(process, 500, TimeUnit.MILLISECONDS).join();
        String code = process.isAlive() ? "" : " with exit code " + process.exitValue();
        return UserError.target(
                "the target ended" + code + " " + when,
                "its last words were" + lastLines(),
                "run the same command by hand; its whole output is in " + output);
    }

    /// The end of its output, each line indented on a line of its own.
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
