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

/// The lab's `threads`, run under a limit until it cannot make another thread.
record ThreadsProcess(Bench bench) {
    private static final Duration MOST = Duration.ofMinutes(1);
    private static final int MOST_SAID = 2000;
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    /// All else is small and fixed, so that the address space is left to stacks.
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

    // The Java thread stack size specified is too small. Specify at least 136k
    private static final Pattern LEAST = Pattern.compile("Specify at least (\\d{1,6})k");

    /// How far it came.
    ///
    /// @param stackBytes of a thread, as the JVM accepted it
    /// @param threadsBefore the JVM's own
    /// @param bytesBefore its address space before the first thread was made
    /// @param nearest what `jdyno threads` names as the limit
    record Made(
            long stackBytes,
            int threads,
            int threadsBefore,
            long bytesBefore,
            Optional<ThreadLimit> nearest) {}

    /// What the process prints.
    private record Line(
            int threads, int threadsBefore, long bytesBefore, long bytesAfter, String failure) {}

    Made inAddressSpace(long bytes, String xss) throws InterruptedException {
        List<String> limit = List.of("prlimit", "--as=" + bytes);
        return made("address space of " + (bytes >> 20) + " MB", limit, xss);
    }

    /// Empty where such a control group cannot be made.
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
                            first.said(),
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
    /// @param refusedBelow the least stack that it accepts, where it refused the one given
    /// @param said what else it printed
    private record Attempt(Optional<Made> made, Optional<String> refusedBelow, String said) {}

    private Attempt attempt(List<String> limit, String xss)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(limit);
        List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-Xss" + xss);
        command.addAll(bench.lab().words("threads.Threads", flags, List.of()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        Inherited.bySample(builder.environment());
        // what the JVM allocates for each thread comes out of a heap that is there already
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        builder.environment().put("MALLOC_TOP_PAD_", Integer.toString(160 << 20));
        builder.environment().put("MALLOC_MMAP_THRESHOLD_", Integer.toString(32 << 20));
        Process process = builder.start();
        try (var _ = new Watched(process, bench.stop(), MOST);
                BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            var said = new StringBuilder();
            for (String text = out.readLine(); text != null; text = out.readLine()) {
                Optional<Line> line = read(text);
                if (line.isPresent()) {
                    return new Attempt(
                            line.map(l -> made(l, process.pid(), xss)), Optional.empty(), "");
                }
                if (said.length() < MOST_SAID) {
                    said.append(text).append(' ');
                }
            }
            Matcher least = LEAST.matcher(said);
            return new Attempt(
                    Optional.empty(),
                    least.find() ? Optional.of(least.group(1) + "k") : Optional.empty(),
                    said.toString().strip());
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

    /// Other lines, such as a JVM's last words, are no result.
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
