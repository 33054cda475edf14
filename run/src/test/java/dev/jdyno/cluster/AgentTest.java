package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgentTest {
    private static final Kind.Call<String, String> WORK =
            new Kind.Call<>(
                    new Kind<>(200, "work", 100, Payload.TEXT),
                    new Kind<>(201, "done", 100, Payload.TEXT));
    private static final Duration LIMIT = Eventually.DEADLINE;

    private record Lost(Member member, UserError why) {}

    private final BlockingQueue<Duty> closed = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final BlockingQueue<Lost> losses = new LinkedBlockingQueue<>();

    private final Group.Events noted =
            new Group.Events() {
                @Override
                public void lost(Member member, UserError why) {
                    losses.add(new Lost(member, why));
                }
            };

    private class Idle implements Duty {
        @Override
        public Facts.Role role() {
            return Facts.Role.LOAD;
        }

        @Override
        public void handle(Handlers handlers) {}

        @Override
        public void begin(Group group) {}

        @Override
        public void close() {
            closed.add(this);
        }
    }

    private final class NeverClosed extends Idle {
        @Override
        public void close() {
            throw new IllegalStateException("it does not end");
        }
    }

    /// A duty whose work needs more memory than is available.
    private final class TooLarge extends Idle {
        @Override
        public void handle(Handlers handlers) {
            handlers.answer(
                    WORK,
                    Runnable::run,
                    (_, _) -> {
                        throw new OutOfMemoryError("a test");
                    });
        }
    }

    private Agent agent(List<Duty> duties) {
        return Cluster.agent(
                Cluster.listener(),
                () -> duties,
                new Cluster.Silent() {
                    @Override
                    public void failed(String run, Throwable why) {
                        failures.add(why);
                    }
                });
    }

    private static <T> T next(BlockingQueue<T> of) throws InterruptedException {
        T next = of.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void endsAllDutiesDespiteFailureAndFreesAgent() throws InterruptedException {
        List<Duty> duties = List.of(new NeverClosed(), new Idle(), new NeverClosed(), new Idle());
        try (Listener first = Cluster.listener();
                Listener second = Cluster.listener();
                Agent agent = agent(duties);
                Group other = Cluster.founder(second, Group.Events.NONE)) {
            try (Group group = Cluster.founder(first, Group.Events.NONE)) {
                group.invite("one", Cluster.at(agent), "a test");
            }

            assertThat(List.of(next(closed), next(closed)))
                    .containsExactly(duties.get(1), duties.get(3));
            assertThat(next(failures).getSuppressed()).hasSize(1);
            assertThat(other.invite("one", Cluster.at(agent), "another test").name())
                    .isEqualTo("one");
        }
    }

    @Test
    void failedAgentReportsReasonAndLeaves() throws InterruptedException {
        var duty = new TooLarge();
        try (Listener listener = Cluster.listener();
                Agent agent = agent(List.of(duty));
                Group group = Cluster.founder(listener, noted)) {
            Member member = group.invite("one", Cluster.at(agent), "a test");

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> group.ask(member, WORK, "", LIMIT).join())
                    .havingCause()
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.INVALID));
            Lost lost = next(losses);
            assertThat(lost.member()).isEqualTo(member);
            assertThat(lost.why().why())
                    .isEqualTo(Refusal.of(new OutOfMemoryError("a test")).why());
            assertThat(next(closed)).isEqualTo(duty);
            assertThat(group.members()).isEmpty();
        }
    }

    @Test
    void endingAgentReportsReason() throws InterruptedException {
        var why = new UserError(UserError.Kind.INVALID, "a", "b", "c");
        Agent agent = agent(List.of(new Idle()));
        try (Listener listener = Cluster.listener();
                Group group = Cluster.founder(listener, noted)) {
            group.invite("one", Cluster.at(agent), "a test");

            agent.fail(why);
            agent.close();

            assertThat(next(losses).why().why()).isEqualTo(why.why());
            assertThat(closed).hasSize(1);
            assertThat(losses).isEmpty();
        }
    }
}
