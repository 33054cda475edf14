package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GroupTest {
    private static final Kind.Call<String, String> SHOUT =
            new Kind.Call<>(
                    new Kind<>(200, "question", 1 << 20, Payload.TEXT),
                    new Kind<>(201, "answer", 1 << 20, Payload.TEXT));
    private static final Duration LIMIT = Eventually.DEADLINE;

    private static final class Shouting implements Duty {
        @Override
        public Facts.Role role() {
            return Facts.Role.LOAD;
        }

        @Override
        public void handle(Handlers handlers) {
            handlers.answer(SHOUT, Runnable::run, (_, q) -> answer(q));
        }

        private static String answer(String question) {
            if (question.isEmpty()) {
                throw UserError.usage("it will not", "the question is empty", "ask something");
            }
            return question.toUpperCase(java.util.Locale.ROOT);
        }

        @Override
        public void begin(Group group) {}

        @Override
        public void close() {}
    }

    private static Agent shouting() {
        return Cluster.agent(() -> List.of(new Shouting()));
    }

    @Test
    void invitedMemberAnswersKnownQuestionsAndRefusesOthers() {
        try (Listener listener = Cluster.listener();
                Agent agent = shouting();
                Group group = Cluster.founder(listener, Group.Events.NONE)) {
            Member member = group.invite("one", Cluster.at(agent), "a test");

            assertThat(group.ask(member, SHOUT, "hello", LIMIT).join()).isEqualTo("HELLO");
            String longText = "x".repeat(500_000);
            assertThat(group.ask(member, SHOUT, longText, LIMIT).join()).hasSize(500_000);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> group.ask(member, SHOUT, "", LIMIT).join())
                    .havingCause()
                    .isInstanceOf(UserError.class)
                    .withMessageContaining("agent one");
        }
    }

    @Test
    void twentyAgentsJoinAtOnce() throws InterruptedException {
        List<Agent> agents = new ArrayList<>();
        try (Listener listener = Cluster.listener();
                Group group = Cluster.founder(listener, Group.Events.NONE)) {
            for (int i = 0; i < 20; i++) {
                agents.add(shouting());
            }
            List<CompletableFuture<Member>> joining =
                    agents.stream()
                            .map(a ->
                                    CompletableFuture.supplyAsync(
                                            () ->
                                                    group.invite(
                                                            "a" + a.port(),
                                                            Cluster.at(a),
                                                            "a test"),
                                            r -> Thread.ofVirtual().start(r)))
                            .toList();

            List<Member> members = joining.stream().map(CompletableFuture::join).toList();
            // on a busy machine, a member may be silent for a moment while all start
            Eventually.until("twenty members", () -> group.members().size() >= 20);
            assertThat(group.members()).hasSize(20);
            assertThat(members.stream().map(m -> group.ask(m, SHOUT, m.name(), LIMIT).join()))
                    .doesNotHaveDuplicates()
                    .hasSize(20);
        } finally {
            agents.forEach(Agent::close);
        }
    }

    /// The clock of the founder does not move, except for one jump of ten seconds between two
    /// beats.
    @Test
    void aFounderThatStoodStillHasLostNoMember() throws InterruptedException {
        BlockingQueue<Member> lost = new LinkedBlockingQueue<>();
        var now = new AtomicLong();
        var turns = new AtomicLong();
        NanoClock clock =
                () -> {
                    turns.incrementAndGet();
                    return now.get();
                };
        try (Listener listener = Cluster.listener();
                Agent agent = shouting();
                Group group = Cluster.founder(listener, losses(lost), clock)) {
            Member member = group.invite("one", Cluster.at(agent), "a test");

            now.addAndGet(Duration.ofSeconds(10).toNanos());

            long then = turns.get();
            Eventually.until("several beats", () -> turns.get() > then + 20);
            assertThat(lost).isEmpty();
            assertThat(group.ask(member, SHOUT, "hello", LIMIT).join()).isEqualTo("HELLO");
        }
    }

    private static Group.Events losses(BlockingQueue<Member> lost) {
        return new Group.Events() {
            @Override
            public void lost(Member member, UserError why) {
                lost.add(member);
            }
        };
    }

    @Test
    void aMemberThatDiesIsLostAndItsQuestionsFail() throws InterruptedException {
        BlockingQueue<Member> lost = new LinkedBlockingQueue<>();
        Agent agent = shouting();
        try (Listener listener = Cluster.listener();
                Group group = Cluster.founder(listener, losses(lost))) {
            Member member = group.invite("one", Cluster.at(agent), "a test");

            agent.close();

            assertThat(lost.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(member);
            assertThat(group.members()).isEmpty();
            assertThat(group.ask(member, SHOUT, "hello", LIMIT)).isCompletedExceptionally();
        }
    }

    @Test
    void estimatesClockOfMemberWithinHalfRoundTrip() throws InterruptedException {
        try (Listener listener = Cluster.listener();
                Agent agent = shouting();
                Group group = Cluster.founder(listener, Group.Events.NONE)) {
            Member member = group.invite("one", Cluster.at(agent), "a test");
            Eventually.until("its clock", () -> group.clock(member).isPresent());

            ClockOffset.Estimate estimate = group.clock(member).orElseThrow();

            assertThat(Math.abs(estimate.offsetNanos())).isLessThanOrEqualTo(estimate.errorNanos());
        }
    }

    @Test
    void busyAgentRefusesUntilItsGroupEnds() {
        try (Listener first = Cluster.listener();
                Listener second = Cluster.listener();
                Agent agent = shouting();
                Group other = Cluster.founder(second, Group.Events.NONE)) {
            try (Group group = Cluster.founder(first, Group.Events.NONE)) {
                group.invite("one", Cluster.at(agent), "the first run");
                assertThatExceptionOfType(UserError.class)
                        .isThrownBy(() -> other.invite("one", Cluster.at(agent), "the second"))
                        .withMessageContaining("the first run");
            }
            Member member = other.invite("one", Cluster.at(agent), "the second");

            assertThat(other.ask(member, SHOUT, "free", LIMIT).join()).isEqualTo("FREE");
        }
    }

    @Test
    void anotherTokenIsRefusedByBothSides() {
        Token other = Token.of("ffffffffffffffffffffffffffffffff");
        try (Listener strange =
                        Listener.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), other);
                Agent agent = shouting();
                Group group = Cluster.founder(strange, Group.Events.NONE)) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> group.invite("one", Cluster.at(agent), "a test"))
                    .satisfies(e -> assertThat(e.why()).contains("token"));
            assertThat(group.members()).isEmpty();
        }
    }
}
