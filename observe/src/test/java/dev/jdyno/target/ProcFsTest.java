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
}
