package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A command of ours and everything it started. It leads a session of its own (`setsid`), so that a
/// Ctrl-C at the terminal does not reach it before we have stopped measuring, and so that children
/// of a script that has ended are still found.
final class Launched {
    /// Lines of its output that an error message shows.
    private static final int LAST_LINES = 8;

    private static final int LAST_BYTES = 8192;

    private final Process process;
    private final Path output;
    private final ProcFs proc;
    private final boolean ownSession;
    private final Thread endWithUs;

    private Launched(Process process, Path output, ProcFs proc, boolean ownSession) {
        this.process = process;
        this.output = output;
        this.proc = proc;
        this.ownSession = ownSession;
        this.endWithUs = new Thread(this::kill, "jdyno-end-target");
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
            return new Launched(process, output, proc, ownSession);
        } catch (IOException notStarted) {
            throw UserError.usage(
                            "cannot launch '" + String.join(" ", command) + "'",
                            String.valueOf(notStarted.getMessage()),
                            "run the same command in a shell first; give full paths")
                    .causedBy(notStarted);
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

    /// SIGKILL to all, at once.
    void kill() {
        List<Long> all = members();
        process.destroyForcibly();
        all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
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
