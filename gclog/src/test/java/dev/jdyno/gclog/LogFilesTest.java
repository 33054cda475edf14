package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {
    @TempDir private Path dir;

    private Path file(String name, double firstS) throws IOException {
        return Files.writeString(
                dir.resolve(name),
                "["
                        + firstS
                        + "s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause)"
                        + " 15M->3M(256M) 2.0ms\n");
    }

    @Test
    void readsRotatedFilesInOrderOfWriting() throws IOException {
        Path current = file("gc.log", 30);
        file("gc.log.0", 20);
        file("gc.log.1", 10);
        file("other.log", 5);

        List<LogFiles.Log> logs = LogFiles.find(List.of(current));

        assertThat(logs).hasSize(1);
        assertThat(logs.getFirst().parts())
                .extracting(p -> p.getFileName().toString())
                .containsExactly("gc.log.1", "gc.log.0", "gc.log");
    }

    @Test
    void folderHasOneLogPerName() throws IOException {
        file("a.log.0", 1);
        file("a.log.1.current", 2);
        file("b.log", 1);

        List<LogFiles.Log> logs = LogFiles.find(List.of(dir));

        assertThat(logs).hasSize(2);
        assertThat(logs.getFirst().parts()).hasSize(2);
    }

    @Test
    void readsOnlyNamedRotatedFile() throws IOException {
        file("gc.log", 30);
        Path one = file("gc.log.0", 20);

        assertThat(LogFiles.find(List.of(one)).getFirst().parts()).containsExactly(one);
    }
}
