package dev.jdyno.observe.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.Leftovers;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A user's async-profiler records in the target while jdyno observes it.
class OtherProfilerTest {
    private static final long PID = 42;

    /// CPU time of the target between two steps: 0.6 s, or 120 samples at 5 ms.
    private static final long TICKS = 60;

    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    /// The library, at a path where a user would install it.
    private Path library() throws IOException {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        Path library = Files.createDirectories(dir.resolve("ap")).resolve("libasyncProfiler.so");
        try (InputStream in =
                OtherProfilerTest.class.getResourceAsStream(
                        "/linux-" + arch + "/libasyncProfiler.so")) {
            Files.copy(Objects.requireNonNull(in), library);
        }
        return library;
    }

    private static void command(Target target, Path library, String options) throws Exception {
        target.jcmd().load(library.toString(), options, Duration.ofSeconds(20));
    }

    /// Waits until the target has used {@link #TICKS} of CPU, which both profilers sample.
    private static void bothSample(Target target) {
        long end = cpuTicks(target) + TICKS;
        Eventually.until("CPU time of the target", () -> cpuTicks(target) >= end);
    }

    private static long cpuTicks(Target target) {
        String[] stat = ProcFs.SYSTEM.stat(target.pid()).orElseThrow();
        return Long.parseLong(stat[11]) + Long.parseLong(stat[12]);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    @Tag("full") // recordings of seconds
    void keepsForeignRecordingAndLoadsNoSecondProfiler(Path jdk) throws Exception {
        Path library = library();
        Path file = dir.resolve("theirs.jfr");
        Instant from;
        Instant to;
        try (Target target = Victims.launch(jdk, dir, "compute")) {
            command(target, library, "start,event=cpu,interval=5ms,jfr,file=" + file);
            bothSample(target);

            from = Instant.now();
            try (Observer observer = Observer.open(target, NanoClock.SYSTEM, dir);
                    Profiler profiler =
                            Profiler.of(target, NanoClock.SYSTEM, () -> false, Frames.builtIn())) {
                assertThat(profiler.missing().orElseThrow()).contains(library.toString());
                assertThat(profiler.cpu(Duration.ofMillis(10))).isEmpty();
                assertThat(observer.facts().means()).contains("jfr");
                assertThat(Leftovers.in(target)).isEmpty();
                bothSample(target);
                observer.finishRecording(Frames.builtIn());
            }
            to = Instant.now();
            assertThat(copies(target)).isEqualTo(1);
            bothSample(target);
            command(target, library, "stop,jfr,file=" + file);
        }

        List<Instant> samples =
                RecordingFile.readAllEvents(file).stream()
                        .filter(e -> e.getEventType().getName().equals("jdk.ExecutionSample"))
                        .map(RecordedEvent::getStartTime)
                        .toList();
        long before = samples.stream().filter(s -> s.isBefore(from)).count();
        long meanwhile = samples.stream().filter(s -> !s.isBefore(from) && s.isBefore(to)).count();
        long after = samples.stream().filter(s -> !s.isBefore(to)).count();
        assertThat(List.of(before, meanwhile, after)).allMatch(n -> n > 10);
    }

    /// The flight recorder uses its own samples: of Java code, by the JVM's own clock.
    @Test
    @Tag("full") // a recording of seconds
    void theFlightRecordingLeavesItsSignalAlone() throws Exception {
        assumeThat(Runtime.version().feature()).isGreaterThanOrEqualTo(25);
        Path library = library();
        try (Target target = Victims.launch(jdks().getFirst(), dir, "compute")) {
            command(target, library, "version");
            try (Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
                bothSample(target);
                observer.finishRecording(Frames.builtIn());

                assertThat(observer.facts().missing())
                        .anyMatch(m ->
                                m.startsWith("jfr: jdk.CPUTimeSample is off")
                                        && m.contains(library.toString()));
            }
        }
    }

    private static long copies(Target target) {
        return ProcFs.SYSTEM
                .text(target.pid(), "maps")
                .orElseThrow()
                .lines()
                .filter(l -> l.contains("libasyncProfiler"))
                .map(l -> l.substring(l.indexOf('/')))
                .distinct()
                .count();
    }

    private void maps(String path) throws IOException {
        Path maps = Files.createDirectories(dir.resolve("42")).resolve("maps");
        Files.writeString(
                maps,
                "7f00-7f10 r-xp 00000000 08:01 11                         /usr/lib/libc.so.6\n"
                        + "7f20-7f30 r-xp 00000000 08:01 12                         "
                        + path
                        + "\n7f40-7f50 rw-p 00000000 00:00 0 \n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/opt/ap/lib/libasyncProfiler.so",
                "/opt/my tools/libasyncProfiler.so",
                "/tmp/libasyncProfiler-3.0-linux-x64.so",
                "/tmp/libasyncProfiler.so (deleted)",
                "/tmp/ddprof_root/pid_1/libjavaProfiler-dd-tmp7.so",
            })
    void findsProfilerByLibraryName(String path) throws IOException {
        maps(path);

        assertThat(OtherProfiler.in(new ProcFs(dir), PID)).contains(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tmp/jdyno-12t34-profiler-56t78-ab/libasyncProfiler.so",
                "/srv/root/tmp/jdyno-12t34-profiler-56t78-ab/libasyncProfiler.so",
                "/tmp/jdyno-12t34-profiler-56t78-ab/libasyncProfiler.so (deleted)",
                "/opt/libasyncProfiler.so/data.bin",
                "/usr/lib/libzip.so",
            })
    void ignoresOwnProfilerAndOtherLibraries(String path) throws IOException {
        maps(path);

        assertThat(OtherProfiler.in(new ProcFs(dir), PID)).isEmpty();
    }
}
