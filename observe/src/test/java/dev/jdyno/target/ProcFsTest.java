package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcFsTest {
    @TempDir Path mounted;

    @Test
    void rootOfUserNamespaceIsIdMappedToZero() throws IOException {
        var proc = new ProcFs(mounted);
        Files.createDirectories(mounted.resolve("4711"));
        assertThat(proc.rootUidOf(4711)).isZero();

        Files.writeString(
                mounted.resolve("4711/uid_map"),
                """
                         1       1000          1
                         0     100000      65536
                """);

        assertThat(proc.rootUidOf(4711)).isEqualTo(100_000);
    }

    @ParameterizedTest
    @CsvSource({
        "'Name:\tjava\nThreads:\t47\n', Name:, java",
        "'Name:\tjava\nThreads:\t47\n', Threads:, 47",
        "'Name:\tjava\nThreads:\t47', Threads:, 47",
        "'Name:\tThreads:\nThreads:\t47\n', Threads:, 47",
        "'Name:\tThreads:\n', Threads:,",
        "'', Threads:,"
    })
    void readsValueFromLineOfKey(String text, String key, String expected) {
        assertThat(ProcFs.afterKey(text, key)).isEqualTo(Optional.ofNullable(expected));
    }

    /// Of a JVM that ends, the first thread is often a zombie before the others are gone.
    @ParameterizedTest
    @CsvSource({"S, 20, 4711", "R, 1, 4711", "Z, 0,", "Z, 1,", "Z, 2, 4711", "Z, 30, 4711"})
    void processIsAliveUntilLastThreadHasEnded(String state, int threads, String started)
            throws IOException {
        Path process = Files.createDirectories(mounted.resolve("12"));
        Files.writeString(
                process.resolve("stat"),
                "12 (a) b) %s 1 12 12 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 %d 0 4711 9 9\n"
                        .formatted(state, threads));

        var proc = new ProcFs(mounted);

        assertThat(proc.startTicksAlive(12)).isEqualTo(Optional.ofNullable(started));
        var tree = new LaunchTree(proc, 12, 4711, false, LaunchMark.draw());
        assertThat(tree.living()).hasSize(started == null ? 0 : 1);
    }
}
