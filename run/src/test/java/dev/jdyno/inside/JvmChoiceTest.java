package dev.jdyno.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.FreePort;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent chooses a JVM of its machine by a text from another host.
class JvmChoiceTest {
    private final JvmChoice choice = new JvmChoice(ProcFs.SYSTEM, List.of());

    @TempDir private Path folder;
    private Process service;
    private int port;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        port = FreePort.get();
        service =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx32m",
                                "--add-modules",
                                "java.base",
                                "-m",
                                "jdk.httpserver/sun.net.httpserver.simpleserver.Main",
                                "-b",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        Eventually.until("the service", () -> listens(loopback));
    }

    private boolean listens(InetAddress loopback) {
        assertThat(service.isAlive()).isTrue();
        try (var probe = new Socket(loopback, port)) {
            return probe.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @AfterEach
    void end() {
        service.destroyForcibly();
    }

    @Test
    void findsJvmByPidAndByPort() {
        assertThat(choice.find("pid=" + service.pid())).isEqualTo(service.pid());
        assertThat(choice.find("port=" + port)).isEqualTo(service.pid());
    }

    @Test
    void missingJvmErrorListsRunningJvms() {
        assertThatThrownBy(() -> choice.find("name=no-such-service"))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.why()).contains(Long.toString(service.pid())));
        assertThatThrownBy(() -> choice.find("port=no-port")).isInstanceOf(UserError.class);
    }

    @Test
    void neverChoosesOwnProcess() {
        assertThatThrownBy(() -> choice.find("pid=" + ProcessHandle.current().pid()))
                .isInstanceOf(UserError.class);
    }
}
