package dev.jdyno.cluster;

import static dev.jdyno.cluster.Attacks.attack;
import static dev.jdyno.cluster.Attacks.packet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.packet.OnlyBytes;
import dev.jdyno.measure.Eventually;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.blocks.RequestCorrelator;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;

/// JGroups accepts an answer from any member, and deserialises an answer that is marked as an
/// object. jdyno's group does neither.
class HostileAnswerTest {
    static {
        OnlyBytes.enforce(); // before this test uses JGroups itself
    }

    private static final short QUESTIONS = Attacks.protocol(RequestCorrelator.class);
    private static final Kind.Call<String, String> ECHO =
            new Kind.Call<>(
                    new Kind<>(200, "question", 1000, Payload.TEXT),
                    new Kind<>(201, "answer", 1000, Payload.TEXT));

    /// Number of question numbers that the attack tries.
    private static final int TRIES = 50;

    private static final AtomicBoolean READ = new AtomicBoolean();

    /// A class of the class path whose deserialisation has an effect.
    private static final class Gadget implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(java.io.ObjectInputStream in) {
            READ.set(true);
        }
    }

    /// Answers only when the test runs the queued answer.
    private record Slow(Queue<Runnable> asked) implements Duty {
        @Override
        public Facts.Role role() {
            return Facts.Role.LOAD;
        }

        @Override
        public void handle(Handlers handlers) {
            handlers.answer(ECHO, asked::add, (_, q) -> q);
        }

        @Override
        public void begin(Group group) {}

        @Override
        public void close() {}
    }

    /// JGroups gives the questions of a process consecutive numbers.
    private static final class Numbers extends RequestCorrelator {
        private Numbers() {
            super(null, null, null);
        }

        static long next() {
            return REQUEST_ID.get();
        }
    }

    /// Sends answers to the last questions of this process from a peer that was not asked. Waits
    /// until all answers have been read.
    ///
    /// @param how JGroups' mark of an answer or a refusal
    private static void answer(
            Group group, int port, byte how, byte[] payload, Message.Flag... flags)
            throws IOException {
        UUID self = UUID.randomUUID();
        List<byte[]> packets = new ArrayList<>();
        long last = Numbers.next();
        for (long number = Math.max(1, last - TRIES); number <= last; number++) {
            packets.add(of(self, how, number, payload, flags));
        }
        packets.add(of(self, RequestCorrelator.Header.REQ, 0, payload)); // is counted
        packets.add(new byte[0]); // ends the connection
        long before = group.rejected();
        attack(port, packets.toArray(byte[][]::new));
        Eventually.until("all answers are read", () -> group.rejected() > before);
    }

    private static byte[] of(
            UUID self, byte how, long number, byte[] payload, Message.Flag... flags)
            throws IOException {
        Message message =
                new BytesMessage(null, payload)
                        .setFlag(Message.Flag.NO_RELIABILITY)
                        .setFlag(flags)
                        .setSrc(self)
                        .putHeader(QUESTIONS, new RequestCorrelator.Header(how, number, QUESTIONS));
        return packet(
                0,
                out -> {
                    out.writeShort(message.getType());
                    message.writeTo(out);
                });
    }

    @Test
    void onlyQueriedMemberMayReply() throws IOException {
        Queue<Runnable> asked = new LinkedBlockingQueue<>();
        try (Listener listener = Cluster.listener();
                Agent agent = Cluster.agent(() -> List.of(new Slow(asked)));
                Group group = Cluster.founder(listener, Group.Events.NONE)) {
            Member member = group.invite("one", Cluster.at(agent), "a test");
            CompletableFuture<String> answer = group.ask(member, ECHO, "honest", Attacks.LIMIT);
            Eventually.until("the question", () -> !asked.isEmpty());

            byte[] gadget = Util.objectToByteBuffer(new Gadget());
            byte[] text = "stolen".getBytes(StandardCharsets.UTF_8);
            int port = listener.port();
            answer(group, port, RequestCorrelator.Header.RSP, gadget, Message.Flag.SERIALIZED);
            answer(group, port, RequestCorrelator.Header.EXC_RSP, gadget, Message.Flag.SERIALIZED);
            answer(group, port, RequestCorrelator.Header.RSP, text);
            answer(group, port, RequestCorrelator.Header.EXC_RSP, text);

            assertThat(READ).isFalse();
            assertThat(answer).isNotDone();
            asked.forEach(Runnable::run);
            assertThat(answer.join()).isEqualTo("honest");
        }
    }
}
