package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Agents that know the run by its public key, and have their own keys.
class KeyedTest {
    private static final Kind.Call<String, String> ECHO =
            new Kind.Call<>(
                    new Kind<>(200, "question", 1 << 20, Payload.TEXT),
                    new Kind<>(201, "answer", 1 << 20, Payload.TEXT));
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @TempDir private Path folder;
    private final OwnKey run = OwnKey.generate();
    private final OwnKey ofA = OwnKey.generate();
    private final OwnKey ofB = OwnKey.generate();
    private KnownAgents known;

    @BeforeEach
    void start() {
        known = KnownAgents.read(folder.resolve("known"));
    }

    private static final class Echo implements Duty {
        @Override
        public Facts.Role role() {
            return Facts.Role.LOAD;
        }

        @Override
        public void handle(Handlers handlers) {
            handlers.answer(ECHO, Runnable::run, (_, q) -> q);
        }

        @Override
        public void begin(Group group) {}

        @Override
        public void close() {}
    }

    private static Listener listener(OwnKey own, PeerKey trusted) {
        return Listener.open(new InetSocketAddress(HERE, 0), own, Set.of(trusted));
    }

    private Agent agent(OwnKey own) {
        return Cluster.agent(listener(own, run.open()), () -> List.of(new Echo()));
    }

    private static AgentAddress at(int port) {
        return new AgentAddress(HERE.getHostAddress(), port);
    }

    private Credentials trusting(Agent agent, OwnKey key) {
        known = known.with(at(agent.port()).toString(), key.open());
        return Credentials.of(run, known);
    }

    private static String refusal(Credentials credentials, Agent agent) {
        var problems = new Problems();
        Survey survey =
                Survey.of(List.of(at(agent.port())), credentials, problems, NanoClock.SYSTEM);
        assertThat(survey.answers()).isEmpty();
        assertThat(problems.list()).hasSize(1);
        return problems.list().toString();
    }

    @Test
    void aRunAndItsAgentsWorkTogether() {
        try (Agent a = agent(ofA);
                Agent b = agent(ofB)) {
            Credentials _ = trusting(a, ofA);
            Credentials credentials = trusting(b, ofB);
            List<AgentAddress> both = List.of(at(a.port()), at(b.port()));
            try (Listener listener = credentials.listen(new InetSocketAddress(HERE, 0), both);
                    Group group = Cluster.founder(listener, Group.Events.NONE)) {
                for (AgentAddress each : both) {
                    Member member = group.invite(each, credentials, "a test");
                    String text = "x".repeat(500_000);
                    assertThat(group.ask(member, ECHO, text, LIMIT).join()).isEqualTo(text);
                }
                assertThat(group.members()).hasSize(2);
            }
        }
    }

    @Test
    void anAgentThatIsNotKnownIsShownAndNotAsked() {
        try (Agent a = agent(ofA)) {
            assertThat(refusal(Credentials.of(run, known), a))
                    .contains(ofA.open().fingerprint(), "jdyno agents trust");

            assertThat(known.keys()).isEmpty();
            assertThat(Files.exists(known.file())).isFalse();
            assertThat(Credentials.of(run, known).shownBy(at(a.port()))).isEqualTo(ofA.open());
        }
    }

    /// Agent B listens at the address at which A listened before, or has taken A's address over.
    @Test
    void anotherKeyThanBeforeIsRefusedAndNotKept() {
        try (Agent b = agent(ofB)) {
            assertThat(refusal(trusting(b, ofA), b))
                    .contains(ofA.open().fingerprint(), ofB.open().fingerprint(), "--replace");

            assertThat(KnownAgents.read(known.file()).of(at(b.port()).toString()))
                    .contains(ofA.open());
        }
    }

    @Test
    void anotherRunIsRefused() {
        OwnKey other = OwnKey.generate();
        try (Agent a = agent(ofA)) {
            known = known.with(at(a.port()).toString(), ofA.open());

            String _ = refusal(Credentials.of(other, known), a);

            assertThat(a.port()).isPositive();
        }
    }

    @Test
    void aRunWithATokenIsRefusedToo() {
        try (Agent a = agent(ofA)) {
            String _ = refusal(Credentials.of(Cluster.TOKEN), a);
        }
    }

    /// An attacker that controls agent A has A's private key and the run's public key.
    @Test
    void anAgentCannotDriveAnother() {
        try (Agent b = agent(ofB)) {
            for (OwnKey thief : List.of(ofA, ofB)) {
                Identity identity = Identity.of(thief, Set.of(ofB.open(), run.open()));
                assertThatExceptionOfType(UserError.class)
                        .isThrownBy(() ->
                                Door.ask(
                                        "b",
                                        Cluster.at(b),
                                        identity,
                                        new Door.Question(Optional.empty()),
                                        NanoClock.SYSTEM));
            }
        }
    }

    /// The run invites agent B. Agent A has stolen the invitation, joins and claims to be B.
    @Test
    void anAgentCannotPassForAnother() throws Exception {
        var stolen = new CompletableFuture<Invitation>();
        try (Listener atB = listener(ofB, run.open());
                Listener atA = listener(ofA, run.open())) {
            known = known.with(at(atA.port()).toString(), ofA.open());
            known = known.with(at(atB.port()).toString(), ofB.open());
            Credentials credentials = Credentials.of(run, known);
            List<AgentAddress> both = List.of(at(atA.port()), at(atB.port()));
            atB.door(visitor -> {
                try {
                    stolen.complete(Door.question(visitor).invitation().orElseThrow());
                } catch (IOException e) {
                    stolen.completeExceptionally(e);
                }
            });
            try (Listener founding = credentials.listen(new InetSocketAddress(HERE, 0), both);
                    Group group = Cluster.founder(founding, Group.Events.NONE)) {
                Thread _ =
                        Thread.ofVirtual()
                                .start(() -> {
                                    try {
                                        Member _ = group.invite(both.getLast(), credentials, "");
                                    } catch (UserError notJoined) {
                                        // expected: no agent joins as B
                                    }
                                });
                Invitation invitation = stolen.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                try (Group asB =
                        Group.join(
                                invitation,
                                new Founder(
                                        new InetSocketAddress(HERE, founding.port()), run.open()),
                                Cluster.facts(""),
                                atA,
                                HERE,
                                new Handlers(),
                                NanoClock.SYSTEM)) {
                    Eventually.until("the group refuses it", () -> group.rejected() > 0);
                    assertThat(asB.rejected()).isZero();
                }
                assertThat(group.rejected()).isPositive();
                assertThat(group.members()).isEmpty();
            }
        }
    }
}
