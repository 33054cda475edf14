package dev.jdyno.inside.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.Token;
import dev.jdyno.inside.Inside;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.agent.ObservedHere;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An agent that observes its target, reached as a run on another host would reach it.
class GroupLinkTest {
    private static final String TOKEN_TEXT = "0123456789abcdef0123456789abcdef";
    private static final Token TOKEN = Token.of(TOKEN_TEXT);
    private static final Wire WIRE = new Wire(RecordingFile.json());
    private static final NanoClock CLOCK = NanoClock.SYSTEM;

    @TempDir private Path folder;
    private Process target;
    private Agent agent;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        target =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx32m",
                                "-m",
                                "jdk.httpserver",
                                "-p",
                                "0")
                        .directory(folder.toFile())
                        .start();
        // the target prints its first line when it serves requests
        assertThat(target.inputReader().readLine()).isNotNull();
        agent = agent(Set.of(Facts.Role.OBSERVE));
    }

    private static Agent agent(Set<Facts.Role> roles) {
        return Agent.start(
                Listener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TOKEN),
                busy ->
                        new Facts(
                                "test", roles, 2, "Linux", 28_000, 1024, List.of(), List.of(), 1, 1,
                                busy),
                () ->
                        List.of(
                                new ObserveDuty(
                                        WIRE,
                                        CLOCK,
                                        new ObservedHere(CLOCK, List.of()),
                                        new Pace(CLOCK))),
                new Agent.Witness() {
                    @Override
                    public void joined(String run) {}

                    @Override
                    public void left(String run, Agent.Left why) {}

                    @Override
                    public void failed(String run, Throwable why) {}
                },
                CLOCK);
    }

    @AfterEach
    void end() {
        agent.close();
        target.destroyForcibly();
    }

    private static AgentAddress at(Agent agent) {
        return new AgentAddress("127.0.0.1", agent.port());
    }

    private Inside observed() throws InterruptedException {
        GroupLink link = GroupLink.to(at(agent), Credentials.of(TOKEN), "test", CLOCK);
        return RemoteInside.open("127.0.0.1", link, WIRE, CLOCK, "pid=" + target.pid());
    }

    @Tag("full") // observes for the length of two runs
    @Test
    void consecutiveRunsObserveTarget() throws InterruptedException {
        for (int run = 0; run < 2; run++) {
            try (Inside inside = observed()) {
                assertThat(inside.pid()).isEqualTo(target.pid());
                assertThat(inside.facts().means()).contains("proc", "attach", "jfr");
                inside.announce(CLOCK.nanos() + 300_000_000);
                assertThat(inside.take()).isPresent();
                assertThat(inside.finishRecording()).isTrue();
                assertThat(inside.doubts()).noneMatch(w -> w.id().equals("observer-lost"));
            }
        }
        assertThat(target.isAlive()).isTrue();
    }

    @Test
    void refusesOtherTokenAndAgentWithoutTarget() {
        Token other = Token.of("ffffffffffffffffffffffffffffffff");
        assertThatThrownBy(() -> GroupLink.to(at(agent), Credentials.of(other), "test", CLOCK))
                .isInstanceOf(UserError.class);
        try (Agent loads = agent(Set.of(Facts.Role.LOAD))) {
            assertThatThrownBy(() -> GroupLink.to(at(loads), Credentials.of(TOKEN), "test", CLOCK))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("observe");
        }
    }

    /// One long window runs, and other requests wait for it.
    @Tag("full") // an agent of its own under a run
    @Test
    void terminatedAgentCleansTemporaryFolder() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path token = Files.writeString(folder.resolve("token"), TOKEN_TEXT);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Process process = agentProcess(temporary, token);
        List<Long> answered = new CopyOnWriteArrayList<>();
        try (GroupLink link = GroupLink.to(said(process), Credentials.of(TOKEN), "test", CLOCK)) {
            link.receive(m -> answered.add(id(m)));
            assertThat(link.send(WIRE.ask(1, new Ask.Open("pid=" + target.pid())))).isTrue();
            URI asked = URI.create("http://127.0.0.1/");
            assertThat(link.send(WIRE.ask(2, new Ask.BeginLook(asked, false)))).isTrue();
            for (int id = 3; id < 6; id++) {
                var window = new Ask.Sample(Duration.ofSeconds(60), 5);
                assertThat(link.send(WIRE.ask(id, window))).isTrue();
            }
            Eventually.until(
                    "the answer",
                    () -> {
                        assertThat(process.isAlive()).isTrue();
                        return answered.contains(2L);
                    });
            assertThat(temporary).isNotEmptyDirectory();

            process.destroy();
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(temporary).isEmptyDirectory();
            assertThat(answered).doesNotContain(4L, 5L);
        } finally {
            process.destroyForcibly();
        }
    }

    private Process agentProcess(Path temporary, Path token) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.jdyno.cli.Main",
                        "agent",
                        "--listen=127.0.0.1:0",
                        "--role=observe",
                        "--token-file=" + token)
                .redirectError(folder.resolve("agent-errors").toFile())
                .start();
    }

    /// Reads the address from `agent 127.0.0.1:4711 is ready`.
    private static AgentAddress said(Process agent) throws IOException {
        String line = agent.inputReader().readLine();
        assertThat(line).isNotNull();
        return AgentAddress.parse(line.split(" ", -1)[1]);
    }

    private static long id(byte[] answer) {
        try {
            return WIRE.readAnswer(answer).id();
        } catch (Wire.Unreadable broken) {
            throw new AssertionError(broken);
        }
    }
}
