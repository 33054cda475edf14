package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/// A program of the user's that we run beside the target, such as a load generator. It leads a
/// session of its own and does not outlive us. Its processes count as ours wherever CPU is shared
/// out among target, client and others.
public final class Program implements AutoCloseable {
    /// Processes of each program that runs, as {@link #look()} saw them.
    private static final Map<Program, List<Long>> RUNNING = new ConcurrentHashMap<>();

    /// From SIGTERM to SIGKILL: what a program that is ended early would print is not needed.
    private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

    private final Launched launched;

    private Program(Launched launched) {
        this.launched = launched;
    }

    /// Starts a command line by the rules of {@link Target#launch(String, Path)}.
    ///
    /// @param output where its standard output and error go
    /// @throws dev.jdyno.measure.text.UserError when it cannot be started
    public static Program start(String commandLine, Path output) {
        var program =
                new Program(
                        Launched.start(List.of("sh", "-c", commandLine), output, ProcFs.SYSTEM));
        RUNNING.put(program, List.of(program.launched.pid()));
        return program;
    }

    /// Looks which processes it consists of now.
    public List<Long> look() {
        List<Long> now = launched.processes();
        RUNNING.replace(this, now);
        return now;
    }

    /// Whether it is a process of a program that runs now.
    public static boolean isOne(long pid) {
        return RUNNING.values().stream().anyMatch(pids -> pids.contains(pid));
    }

    /// All processes of the programs that run now.
    public static List<Long> processes() {
        List<Long> all = new ArrayList<>();
        RUNNING.values().forEach(all::addAll);
        return all;
    }

    /// Waits for its end.
    ///
    /// @return whether it has ended
    public boolean awaitEnd(Duration most) throws InterruptedException {
        return launched.awaitEnd(most);
    }

    /// Its exit code; empty while it runs.
    public OptionalInt exitCode() {
        return launched.exitCode();
    }

    /// The end of what it printed, each line indented on a line of its own.
    public String lastLines() {
        return launched.lastLines();
    }

    /// Ends it with all that it started.
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
