package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcFsTest {
    @TempDir Path mounted;
    private Path root;
    private ProcFs proc;

    @BeforeEach
    void aProcessWithARootOfItsOwn() throws IOException {
        root = mounted.resolve("4711/root");
        Files.createDirectories(root.resolve("data/temp"));
        proc = new ProcFs(mounted);
    }

    @Test
    void anAbsoluteLinkLeadsFromTheRootOfTheProcess() throws IOException {
        Files.createSymbolicLink(root.resolve("tmp"), Path.of("/data/temp"));

        assertThat(proc.seenBy(4711, "/tmp/chunks")).isEqualTo(root.resolve("data/temp/chunks"));
    }

    @Test
    void aRelativeLinkLeadsFromItsOwnFolder() throws IOException {
        Files.createDirectories(root.resolve("opt"));
        Files.createSymbolicLink(root.resolve("opt/temp"), Path.of("../data/temp"));

        assertThat(proc.seenBy(4711, "/opt/temp")).isEqualTo(root.resolve("data/temp"));
    }

    @Test
    void nothingLeadsOutOfTheRoot() {
        assertThat(proc.seenBy(4711, "/../../data/./temp/")).isEqualTo(root.resolve("data/temp"));
    }

    @Test
    void linksInACircleEnd() throws IOException {
        Files.createSymbolicLink(root.resolve("here"), Path.of("/there"));
        Files.createSymbolicLink(root.resolve("there"), Path.of("/here"));

        assertThat(proc.seenBy(4711, "/here/x").startsWith(root)).isTrue();
    }

    @Test
    void aRelativePathBeginsInTheWorkingFolder() {
        assertThat(proc.seenBy(4711, "temp")).isEqualTo(mounted.resolve("4711/cwd/temp"));
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
    void whatFollowsAKeyIsThatOfItsOwnLine(String text, String key, String expected) {
        assertThat(ProcFs.afterKey(text, key)).isEqualTo(Optional.ofNullable(expected));
    }
}
