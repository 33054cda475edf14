package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.inside.Inside;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Start scripts that run JVMs before the JVM of the service.
@Tag("full") // two or three JVMs for each case
class StartScriptTest {
    private static final NanoClock CLOCK = NanoClock.SYSTEM;
    private static final String JAVA =
            "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "'";

    @TempDir private Path folder;
    private int port;

    @BeforeEach
    void findPort() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    private Plan plan(String script) {
        String command = script.replace("JAVA", JAVA).replace("SERVER", server());
        return Plan.of(
                "files",
                URI.create("http://127.0.0.1:" + port + "/"),
                new Plan.TargetPlan.Launch(command));
    }

    private String server() {
        return JAVA + " -Xmx64m -m jdk.httpserver -b 127.0.0.1 -o none -d '" + folder + "' -p ";
    }

    private TrialSetup recorded(String script) throws InterruptedException {
        return recorded(plan(script));
    }

    private TrialSetup recorded(Plan plan) throws InterruptedException {
        return TrialSetup.answering(
                plan, folder, CLOCK, CLOCK.nanos(), () -> false, InsideOpening.NONE, false);
    }

    private void requireService(TrialSetup setup) {
        assertThat(setup.targetIsAlive()).isTrue();
        long pid = setup.inside().map(Inside::pid).orElseThrow();
        assertThat(ProcessHandle.of(pid).flatMap(p -> p.info().commandLine()).orElse(""))
                .contains("-p " + port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JAVA -version; exec SERVER$PORT",
                "JAVA -version; sleep 1; exec SERVER$PORT", // no JVM for a second
                "JAVA -version; JAVA -version; SERVER$PORT; echo ended",
                "timeout 1 SERVER 0; exec SERVER$PORT", // a JVM that could be attached
                "JAVA -version & sleep 0.3; SERVER$PORT & wait", // a shell that goes on
            })
    void observesServiceOfScript(String script) throws InterruptedException {
        String at = script.replace("$PORT", Integer.toString(port));
        try (TrialSetup setup = recorded(at)) {
            requireService(setup);
        }
        try (TrialSetup setup =
                TrialSetup.untouched(plan(at), folder, CLOCK, CLOCK.nanos(), () -> false)) {
            requireService(setup);
        }
    }

    /// The service is not the process that listens on the URL's port.
    @Test
    void observesServiceBehindProxy() throws InterruptedException {
        assumeThat(Path.of("/usr/bin/python3")).exists();
        String proxy = "python3 -m http.server --bind 127.0.0.1 --directory '" + folder + "' ";
        try (TrialSetup setup =
                recorded("JAVA -version; SERVER 0 & sleep 3; exec " + proxy + port)) {
            long pid = setup.inside().map(Inside::pid).orElseThrow();
            assertThat(ProcessHandle.of(pid).flatMap(p -> p.info().commandLine()).orElse(""))
                    .contains("jdk.httpserver");
        }
    }

    @Test
    void reportsScriptThatEndsWithoutService() {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> recorded("JAVA -version; sleep 0.5; echo no licence; exit 7"))
                .matches(e -> e.kind() == UserError.Kind.TARGET)
                .satisfies(e -> assertThat(e.what()).contains("7"))
                .satisfies(e -> assertThat(e.why()).contains("no licence"));
    }
}
