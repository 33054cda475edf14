package dev.jdyno.cluster;

import static dev.jdyno.cluster.Attacks.LIMIT;
import static dev.jdyno.cluster.Attacks.attack;
import static dev.jdyno.cluster.Attacks.connected;
import static dev.jdyno.cluster.Attacks.packet;
import static dev.jdyno.cluster.Attacks.protocol;
import static dev.jdyno.cluster.Attacks.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.packet.OnlyBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.jgroups.BytesMessage;
import org.jgroups.FragmentedMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.SizeStreamable;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An authenticated peer, which has the token, sends harmful packets to a real group. The group
/// must close the connection or ignore the packet, and work afterwards.
class HostilePeerTest {
    static {
        OnlyBytes.enforce(); // before this test uses JGroups itself
    }

    private static final Kind.Call<String, String> ECHO =
            new Kind.Call<>(
                    new Kind<>(200, "question", 100, Payload.TEXT),
                    new Kind<>(201, "answer", 100, Payload.TEXT));

    /// Half the heap is more than any valid packet here needs.
    private static final int HUGE = 300 << 20;

    /// JGroups' mark of a message that names its sender.
    private static final int FROM = 2;

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

    static final AtomicBoolean READ = new AtomicBoolean();
    static final AtomicBoolean INITIALISED = new AtomicBoolean();

    /// A class of the class path whose deserialisation has an effect.
    static final class Gadget implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(java.io.ObjectInputStream in) {
            READ.set(true);
        }
    }

    /// A class of the class path whose loading has an effect.
    public static final class Initialised implements SizeStreamable {
        static {
            INITIALISED.set(true);
        }

        @Override
        public int serializedSize() {
            return 0;
        }

        @Override
        public void writeTo(DataOutput out) {}

        @Override
        public void readFrom(DataInput in) {}
    }

    @BeforeEach
    void start() {
        READ.set(false);
    }

    private static byte[] of(Message message) throws IOException {
        message.setSrc(UUID.randomUUID());
        return packet(
                0,
                out -> {
                    out.writeShort(message.getType());
                    message.writeTo(out);
                });
    }

    /// A message of a type with these bytes as its payload.
    private static byte[] of(int type, Attacks.Content payload) throws IOException {
        return packet(
                0,
                out -> {
                    out.writeShort(type);
                    head(out);
                    payload.writeTo(out);
                });
    }

    private static void head(DataOutput out) throws IOException {
        out.writeByte(FROM);
        out.writeShort(0);
        Util.writeAddress(UUID.randomUUID(), out);
        out.writeShort(0); // no headers
    }

    private static Object bomb() {
        Set<Object> root = new HashSet<>();
        Set<Object> one = root;
        Set<Object> other = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Set<Object> nextOne = new HashSet<>();
            Set<Object> nextOther = new HashSet<>();
            nextOne.add("x");
            one.add(nextOne);
            one.add(nextOther);
            other.add(nextOne);
            other.add(nextOther);
            one = nextOne;
            other = nextOther;
        }
        return root;
    }

    private interface Attack {
        void on(int port) throws IOException;
    }

    /// Attacks the agent and the founder of a group. Afterwards both must work.
    private static void onAGroup(Attack attack) throws IOException {
        try (Listener listener = Cluster.listener();
                Agent agent = Cluster.agent(() -> List.of(new Echo()));
                Group group = Cluster.founder(listener, Group.Events.NONE)) {
            Member member = group.invite("one", Cluster.at(agent), "a test");
            assertThat(group.ask(member, ECHO, "before", LIMIT).join()).isEqualTo("before");

            attack.on(agent.port());
            attack.on(listener.port());

            assertThat(group.ask(member, ECHO, "after", LIMIT).join()).isEqualTo("after");
        }
    }

    @Test
    void nestedSetsAreNeverRead() throws IOException {
        onAGroup(port -> attack(port, of(new ObjectMessage(null, bomb()))));
    }

    @Test
    void readsNoSerialisedObject() throws IOException {
        onAGroup(port -> attack(port, of(new ObjectMessage(null, (Object) new Gadget()))));

        assertThat(READ).isFalse();
    }

    @Test
    void loadsNoClassByName() throws IOException {
        String name = HostilePeerTest.class.getName() + "$Initialised";
        onAGroup(port ->
                attack(
                        port,
                        of(
                                Message.OBJ_MSG,
                                out -> {
                                    out.writeByte(1);
                                    out.writeShort(-1);
                                    out.writeUTF(name);
                                })));

        assertThat(INITIALISED).isFalse();
    }

    /// A message that arrives in parts is then parsed as a whole, with the type that the parts
    /// name.
    @Test
    void readsNoSerialisedObjectInParts() throws IOException {
        Message whole = new ObjectMessage(null, (Object) new Gadget());
        Message part =
                new FragmentedMessage(whole, 0, whole.size())
                        .putHeader(
                                protocol(org.jgroups.protocols.FRAG4.class),
                                new FragHeader(1, 0, 1).setOriginalType(Message.OBJ_MSG))
                        .setFlag(Message.Flag.OOB, Message.Flag.NO_RELIABILITY);
        onAGroup(port -> attack(port, of(part)));

        assertThat(READ).isFalse();
    }

    /// @param bytes as Latin-1
    record Claim(String what, String bytes) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Claim claim(String what, Making making) {
        try {
            return new Claim(what, new String(making.packet(), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private interface Making {
        byte[] packet() throws IOException;
    }

    private static Message withHeader(Class<?> protocol, org.jgroups.Header header) {
        return new BytesMessage(null, new byte[10]).putHeader(protocol(protocol), header);
    }

    /// Packets that announce a length or a number of elements that do not follow.
    static final List<Claim> CLAIMS =
            Stream.of(HUGE, Integer.MAX_VALUE)
                    .flatMap(n ->
                            Stream.of(
                                    claim(
                                            "bytes " + n,
                                            () -> of(Message.BYTES_MSG, out -> out.writeInt(n))),
                                    claim(
                                            "part " + n,
                                            () -> of(Message.FRAG_MSG, out -> out.writeInt(n))),
                                    claim(
                                            "buffer " + n,
                                            () -> of(Message.NIO_MSG, out -> out.writeInt(n))),
                                    claim(
                                            "messages in one " + n,
                                            () ->
                                                    of(
                                                            Message.COMPOSITE_MSG,
                                                            out -> out.writeInt(n))),
                                    claim(
                                            "sequence numbers " + n,
                                            () ->
                                                    of(
                                                            Message.OBJ_MSG,
                                                            out -> {
                                                                out.writeByte(1);
                                                                out.writeShort(15);
                                                                out.writeInt(n);
                                                                out.writeLong(1);
                                                            })),
                                    claim(
                                            "messages of a list " + n,
                                            () ->
                                                    packet(
                                                            1,
                                                            out -> {
                                                                Util.writeAddress(null, out);
                                                                Util.writeAddress(
                                                                        UUID.randomUUID(), out);
                                                                out.writeShort(0);
                                                                out.writeInt(n);
                                                                out.writeShort(Message.EMPTY_MSG);
                                                                head(out);
                                                            })),
                                    claim(
                                            "parts in all " + n,
                                            () ->
                                                    of(
                                                            withHeader(
                                                                    org.jgroups
                                                                            .protocols
                                                                            .FRAG4
                                                                            .class,
                                                                    new FragHeader(1, 0, n))))))
                    .toList();

    @ParameterizedTest
    @FieldSource("CLAIMS")
    void unprovenClaimEndsConnection(Claim claim) throws IOException {
        onAGroup(port -> attack(port, claim.bytes().getBytes(StandardCharsets.ISO_8859_1)));
    }

    /// JGroups' table of messages grows to the highest message number.
    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) + 7, 1L << 41, Long.MAX_VALUE, -7, Long.MIN_VALUE})
    void refusesImpossibleMessageNumber(long number) throws IOException {
        onAGroup(port -> attack(port, numbered(1, true), numbered(number, false)));
    }

    private static byte[] numbered(long number, boolean first) throws IOException {
        var header = UnicastHeader3.createDataHeader(number, (short) 1, first);
        return of(withHeader(org.jgroups.protocols.UNICAST3.class, header));
    }

    private static Message toAll(int port) {
        byte[] frame = new Frame(ECHO.question().id(), new byte[0]).bytes();
        return new BytesMessage(new IpAddress(InetAddress.getLoopbackAddress(), port), frame)
                .setFlag(Message.Flag.OOB, Message.Flag.NO_RELIABILITY);
    }

    @Test
    void aMessageThatNamesNoSenderIsRefused() throws IOException {
        onAGroup(port ->
                attack(
                        port,
                        packet(
                                0,
                                out -> {
                                    Message message = toAll(port);
                                    out.writeShort(message.getType());
                                    message.writeTo(out);
                                })));
    }

    /// A list of messages names its sender for all of them, but a message in it names an empty
    /// sender.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messageWithoutSenderChangesNothing(boolean ofTheList) throws IOException {
        onAGroup(port ->
                attack(
                        port,
                        packet(
                                1,
                                out -> {
                                    Message message = toAll(port);
                                    Util.writeAddress(message.getDest(), out);
                                    Util.writeAddress(ofTheList ? null : UUID.randomUUID(), out);
                                    out.writeShort(-1);
                                    out.writeInt(1);
                                    out.writeShort(message.getType());
                                    out.writeByte(ofTheList ? 0 : FROM);
                                    out.writeShort(message.getFlags(false));
                                    if (!ofTheList) {
                                        Util.writeAddress(null, out);
                                    }
                                    out.writeShort(0);
                                    out.writeInt(message.getLength());
                                    out.write(message.getArray());
                                })));
    }

    /// Otherwise a peer could claim the address of another agent, which would then be refused.
    @Test
    void peerListensOnlyOnItsOwnHost() throws IOException {
        onAGroup(port -> send(port, InetAddress.ofLiteral("127.0.0.2"), _ -> {}));
    }

    /// Otherwise the thread that accepts connections would wait for each silent guest.
    @Test
    void silentGuestsBlockNoOtherPeer() throws IOException {
        List<SSLSocket> silent = new ArrayList<>();
        try (Listener listener = Cluster.listener(Duration.ofHours(1));
                Agent agent = Cluster.agent(() -> List.of(new Echo()));
                Group group = Cluster.founder(listener, Group.Events.NONE)) {
            for (int i = 0; i < 10; i++) {
                silent.add(connected(listener.port()));
            }

            Member member = group.invite("one", Cluster.at(agent), "a test");

            assertThat(group.ask(member, ECHO, "heard", LIMIT).join()).isEqualTo("heard");
        } finally {
            for (SSLSocket each : silent) {
                Listener.close(each);
            }
        }
    }

    /// The length of a packet, which precedes its content, is invalid.
    @ParameterizedTest
    @ValueSource(ints = {0, 2, (1 << 20) + 1, HUGE, Integer.MAX_VALUE, -2, Integer.MIN_VALUE})
    void invalidPacketLengthEndsConnection(int length) throws IOException {
        onAGroup(port ->
                send(
                        port,
                        out -> {
                            out.writeInt(length);
                            out.writeLong(0);
                        }));
    }
}
