package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class InvitationTest {
    private static Invitation naming(String host, int port) {
        return new Invitation("group", "one", "a run", "founder", host, port);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1",
        "2001:db8::1, 2001:db8:0:0:0:0:0:1",
        "::ffff:10.0.0.1, 10.0.0.1",
    })
    void joinsAddressOfSender(String named, String from) {
        InetAddress inviter = InetAddress.ofLiteral(from);

        assertThat(naming(named, 47).founderAt(inviter))
                .isEqualTo(new InetSocketAddress(inviter, 47));
    }

    /// Host names in an invitation are never resolved, because the query would be a message to the
    /// attacker's name server.
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.2", "localhost", "intern.example", "0.0.0.0", "::1"})
    void refusesOtherAddress(String named) {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> naming(named, 47).founderAt(InetAddress.ofLiteral("10.0.0.1")));
    }

    private static Door.Visit visit(Agent agent, Optional<Invitation> invitation) {
        return Door.ask(
                "one",
                Cluster.at(agent),
                Identity.of(Cluster.TOKEN),
                new Door.Question(invitation),
                dev.jdyno.measure.NanoClock.SYSTEM);
    }

    @Test
    void agentConnectsOnlyToInvitingHost() throws IOException {
        try (var other = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.2"));
                Agent agent = Cluster.agent(List::of)) {
            Invitation invitation = naming("127.0.0.2", other.getLocalPort());

            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> visit(agent, Optional.of(invitation)));

            other.setSoTimeout(1);
            assertThatExceptionOfType(java.net.SocketTimeoutException.class)
                    .isThrownBy(other::accept);
        }
    }

    /// While an agent joins a run that does not answer, it answers other runs. Afterwards it is
    /// free again.
    @Test
    void joiningSilentRunDelaysNoOtherAgent() throws IOException {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Agent agent = Cluster.agent(List::of)) {
            Invitation invitation =
                    naming(
                            InetAddress.getLoopbackAddress().getHostAddress(),
                            silent.getLocalPort());
            CompletableFuture<Door.Visit> joining =
                    CompletableFuture.supplyAsync(
                            () -> visit(agent, Optional.of(invitation)),
                            r -> Thread.ofVirtual().start(r));
            silent.accept(); // the agent has begun to join

            assertThat(visit(agent, Optional.empty()).facts().busy()).isEqualTo("a run");
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> visit(agent, Optional.of(invitation)))
                    .satisfies(e -> assertThat(e.why()).contains("a run"));
            assertThat(joining).isNotDone();
            assertThat(joining.handle((_, failure) -> failure != null).join()).isTrue();
            assertThat(visit(agent, Optional.empty()).facts().busy()).isEmpty();
        }
    }
}
