package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.packet.OnlyBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
import org.jgroups.Version;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.PingHeader;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.SizeStreamable;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A peer that holds the token, and so is authenticated, sends what harms whoever reads it. Each is
/// sent to a real group, which must close the connection or go on, and then still works.
class HostilePeerTest {
    static {
        OnlyBytes.enforce(); // before this test uses JGroups itself
    }

    private static final Kind.Call<String, String> ECHO =
            new Kind.Call<>(
                    new Kind<>(200, "question", 100, Payload.TEXT),
                    new Kind<>(201, "answer", 100, Payload.TEXT));

    /// Only ends a hang.
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final int GRACEFUL_CLOSE = -1;
    private static final byte[] COOKIE = {'b', 'e', 'l', 'a'};

    /// Half the heap is more than anything here needs.
    private static final int HUGE = 300 << 20;

    private static final long LITTLE = 60L << 20;

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

    /// What a packet has in it after its head.
    private interface Content {
        void writeTo(DataOutput out) throws IOException;
    }

    static final AtomicBoolean READ = new AtomicBoolean();
    static final AtomicBoolean INITIALISED = new AtomicBoolean();

    /// A class of the class path that does something when it is deserialised.
    static final class Gadget implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(java.io.ObjectInputStream in) {
            READ.set(true);
        }
    }

    /// A class of the class path that does something when it is loaded.
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

    private static byte[] packet(int flags, Content content) throws IOException {
        var out = new ByteArrayDataOutputStream(1024);
        out.writeShort(Version.version);
        out.writeByte(flags);
        content.writeTo(out);
        return java.util.Arrays.copyOf(out.buffer(), out.position());
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
    private static byte[] of(int type, Content payload) throws IOException {
        return packet(
                0,
                out -> {
                    out.writeShort(type);
                    head(out);
                    payload.writeTo(out);
                });
    }

    private static void head(DataOutput out) throws IOException {
        out.writeByte(0); // neither from nor to an address
        out.writeShort(0);
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

    /// Sends it over a connection of its own and waits until the receiver has read it.
    private static void attack(int port, byte[] packet) throws IOException {
        send(
                port,
                out -> {
                    out.writeInt(packet.length);
                    out.write(packet);
                    out.writeInt(GRACEFUL_CLOSE);
                });
    }

    private static void send(int port, Content content) throws IOException {
        Identity identity = Identity.of(Cluster.TOKEN);
        try (var socket = (SSLSocket) identity.context().getSocketFactory().createSocket()) {
            socket.setUseClientMode(true);
            Identity.demand(socket, Identity.GROUP);
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.startHandshake();
            var hello = new ByteArrayDataOutputStream(64);
            var claimed = new IpAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
            hello.write(COOKIE);
            hello.writeShort(Version.version);
            hello.writeShort(claimed.serializedSize());
            claimed.writeTo(hello);
            content.writeTo(hello);
            socket.getOutputStream().write(hello.buffer(), 0, hello.position());
            socket.getOutputStream().flush();
            try {
                byte[] _ = socket.getInputStream().readAllBytes();
            } catch (java.net.SocketException closed) {
                // reset, as JGroups closes it
            }
        }
    }

    private interface Attack {
        void on(int port) throws IOException;
    }

    /// Does it to the agent and to the founder of a group, which both must work afterwards.
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
    void noSerialisedObjectIsRead() throws IOException {
        onAGroup(port -> attack(port, of(new ObjectMessage(null, (Object) new Gadget()))));

        assertThat(READ).isFalse();
    }

    @Test
    void noClassIsLoadedByItsName() throws IOException {
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

    /// A message that came in parts is read again as a whole, as the type that the parts name.
    @Test
    void norIsAnObjectInParts() throws IOException {
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

    private static short protocol(Class<?> type) {
        return org.jgroups.conf.ClassConfigurator.getProtocolId(type);
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

    /// A length, or a number of things, of which nothing follows.
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
                                                                    new FragHeader(1, 0, n)))),
                                    claim("discovered members " + n, () -> of(discovered(n)))))
                    .toList();

    private static Message discovered(int count) {
        byte[] payload = java.nio.ByteBuffer.allocate(20).putInt(count).array();
        return new BytesMessage(null, payload)
                .putHeader(
                        protocol(org.jgroups.protocols.TCPPING.class),
                        new PingHeader(PingHeader.GET_MBRS_RSP));
    }

    @ParameterizedTest
    @FieldSource("CLAIMS")
    void nothingIsAllocatedForWhatIsOnlyClaimed(Claim claim) throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        onAGroup(port -> {
            long before = threads.getTotalThreadAllocatedBytes();
            attack(port, claim.bytes().getBytes(StandardCharsets.ISO_8859_1));
            assertThat(threads.getTotalThreadAllocatedBytes() - before).isLessThan(LITTLE);
        });
    }

    /// The table of messages grows to the greatest number.
    @Test
    void aMessageNumberThatCannotBeIsRefused() throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var header = UnicastHeader3.createDataHeader(1L << 41, (short) 1, true);
        onAGroup(port -> {
            long before = threads.getTotalThreadAllocatedBytes();
            attack(port, of(withHeader(org.jgroups.protocols.UNICAST3.class, header)));
            assertThat(threads.getTotalThreadAllocatedBytes() - before).isLessThan(LITTLE);
        });
    }

    /// The head of a packet itself.
    @ParameterizedTest
    @ValueSource(ints = {0, 2, (1 << 20) + 1, HUGE, Integer.MAX_VALUE, -2, Integer.MIN_VALUE})
    void aPacketOfNoLengthOfOursEndsTheConnection(int length) throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        onAGroup(port -> {
            long before = threads.getTotalThreadAllocatedBytes();
            send(
                    port,
                    out -> {
                        out.writeInt(length);
                        out.writeLong(0);
                        out.writeInt(GRACEFUL_CLOSE);
                    });
            assertThat(threads.getTotalThreadAllocatedBytes() - before).isLessThan(LITTLE);
        });
    }
}
