package dev.jdyno.lab.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.lab.downstream.Downstream;
import dev.jdyno.lab.memory.Memory;
import dev.jdyno.lab.perf.Perf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServicesTest {
    /// A time limit that no test reaches on a busy machine. It only ends a test that hangs.
    private static final int PATIENCE_SECONDS = 300;

    @ParameterizedTest
    @ValueSource(classes = {Downstream.class, Memory.class})
    void servicePrintsOnlyItsAddress(Class<?> main) throws IOException {
        try (ProcessOf service = ProcessOf.started(main)) {
            service.get("/");
            // ended by its handle, because Process.destroy would close the stream that is read
            // below
            service.process().toHandle().destroy();

            assertThat(service.process().inputReader().readLine()).isNull();
        }
    }

    @Test
    void serviceEndsOnSigterm() throws Exception {
        try (ProcessOf service = ProcessOf.started(Memory.class)) {
            service.process().destroy();

            assertThat(service.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void usesNoFolderOfOtherUser(@TempDir Path shared, @TempDir Path foreign) throws Exception {
        Path guessed = shared.resolve("jdyno-lab-" + System.getProperty("user.name"));
        Files.createSymbolicLink(guessed, foreign);

        try (ProcessOf service =
                ProcessOf.startedWith(List.of("-Djava.io.tmpdir=" + shared), Memory.class)) {
            service.process().destroy();
            assertThat(service.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(foreign).isEmptyDirectory();
        assertThat(shared.toFile().list()).containsExactly(guessed.getFileName().toString());
    }

    @ParameterizedTest
    @ValueSource(classes = {Downstream.class, Memory.class})
    void reportsPortInUse(Class<?> main) throws Exception {
        try (ProcessOf first = ProcessOf.started(Downstream.class)) {
            Process second =
                    ProcessOf.builder(List.of(), main, "--port", "" + first.port()).start();

            assertThat(error(second))
                    .contains("cannot listen on 127.0.0.1:" + first.port())
                    .contains("why: ")
                    .contains("fix: give another --port")
                    .doesNotContain("\tat ");
            assertThat(second.exitValue()).isEqualTo(1);
        }
    }

    @Test
    void missingOptionIsUsageError() throws Exception {
        Process perf = ProcessOf.builder(List.of(), Perf.class).start();

        assertThat(error(perf)).contains("Missing required option").contains("--downstream");
        assertThat(perf.exitValue()).isEqualTo(2);
    }

    @Test
    void serviceEndsWhenItsParentHasEnded() throws Exception {
        Process parent = new ProcessBuilder("sleep", "600").start();
        Process child =
                ProcessOf.builder(List.of(), Downstream.class, "--parent", "" + parent.pid())
                        .start();
        assertThat(child.inputReader().readLine()).startsWith("listening on ");
        assertThat(child.isAlive()).isTrue();

        parent.destroyForcibly();

        assertThat(error(child)).contains("parent " + parent.pid() + " has ended");
    }

    private static String error(Process process) throws Exception {
        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return error;
    }
}
