package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which processes the guard's script ends, tested with a process table made by the test.
class LaunchGuardTest {
    private static final long HANG_MINUTES = 3;
    private static final long PID = 500;
    private static final long STARTED = 1000;
    private static final String MARK = "the-mark-of-this-launch";

    @TempDir private Path dir;

    private void process(long pid, long parent, long session, long started, String environment)
            throws IOException {
        Path folder = Files.createDirectories(dir.resolve("proc/" + pid));
        Files.writeString(
                folder.resolve("stat"),
                pid
                        + " (a name) S "
                        + parent
                        + " "
                        + pid
                        + " "
                        + session
                        + " 0".repeat(15)
                        + " "
                        + started
                        + " 0\n");
        Files.writeString(folder.resolve("environ"), environment);
    }

    /// @return the pids of the ended processes
    private List<String> ended(long session) throws Exception {
        Files.writeString(dir.resolve("ended"), "");
        // ends a process of the test's table, and no real process
        String kill =
                "kill() { echo \"$3\" >>%1$s/ended; rm -r %1$s/proc/\"$3\"; }\n".formatted(dir);
        String script = kill + LaunchGuard.SCRIPT.replace("/proc", dir.resolve("proc").toString());
        Process shell =
                new ProcessBuilder(
                                "sh",
                                "-c",
                                script,
                                "guard",
                                Long.toString(PID),
                                Long.toString(STARTED),
                                MARK,
                                "0",
                                Long.toString(session))
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(dir.resolve("said").toFile())
                        .start();
        assertThat(shell.waitFor(HANG_MINUTES, TimeUnit.MINUTES)).isTrue();
        assertThat(dir.resolve("said")).hasContent("");
        return Files.readAllLines(dir.resolve("ended"));
    }

    /// In a container, processes of other namespaces and all kernel threads have session 0.
    /// Processes that start later are visible, too.
    private void strangers() throws IOException {
        process(2, 0, 0, 0, "");
        process(700, 2, 0, STARTED + 5, "");
        process(701, 0, 0, STARTED + 6, "PATH=/bin");
        process(702, 1, 702, STARTED + 7, "");
    }

    @Test
    void processWithoutOwnSessionEndsNoOther() throws Exception {
        strangers();
        process(PID, 1, 77, STARTED, "JDYNO_LAUNCH=" + MARK);
        process(501, PID, 77, STARTED + 1, "");

        assertThat(ended(0)).containsExactlyInAnyOrder("500", "501");
    }

    @Test
    void reusedPidEndsNoOtherProcess() throws Exception {
        strangers();
        process(PID, 1, PID, STARTED + 9, "");
        process(501, PID, PID, STARTED + 10, "");
        process(502, 1, 0, STARTED + 2, "JDYNO_LAUNCH=" + MARK);

        assertThat(ended(PID)).containsExactly("502");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, PID})
    void endsNothingIfNoProcessIsLeft(long session) throws Exception {
        strangers();

        assertThat(ended(session)).isEmpty();
    }

    @Test
    void guardEndsAllProcessesOfItsOwnSession() throws Exception {
        strangers();
        process(PID, 1, PID, STARTED, "");
        process(501, 1, PID, STARTED + 1, "");

        assertThat(ended(PID)).containsExactlyInAnyOrder("500", "501");
    }
}
