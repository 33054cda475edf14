package dev.jdyno.inside.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Facts;
import dev.jdyno.cluster.Listener;
import dev.jdyno.cluster.Token;
import dev.jdyno.inside.Inside;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.ObservedHere;
import dev.jdyno.trial.RecordingFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An agent that observes, reached as a run on another host reaches it.
class GroupLinkTest {
    private static final Token TOKEN = Token.of("0123456789abcdef0123456789abcdef");
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
        // its first line comes when it serves
        assertThat(target.inputReader().readLine()).isNotNull();
        agent = agent(Set.of(Facts.Role.OBSERVE));
    }

    private static Agent agent(Set<Facts.Role> roles) {
        return Agent.start(
                Listener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TOKEN),
                busy -> new Facts("test", roles, 2, "Linux", 28_000, 1024, List.of(), 1, 1, busy),
                () -> List.of(new ObserveDuty(WIRE, CLOCK, new ObservedHere(CLOCK))),
                new Agent.Witness() {
                    @Override
                    public void joined(String run) {}

                    @Override
                    public void left(String run, boolean orderly) {}
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
        GroupLink link = GroupLink.to(at(agent), TOKEN, "test", CLOCK);
        return RemoteInside.open("127.0.0.1", link, WIRE, CLOCK, "pid=" + target.pid());
    }

    @Test
    void oneRunAfterAnotherObservesTheTarget() throws InterruptedException {
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
    void anotherTokenAndAnAgentThatDoesNotObserveAreRefused() {
        Token other = Token.of("ffffffffffffffffffffffffffffffff");
        assertThatThrownBy(() -> GroupLink.to(at(agent), other, "test", CLOCK))
                .isInstanceOf(UserError.class);
        try (Agent loads = agent(Set.of(Facts.Role.LOAD))) {
            assertThatThrownBy(() -> GroupLink.to(at(loads), TOKEN, "test", CLOCK))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("observe");
        }
    }
}
