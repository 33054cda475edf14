package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/// A user's program that jdyno runs in addition to the target, such as a load generator. It leads a
/// separate session and does not outlive jdyno. Its processes count as the client's wherever CPU is
/// divided among target, client and others.
public final class Program implements AutoCloseable {
    /// Processes of each running program, from the last {@link #look()}.
    private static final Map<Program, List<Long>> RUNNING = new ConcurrentHashMap<>();

    /// Time from SIGTERM to SIGKILL: the output of a program that is ended early is not needed.
    private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

    private final Launched launched;

    private Program(Launched launched) {
        this.launched = launched;
    }

    /// Starts a command line by the rules of {@link Target#launch(String, Path)}.
    ///
    /// @param output file for its standard output and error
    /// @throws dev.jdyno.measure.text.UserError when it cannot be started
    public static Program start(String commandLine, Path output) {
        var program =
                new Program(
                        Launched.start(List.of("sh", "-c", commandLine), output, ProcFs.SYSTEM));
        RUNNING.put(program, List.of(program.launched.pid()));
        return program;
    }

    /// Reads its present processes.
    public List<Long> look() {
        List<Long> now = launched.processes();
        RUNNING.replace(this, now);
        return now;
    }

    /// True if it is a process of a running program.
    public static boolean isOne(long pid) {
        return RUNNING.values().stream().anyMatch(pids -> pids.contains(pid));
    }

    /// All processes of the running programs.
    public static List<Long> processes() {
        List<Long> all = new ArrayList<>();
        RUNNING.values().forEach(all::addAll);
        return all;
    }

    /// Waits for its end.
    ///
    /// @return true if it has ended
    public boolean awaitEnd(Duration max) throws InterruptedException {
        return launched.awaitEnd(max);
    }

    /// Exit code of the program; empty while it runs.
    public OptionalInt exitCode() {
        return launched.exitCode();
    }

    /// The end of its output, each line indented on a separate line.
    public String lastLines() {
        return launched.lastLines();
    }

    /// Ends it with all processes that it started.
    @Override
    public void close() {
        try {
            var _ = launched.end(STOP_LIMIT, NanoClock.SYSTEM);
        } catch (InterruptedException hurry) {
            launched.kill();
            Thread.currentThread().interrupt();
        } finally {
            RUNNING.remove(this);
        }
    }
}
