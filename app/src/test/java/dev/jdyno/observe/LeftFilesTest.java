package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.ProcFs;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftFilesTest {
    private static final long DEAD = Integer.MAX_VALUE;

    @TempDir Path tmp;

    @Test
    void whatAKilledJdynoLeftIsRemoved() throws IOException {
        file("jdyno-" + DEAD + "-gc.log");
        file("jdyno-" + DEAD + "-gc.log.0");
        file("jdyno-" + DEAD + ".jfc");
        file("jdyno-" + DEAD + "-stages.jfr");
        file("jdyno-" + DEAD + "t99-old.jfr");
        file("jdyno-" + DEAD + "-old.jfc");
        file("jdyno-" + DEAD + "-thrown.jfr");
        file("jdyno-" + DEAD + "t99-profile.collapsed");
        file("jdyno-threads-" + DEAD + ".json");
        file("jdyno-async-profiler-" + DEAD + ".log");

        assertThat(LeftFiles.remove(tmp, ProcFs.SYSTEM)).hasSize(10);
        assertThat(tmp).isEmptyDirectory();
    }

    @Test
    void filesOfALivingJdynoAndOfOthersStay() throws IOException {
        file("jdyno-" + ProcessHandle.current().pid() + "-gc.log");
        file("jdyno-" + ToolMark.own() + "-old.jfr");
        file("jdyno-threads-" + ProcessHandle.current().pid() + ".json");
        file("jdyno-async-profiler-" + ProcessHandle.current().pid() + ".log");
        file("jdyno-" + DEAD + "-notes.txt");
        file("libasyncProfiler-jdyno.so");

        assertThat(LeftFiles.remove(tmp, ProcFs.SYSTEM)).isEmpty();
    }

    /// In a container each jdyno has the process id of the one before.
    @Test
    void anotherProcessWithTheIdOfAKilledJdynoDoesNotKeepItsFiles() throws IOException {
        file("jdyno-" + ProcessHandle.current().pid() + "t1-gc.log");

        assertThat(LeftFiles.remove(tmp, ProcFs.SYSTEM)).hasSize(1);
    }

    @Test
    void aLogThatAJvmStillWritesStaysUntilItIsClosed() throws IOException {
        Path log = file("jdyno-" + DEAD + "-gc.log");

        try (var writes = Files.newOutputStream(log)) {
            writes.write(1);
            assertThat(LeftFiles.remove(tmp, ProcFs.SYSTEM)).isEmpty();
        }
        assertThat(LeftFiles.remove(tmp, ProcFs.SYSTEM))
                .containsExactly("jdyno-" + DEAD + "-gc.log");
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path other = file("somebody-elses.txt");
        Files.createSymbolicLink(tmp.resolve("jdyno-" + DEAD + "-gc.log"), other);

        assertThat(LeftFiles.remove(tmp, ProcFs.SYSTEM)).isEmpty();
        assertThat(other).exists();
    }

    private Path file(String name) throws IOException {
        return Files.writeString(tmp.resolve(name), "x");
    }
}
