package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TargetTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void readsFactsOfLaunchedJvm(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "sleep", "-Xmx64m", "-XX:+UseSerialGC")) {
            JvmFacts facts = target.facts();

            assertThat(facts.jvm()).hasValueSatisfying(v -> assertThat(v).contains("VM"));
            assertThat(facts.jdkVersion().orElseThrow()).matches("(17|2\\d)[.\\d]*.*");
            assertThat(facts.collector()).contains("Serial");
            assertThat(facts.heapMaxBytes()).contains(64L << 20);
            assertThat(facts.flags()).contains("-Xmx64m", "-XX:+UseSerialGC");
            assertThat(facts.missing()).isEmpty();
        }
    }

    @Test
    void readsFactsFromPerfDataWithoutAttach() throws Exception {
        try (Target target =
                Victims.launch(
                        jdks().get(0),
                        dir,
                        "sleep",
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+DisableAttachMechanism")) {
            Path left = Path.of("/tmp/.java_pid" + target.pid());
            Files.deleteIfExists(left);
            // the socket file that a killed JVM with the same pid leaves
            ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                    .bind(UnixDomainSocketAddress.of(left))
                    .close();

            JvmFacts facts = target.facts();

            Files.deleteIfExists(left);
            assertThat(facts.collector()).contains("Serial");
            assertThat(facts.flags()).contains("-Xmx64m");
            assertThat(facts.missing())
                    .singleElement()
                    .asString()
                    .contains("DisableAttachMechanism");
            assertThat(target.isAlive()).isTrue();
        }
    }

    /// With `-Xrs`, and in a JVM that still boots, SIGQUIT has its default action, which ends the
    /// process.
    @Test
    void neverSignalsProcessThatAttachSignalWouldKill() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "60").start();
        // a killed JVM with the same PID may have left its socket file, which would give another
        // error
        Files.deleteIfExists(Path.of("/tmp", ".java_pid" + sleep.pid()));
        try {
            var jcmd = new Jcmd(sleep.pid());
            assertThatThrownBy(() -> jcmd.run("VM.version"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("SIGQUIT");
            assertThat(sleep.isAlive()).isTrue();
        } finally {
            sleep.destroyForcibly().waitFor();
        }
    }

    @Test
    void findsJvmStartedByScriptAndEndsBoth() throws Exception {
        String java = String.join(" ", Victims.command(jdks().get(0), dir, "sleep", "-Xmx32m"));
        Path script = dir.resolve("start.sh");
        Files.writeString(script, "sleep 600 &\n" + java + "\necho never\n");
        long jvm;
        List<Long> before = ProcFs.SYSTEM.pids();

        try (Target target =
                Victims.await(
                        Target.launch(
                                List.of("sh", script.toString()),
                                Victims.output(dir),
                                Victims.limit()),
                        dir)) {
            jvm = target.pid();
            assertThat(target.facts().flags()).contains("-Xmx32m");
        }

        assertThat(ProcFs.SYSTEM.stat(jvm).map(s -> s[0]).orElse("gone"))
                .as("state of the JVM: gone, or dead and not reaped yet")
                .isIn("gone", "Z");
        assertThat(commandLines())
                .as("processes left of the script")
                .noneMatch(c -> c.contains(script.toString()));
        assertThat(before).doesNotContain(jvm);
    }

    /// A start script may run a JVM for a moment before that of the service.
    @Test
    void commandOutlivesItsFirstJvm() throws Exception {
        String java = String.join(" ", Victims.command(jdks().get(0), dir, "sleep", "-Xmx32m"));
        Target target =
                Target.launch(
                        List.of("sh", "-c", java + "; echo no licence; sleep 600"),
                        Victims.output(dir),
                        Victims.limit());
        try (target) {
            assertThat(target.isOutlived()).isFalse();
            ProcessHandle.of(target.pid()).ifPresent(ProcessHandle::destroyForcibly);
            Eventually.until("its end", () -> !target.isAlive());

            assertThat(target.isOutlived()).isTrue();
            assertThatCode(target::requireStarting).doesNotThrowAnyException();
            assertThatThrownBy(target::requireAlive).isInstanceOf(UserError.class);
        }
        assertThat(target.isOutlived()).isFalse();
        assertThatThrownBy(target::requireStarting)
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.why()).contains("no licence"));
    }

    private static List<String> commandLines() {
        return ProcFs.SYSTEM.pids().stream()
                .map(p -> ProcFs.SYSTEM.text(p, "cmdline").orElse(""))
                .toList();
    }

    @Test
    void reportsFailedCommandWithLastOutput() throws Exception {
        assertThatThrownBy(() ->
                        Target.launch(
                                        Victims.command(jdks().get(0), dir, "dies"),
                                        Victims.output(dir),
                                        Victims.limit())
                                .awaitPort(closedPort(), Duration.ofSeconds(20)))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.what()).contains("exit code 3");
                            assertThat(e.why()).contains("cannot bind port 80");
                            assertThat(e.kind()).isEqualTo(UserError.Kind.TARGET);
                        });
    }

    @Test
    void aCommandThatIsNoJvmIsReported() {
        assertThatThrownBy(() ->
                        Target.launch(
                                List.of("sleep", "60"),
                                Victims.output(dir),
                                Duration.ofMillis(300)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no JVM");
    }

    @Test
    void aCommandThatDoesNotExistIsReported() {
        assertThatThrownBy(() ->
                        Target.launch(
                                List.of("/no/such/java", "-jar", "x.jar"),
                                Victims.output(dir),
                                Victims.limit()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("/no/such/java");
    }

    @Test
    void aProcessIdThatIsNoJvmIsReported() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "60").start();
        try {
            assertThatThrownBy(() -> Target.attach(sleep.pid()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is not a JVM")
                    .hasMessageContaining("sleep 60");
        } finally {
            sleep.destroyForcibly().waitFor();
        }
    }

    @Test
    void aProcessIdThatDoesNotExistIsReported() {
        assertThatThrownBy(() -> Target.attach(4_194_305))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no process 4194305");
    }

    @Test
    void keepsAttachedTargetRunningAndNoticesItsEnd() throws Exception {
        try (Target launched = Victims.launch(jdks().get(0), dir, "sleep")) {
            Target attached = Target.attach(launched.pid());
            attached.close();
            assertThat(attached.attached()).isTrue();
            assertThat(attached.isAlive()).isTrue();

            Victims.kill(launched);

            assertThat(attached.isAlive()).isFalse();
            assertThatThrownBy(attached::requireAlive)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is gone");
        }
    }

    @Test
    void reportsPortOfServiceThatDoesNotListen() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep")) {
            InetSocketAddress nobody = closedPort();
            assertThatThrownBy(() -> target.awaitPort(nobody, Duration.ofMillis(100)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(Integer.toString(nobody.getPort()));
            target.awaitPort(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Victims.port(dir)),
                    Duration.ofMinutes(1));
        }
    }

    private static InetSocketAddress closedPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Test
    void refusesUnknownCommandWithItsName() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep")) {
            assertThatThrownBy(() -> target.jcmd().run("No.such"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("No.such");
        }
    }
}
