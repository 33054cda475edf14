package dev.jdyno.cli.load;

import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadReport;
import dev.jdyno.load.LoadRun;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.WindowText;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.Inherited;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A load that several processes of this machine share, each with its own limit of open files. Each
/// process has the same command line and the number of its part. The processes begin to measure
/// together, and their windows are added up as they arrive.
final class LoadProcesses implements AutoCloseable {
    /// Name of the main class. A reference would be circular, because that class knows all verbs.
    static final String MAIN = "dev.jdyno.cli.Main";

    private static final long STOP_CHECK_NANOS = 50_000_000L;
    private static final int END_SECONDS = 5;

    private final LoadPlan plan;
    private final List<Child> children = new ArrayList<>();
    private String transport = "";
    private LoadReport.End end = LoadReport.End.WHOLE;

    private record Child(Process process, BufferedReader from, PrintWriter to) {}

    /// @param arguments the command line as the user gave it
    LoadProcesses(LoadPlan plan, int processes, List<String> arguments) {
        this.plan = plan;
        for (int i = 0; i < processes; i++) {
            children.add(start(arguments, i + "/" + processes));
        }
    }

    private static Child start(List<String> arguments, String part) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(arguments);
        command.addAll(List.of("--part", part));
        try {
            var builder =
                    new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            Inherited.byJdyno(builder.environment());
            Process process = builder.start();
            return new Child(
                    process,
                    process.inputReader(StandardCharsets.UTF_8),
                    new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot start a process to share the load",
                            String.valueOf(e.getMessage()),
                            "raise the limit of processes, or load with fewer connections")
                    .causedBy(e);
        }
    }

    LoadReport run(BooleanSupplier stop, LoadRun.Listener listener) {
        Thread watch = Thread.ofVirtual().name("stop-watch").start(() -> passOn(stop));
        try {
            for (Child child : children) {
                String reply = line(child);
                if (!reply.equals(LoadPart.WARM)) {
                    throw new IllegalStateException("expected a warm process, got: " + reply);
                }
            }
            send(LoadPart.GO);
            LoadWindow total = windows(listener);
            return new LoadReport(plan, transport, total, end, children.size());
        } finally {
            watch.interrupt();
        }
    }

    private void passOn(BooleanSupplier stop) {
        while (!Thread.currentThread().isInterrupted()) {
            if (stop.getAsBoolean()) {
                send(LoadPart.STOP);
                return;
            }
            LockSupport.parkNanos(STOP_CHECK_NANOS);
        }
    }

    private void send(String order) {
        children.forEach(c -> c.to().println(order));
    }

    private LoadWindow windows(LoadRun.Listener listener) {
        List<Child> running = new ArrayList<>(children);
        Optional<LoadWindow> sum = Optional.empty();
        while (!running.isEmpty()) {
            List<LoadWindow> together = new ArrayList<>();
            for (Child child : List.copyOf(running)) {
                String reply = line(child);
                if (reply.startsWith(LoadPart.WINDOW)) {
                    together.add(WindowText.parse(reply.substring(LoadPart.WINDOW.length())));
                } else {
                    ended(reply);
                    running.remove(child);
                }
            }
            if (!together.isEmpty()) {
                LoadWindow window = LoadWindow.together(together);
                LoadWindow all = sum.map(x -> x.plus(window)).orElse(window);
                listener.window(window, all);
                sum = Optional.of(all);
            }
        }
        return sum.orElseThrow();
    }

    /// Reads the last line of a process, with the transport and how the load ended: `end epoll
    /// WHOLE`.
    private void ended(String reply) {
        String[] words = reply.split(" ", -1);
        if (!reply.startsWith(LoadPart.END) || words.length != 3) {
            throw new IllegalStateException("expected a window or the end, got: " + reply);
        }
        transport = words[1];
        LoadReport.End its = LoadReport.End.valueOf(words[2]);
        end = its.compareTo(end) > 0 ? its : end;
    }

    private static String line(Child child) {
        try {
            String line = child.from().readLine();
            if (line != null) {
                return line;
            }
            throw UserError.target(
                    "a process that shares the load ended early",
                    "exit code " + exitCode(child.process()) + "; what it said is above",
                    "fix that, then run it again");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot read from a process", e);
        }
    }

    private static String exitCode(Process process) {
        try {
            return process.waitFor(END_SECONDS, TimeUnit.SECONDS)
                    ? Integer.toString(process.exitValue())
                    : "unknown, it still runs";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    /// Ends all processes. A process ends by itself when the input from this process ends.
    @Override
    public void close() {
        children.forEach(c -> c.to().close());
        for (Child child : children) {
            try {
                if (!child.process().waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    child.process().destroyForcibly();
                }
            } catch (InterruptedException e) {
                child.process().destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
