package dev.jdyno.cluster.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.up.ReadyLines;
import dev.jdyno.measure.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script that starts an agent on a host, in a shell of this host and with a program in the
/// agent's place.
class ScriptsTest {
    private static final Place PLACE =
            new Place(
                    Login.parse("lg1"),
                    AgentAddress.parse("lg1:4711"),
                    AgentAddress.parse("0.0.0.0:4711"),
                    "0123456789abcdef0123456789abcdef");

    /// Stores its arguments, is ready, and waits for its exit code.
    private static final String AGENT =
            """
            #!/bin/sh
            printf '%s\n' "$@" > "$HOME/words"
            echo 'agent 0.0.0.0:4711 is ready'
            until [ -s "$HOME/code" ]; do sleep 1; done
            exit $(cat "$HOME/code")
            """;

    @TempDir private Path home;

    private Path placed() {
        return home.resolve(".jdyno-agents").resolve(PLACE.id());
    }

    private static void program(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Starts the agent; returns the output of the script, which has ended.
    private String started(Duration life) throws IOException, InterruptedException {
        program(placed().resolve("jdyno/bin/jdyno"), AGENT);
        // a second would be long for a test
        program(home.resolve("bin/sleep"), "#!/bin/sh\nexec /bin/sleep 0.02\n");
        Path script =
                Files.writeString(
                        home.resolve("script"),
                        Scripts.start(
                                PLACE, "ed25519:key", life, List.of("--allow", "a b:80 'x'")));
        var shell =
                new ProcessBuilder("sh", "-c", Scripts.SHELL)
                        .redirectInput(script.toFile())
                        .redirectErrorStream(true);
        shell.environment().put("HOME", home.toString());
        shell.environment().merge("PATH", home.resolve("bin") + ":", (path, bin) -> bin + path);
        Process process = shell.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /// Lets the program in the agent's place end.
    private void end(int code) throws IOException {
        Path file = Files.writeString(home.resolve("code.new"), code + "\n");
        Files.move(file, home.resolve("code"));
    }

    @AfterEach
    void endAgent() throws IOException {
        if (Files.notExists(home.resolve("code"))) {
            end(1);
        }
        awaitEnd();
    }

    /// Waits for the end of the agent and of the shell that removes its folder.
    private void awaitEnd() {
        Eventually.until(
                "no process is in the agent's folder",
                () -> ProcessHandle.allProcesses().noneMatch(this::isInFolder));
    }

    private boolean isInFolder(ProcessHandle process) {
        try {
            return Path.of("/proc/" + process.pid() + "/cwd").toRealPath().startsWith(placed());
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void agentGetsItsTimeAndWords() throws Exception {
        String output = started(Duration.ofMinutes(90));

        assertThat(output).contains(ReadyLines.READY_END);
        assertThat(Files.readAllLines(home.resolve("words")))
                .containsExactly(
                        "agent",
                        "--own-key",
                        placed().resolve("agent.key").toString(),
                        "--listen",
                        "0.0.0.0:4711",
                        "--run-key",
                        "ed25519:key",
                        "--for",
                        "5400s",
                        "--allow",
                        "a b:80 'x'");
    }

    @Test
    void agentWhoseTimeIsOverLeavesNothing() throws Exception {
        String _ = started(Duration.ofHours(12));
        assertThat(placed()).isDirectory();

        end(0);

        Eventually.until(
                "its folder is removed", () -> Files.notExists(home.resolve(".jdyno-agents")));
    }

    @Test
    void failedAgentLeavesItsLog() throws Exception {
        String _ = started(Duration.ofHours(12));

        end(3);

        awaitEnd();
        assertThat(placed().resolve("agent.log")).content().contains(ReadyLines.READY_END);
    }
}
