package dev.jdyno.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.SourceFile;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.Frames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Real output of top and pidstat, with a thread dump of the same JVM at the same time.
class MatchedCpuTest {
    @TempDir private Path dir;

    private Path file(String name, String content) throws IOException {
        return Files.writeString(dir.resolve(name), content);
    }

    private static String dump() throws IOException {
        return ThreadCpuTextTest.resource("dump.txt");
    }

    private static FilesDiagnosis.Seen read(Path... files) {
        return FilesDiagnosis.read(List.of(files), Frames.builtIn());
    }

    private static Optional<Double> hottest(FilesDiagnosis.Seen seen) {
        return seen.recording().census().getFirst().signals().of(Sign.HOTTEST_THREAD_CORES);
    }

    private static Optional<SourceFile> cpuFile(FilesDiagnosis.Seen seen) {
        return seen.files().stream()
                .filter(f -> f.kind() == SourceFile.Kind.THREAD_CPU)
                .findFirst();
    }

    @ParameterizedTest
    @CsvSource({"top.txt, 0.089", "pidstat.txt, 0.0683"})
    void oneDumpGetsTheCpuOfItsThreads(String output, double cores) throws IOException {
        FilesDiagnosis.Seen seen =
                read(file("dump.txt", dump()), file("cpu.txt", ThreadCpuTextTest.resource(output)));

        assertThat(cpuFile(seen).orElseThrow().used()).isTrue();
        assertThat(cpuFile(seen).orElseThrow().from()).isPresent();
        // exec-7 from top and exec-9 from pidstat, each the mean of several reports
        assertThat(hottest(seen).orElseThrow()).isCloseTo(cores, within(1e-4));
    }

    @Test
    void pidstatShowsTheShareOfTheProcessors() throws IOException {
        FilesDiagnosis.Seen seen =
                read(
                        file("dump.txt", dump()),
                        file("cpu.txt", ThreadCpuTextTest.resource("pidstat.txt")));

        CpuUse cpu = seen.recording().rounds().getFirst().cpu().orElseThrow();
        assertThat(cpu.availableCores()).isEqualTo(2);
        // the sum over the rows of the JVM's threads, in three reports
        assertThat(cpu.processCores()).isCloseTo((0.51 + 0.49 + 0.4037) / 3, within(1e-4));
    }

    @Test
    void namesIdentifyThreadsOnHostOfContainer() throws IOException {
        String elsewhere =
                ThreadCpuTextTest.resource("top.txt")
                        .replaceAll("(?m)^ *(\\d+) (?=\\S+ +20 )", "9$1 ");

        FilesDiagnosis.Seen seen = read(file("dump.txt", dump()), file("cpu.txt", elsewhere));

        assertThat(elsewhere).isNotEqualTo(ThreadCpuTextTest.resource("top.txt"));
        assertThat(cpuFile(seen).orElseThrow().used()).isTrue();
    }

    @Test
    void anOutputOfAnotherTimeOrOfAnotherJvmIsNotUsed() throws IOException {
        String later = ThreadCpuTextTest.resource("top.txt").replaceAll("top - \\d\\d", "top - 03");
        String other =
                ThreadCpuTextTest.resource("top.txt")
                        .replaceAll(
                                "(?m)^ *\\d+ (\\S+ +20 .*:\\d\\d\\.\\d\\d ).*$", "7 $1 postgres");

        for (String output : List.of(later, other)) {
            FilesDiagnosis.Seen seen = read(file("dump.txt", dump()), file("cpu.txt", output));

            assertThat(cpuFile(seen).orElseThrow().used()).isFalse();
            assertThat(hottest(seen)).isEmpty();
            assertThat(seen.recording().target().missing()).anyMatch(m -> m.contains("cpu.txt"));
        }
    }

    @Test
    void cpuTimesInDumpsPrecedeThoseOfOtherFiles() throws IOException {
        FilesDiagnosis.Seen seen =
                read(
                        file("dump-1.txt", dump()),
                        file("dump-2.txt", ThreadCpuTextTest.resource("dump-later.txt")),
                        file("cpu.txt", ThreadCpuTextTest.resource("top.txt")));

        assertThat(cpuFile(seen).orElseThrow().used()).isFalse();
        // CPU time of exec-7 in the dumps: 346.91 ms in 6.32 s
        assertThat(hottest(seen).orElseThrow()).isCloseTo(346.91 / 6320, within(1e-4));
    }

    /// Threads match by name alone, as on the host of a container. A hostile file may have this
    /// many threads.
    @Test
    @Timeout(300)
    void namesOfManyThreadsAreMatchedInOneStepEach() {
        int many = 60_000;
        var text = new ThreadCpuText();
        Map<Long, String> threads = new HashMap<>();
        text.line("top - 10:00:00 up");
        text.line("");
        text.line("top - 10:00:01 up");
        text.line("Threads: many");
        text.line("PID %CPU COMMAND");
        for (int i = 0; i < many; i++) {
            text.line(1_000_000 + i + " 50.0 row-" + i);
            threads.put((long) i, "thread-" + i);
        }
        text.line("2000001 25.0 alone+");
        text.line("2000002 25.0 twice");
        text.line("2000003 25.0 twice");
        text.line("2000004 25.0 thread-+");
        text.line("2000005 75.0 http-ni..exec-7");
        text.finish();
        threads.put(-1L, "alone in the dump");
        threads.put(-2L, "twice");
        threads.put(-3L, "http-nio-8080-exec-7");
        Instant at = Instant.parse("2026-11-29T10:00:00Z");

        MatchedCpu matched =
                MatchedCpu.of(
                                List.of(new FoundRecords.Cpu("top.txt", text)),
                                new TimeSpan(at, at.plusSeconds(10)),
                                ZoneOffset.UTC,
                                threads)
                        .orElseThrow();

        assertThat(matched.cpu().cores()).isEqualTo(Map.of(-1L, 0.25, -3L, 0.75));
    }

    @ParameterizedTest
    @CsvSource({
        "C2 CompilerThread0, C2 CompilerThre, true",
        "C2 CompilerThread0, C2 Comp..hread0, true",
        "http-nio-8080-exec-12, http-nio-8080-e, true",
        "http-nio-8080-exec-12, http-ni..xec-12, true",
        "http-nio-8080-exec-12, http-ni..xec-13, false",
        "C2 CompilerThread0, C2 Compil+, true",
        "C2 CompilerThread0, C1 Compil+, false",
        "main, main, true",
        "main, java, false"
    })
    void threadNamesShortenedByTheKernelMatch(String thread, String kernel, boolean same) {
        assertThat(MatchedCpu.isSame(thread, kernel)).isEqualTo(same);
    }
}
