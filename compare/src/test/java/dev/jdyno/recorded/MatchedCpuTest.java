package dev.jdyno.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.SourceFile;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.Frames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Real outputs of top and pidstat, and a thread dump of the same JVM and the same time.
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
    @ValueSource(strings = {"top.txt", "pidstat.txt"})
    void oneDumpGetsTheCpuOfItsThreads(String output) throws IOException {
        FilesDiagnosis.Seen seen =
                read(file("dump.txt", dump()), file("cpu.txt", ThreadCpuTextTest.resource(output)));

        assertThat(cpuFile(seen).orElseThrow().used()).isTrue();
        assertThat(cpuFile(seen).orElseThrow().from()).isPresent();
        assertThat(hottest(seen).orElseThrow()).isBetween(0.01, 1.0);
    }

    @Test
    void pidstatShowsTheShareOfTheProcessors() throws IOException {
        FilesDiagnosis.Seen seen =
                read(
                        file("dump.txt", dump()),
                        file("cpu.txt", ThreadCpuTextTest.resource("pidstat.txt")));

        CpuUse cpu = seen.recording().rounds().getFirst().cpu().orElseThrow();
        assertThat(cpu.availableCores()).isEqualTo(2);
        assertThat(cpu.processCores()).isBetween(0.1, 2.0);
    }

    @Test
    void onTheHostOfAContainerNamesIdentifyThreads() throws IOException {
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
    void theDumpsOwnCpuTimesComeFirst() throws IOException {
        FilesDiagnosis.Seen seen =
                read(
                        file("dump-1.txt", dump()),
                        file("dump-2.txt", ThreadCpuTextTest.resource("dump-later.txt")),
                        file("cpu.txt", ThreadCpuTextTest.resource("top.txt")));

        assertThat(cpuFile(seen).orElseThrow().used()).isFalse();
        assertThat(hottest(seen).orElseThrow()).isBetween(0.01, 1.0);
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
    void theKernelShortensNames(String thread, String kernel, boolean same) {
        assertThat(MatchedCpu.isSame(thread, kernel)).isEqualTo(same);
    }
}
