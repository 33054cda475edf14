package dev.jdyno.experiment;

import dev.jdyno.experiment.server.Watched;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.target.Inherited;
import dev.jdyno.target.ThreadLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Runs the lab's `threads` under a limit until it cannot create another thread.
record ThreadsProcess(Bench bench) {
    private static final Duration MAX = Duration.ofMinutes(1);
    private static final int MAX_OUTPUT_CHARS = 2000;
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    /// JVM flags that keep everything else small and fixed, so that stacks get the address space.
    private static final List<String> FLAGS =
            List.of(
                    "-Xint",
                    "-XX:+UseSerialGC",
                    "-Xms64m",
                    "-Xmx64m",
                    "-XX:ReservedCodeCacheSize=16m",
                    "-XX:CompressedClassSpaceSize=16m",
                    "-XX:-CreateCoredumpOnCrash",
                    "-XX:ErrorFile=/dev/null");

    // the JVM's message: The Java thread stack size specified is too small. Specify at least 136k
    private static final Pattern MIN = Pattern.compile("Specify at least (\\d{1,6})k");

    /// The result of one run.
    ///
    /// @param stackBytes stack size of a thread, as the JVM accepted it
    /// @param threadsBefore number of the JVM's own threads
    /// @param bytesBefore the JVM's address space before the first thread was created
    /// @param nearest the limit that `jdyno threads` reports
    record Made(
            long stackBytes,
            int threads,
            int threadsBefore,
            long bytesBefore,
            Optional<ThreadLimit> nearest) {}

    /// The output of the process.
    private record Line(
            int threads, int threadsBefore, long bytesBefore, long bytesAfter, String failure) {}

    Made inAddressSpace(long bytes, String xss) throws InterruptedException {
        List<String> limit = List.of("prlimit", "--as=" + bytes);
        return made("address space of " + (bytes >> 20) + " MB", limit, xss);
    }

    /// Creates threads in a control group; empty if no such group can be created.
    Optional<Made> inGroupOf(int threads, String xss) throws InterruptedException {
        Path own = CGROUPS.resolve("pids");
        Path group =
                (Files.isDirectory(own) ? own : CGROUPS)
                        .resolve("jdyno-lab-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(group);
        } catch (IOException notRoot) {
            return Optional.empty();
        }
        try {
            Files.writeString(group.resolve("pids.max"), Integer.toString(threads));
            String enter = "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"";
            List<String> limit = List.of("sh", "-c", enter, group.toString());
            return Optional.of(made("pids.max " + threads, limit, xss));
        } catch (IOException noController) {
            return Optional.empty();
        } finally {
            remove(group);
        }
    }

    private void remove(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException e) {
            bench.listener().note("left behind: " + group + " (" + e.getMessage() + ")");
        }
    }

    private Made made(String name, List<String> limit, String xss) throws InterruptedException {
        bench.refuseInterrupted();
        bench.listener().phase("── " + name + ", -Xss" + xss);
        try {
            Attempt first = attempt(limit, xss);
            Optional<Made> made =
                    first.refusedBelow().isEmpty()
                            ? first.made()
                            : attempt(limit, first.refusedBelow().get()).made();
            return made.orElseThrow(() ->
                    UserError.target(
                            "the lab's threads ended before it was at its limit",
                            first.output(),
                            "run it again with more free memory"));
        } catch (IOException e) {
            throw UserError.target(
                            "cannot run the lab's threads under a limit",
                            String.valueOf(e.getMessage()),
                            "install prlimit (util-linux)")
                    .causedBy(e);
        }
    }

    /// One start of the JVM.
    ///
    /// @param refusedBelow the smallest accepted stack size, if the JVM refused the given one
    /// @param output other output
    private record Attempt(Optional<Made> made, Optional<String> refusedBelow, String output) {}

    private Attempt attempt(List<String> limit, String xss)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(limit);
        List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-Xss" + xss);
        command.addAll(bench.lab().words("threads.Threads", flags, List.of()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        Inherited.bySample(builder.environment());
        // the JVM's memory for each thread then comes from a C heap that is already reserved
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        builder.environment().put("MALLOC_TOP_PAD_", Integer.toString(160 << 20));
        builder.environment().put("MALLOC_MMAP_THRESHOLD_", Integer.toString(32 << 20));
        Process process = builder.start();
        try (var _ = new Watched(process, bench.stop(), MAX);
                BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            var output = new StringBuilder();
            for (String text = out.readLine(); text != null; text = out.readLine()) {
                Optional<Line> line = read(text);
                if (line.isPresent()) {
                    return new Attempt(
                            line.map(l -> made(l, process.pid(), xss)), Optional.empty(), "");
                }
                if (output.length() < MAX_OUTPUT_CHARS) {
                    output.append(text).append(' ');
                }
            }
            Matcher min = MIN.matcher(output);
            return new Attempt(
                    Optional.empty(),
                    min.find() ? Optional.of(min.group(1) + "k") : Optional.empty(),
                    output.toString().strip());
        }
    }

    private static Made made(Line line, long pid, String xss) {
        return new Made(
                bytes(xss),
                line.threads(),
                line.threadsBefore(),
                line.bytesBefore(),
                ThreadLimits.of(pid).stream().findFirst());
    }

    /// Ignores other lines, such as a JVM's error message.
    private static Optional<Line> read(String line) {
        if (!line.startsWith("{")) {
            return Optional.empty();
        }
        try {
            return Optional.of(JsonMapper.shared().readValue(line, Line.class));
        } catch (JacksonException e) {
            throw UserError.target(
                            "the lab's threads printed something unexpected",
                            line,
                            "build the lab anew: ./mvnw -pl lab package")
                    .causedBy(e);
        }
    }

    private static long bytes(String xss) {
        long unit = xss.endsWith("k") ? 1 << 10 : 1 << 20;
        return Long.parseLong(xss.substring(0, xss.length() - 1)) * unit;
    }
}
