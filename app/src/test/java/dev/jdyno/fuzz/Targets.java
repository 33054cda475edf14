package dev.jdyno.fuzz;

import dev.jdyno.foreign.GunzipFuzz;
import dev.jdyno.observe.front.FrontServerFuzz;
import dev.jdyno.observe.jfr.RecordingFuzz;
import dev.jdyno.observe.logging.LoggingFuzz;
import dev.jdyno.observe.stacks.CollapsedFuzz;
import dev.jdyno.observe.stacks.ThreadDumpFuzz;
import dev.jdyno.observe.threads.VirtualSampleFuzz;
import dev.jdyno.plan.AccessLogFuzz;
import dev.jdyno.plan.DataRowsFuzz;
import dev.jdyno.plan.PlanFuzz;
import dev.jdyno.plan.WorkloadFuzz;
import dev.jdyno.report.ResultFuzz;
import dev.jdyno.target.PerfDataFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The readers of foreign data that are fuzzed. The class of each target has the method that Jazzer
/// calls. This method catches only the exceptions that its reader may throw.
public final class Targets {
    /// @param name of its class, without `Fuzz`
    /// @param seeds valid inputs
    /// @param rounds mutations in the short form: all targets together take some seconds
    record Target(String name, Class<?> type, Consumer<byte[]> reader, Seeds seeds, int rounds) {
        @Override
        public String toString() {
            return name;
        }
    }

    interface Seeds {
        List<byte[]> get() throws Exception;
    }

    private Targets() {}

    static List<Target> all() {
        return List.of(
                target(PlanFuzz.class, PlanFuzz::fuzzerTestOneInput, PlanFuzz::seeds, 1500),
                target(
                        WorkloadFuzz.class,
                        WorkloadFuzz::fuzzerTestOneInput,
                        WorkloadFuzz::seeds,
                        1500),
                target(
                        AccessLogFuzz.class,
                        AccessLogFuzz::fuzzerTestOneInput,
                        AccessLogFuzz::seeds,
                        1500),
                target(
                        DataRowsFuzz.class,
                        DataRowsFuzz::fuzzerTestOneInput,
                        DataRowsFuzz::seeds,
                        1500),
                target(GcLogFuzz.class, GcLogFuzz::fuzzerTestOneInput, GcLogFuzz::seeds, 150),
                target(GunzipFuzz.class, GunzipFuzz::fuzzerTestOneInput, GunzipFuzz::seeds, 1500),
                target(ResultFuzz.class, ResultFuzz::fuzzerTestOneInput, ResultFuzz::seeds, 300),
                target(
                        LoggingFuzz.class,
                        LoggingFuzz::fuzzerTestOneInput,
                        LoggingFuzz::seeds,
                        1500),
                target(
                        FrontServerFuzz.class,
                        FrontServerFuzz::fuzzerTestOneInput,
                        FrontServerFuzz::seeds,
                        60),
                target(
                        PerfDataFuzz.class,
                        PerfDataFuzz::fuzzerTestOneInput,
                        PerfDataFuzz::seeds,
                        800),
                target(
                        RecordingFuzz.class,
                        RecordingFuzz::fuzzerTestOneInput,
                        RecordingFuzz::seeds,
                        60),
                target(
                        ThreadDumpFuzz.class,
                        ThreadDumpFuzz::fuzzerTestOneInput,
                        ThreadDumpFuzz::seeds,
                        300),
                target(
                        VirtualSampleFuzz.class,
                        VirtualSampleFuzz::fuzzerTestOneInput,
                        VirtualSampleFuzz::seeds,
                        1500),
                target(
                        CollapsedFuzz.class,
                        CollapsedFuzz::fuzzerTestOneInput,
                        CollapsedFuzz::seeds,
                        1500));
    }

    private static Target target(Class<?> type, Consumer<byte[]> reader, Seeds seeds, int rounds) {
        return new Target(
                type.getSimpleName().replaceFirst("Fuzz$", ""), type, reader, seeds, rounds);
    }

    /// Inputs that once made a target fail, in `src/test/resources/fuzz/NAME`.
    static List<Path> found(Target target) throws IOException {
        Path folder = Path.of("src/test/resources/fuzz", target.name());
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /// Writes the seeds of all targets into folders that Jazzer reads, and the targets' classes to
    /// standard output, for `bench/fuzz/run.sh`.
    ///
    /// @param args the folder
    public static void main(String[] args) throws Exception {
        for (Target target : all()) {
            Path folder = Files.createDirectories(Path.of(args[0], target.name()));
            int number = 0;
            for (byte[] seed : target.seeds().get()) {
                Files.write(folder.resolve("seed-" + number++), seed);
            }
            for (Path found : found(target)) {
                Files.copy(found, folder.resolve("found-" + number++));
            }
            System.out.println(target.name() + " " + target.type().getName());
        }
    }
}
