package dev.jdyno.cluster.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OriginsTest {
    private static final PeerKey A = OwnKey.generate().open();
    private static final PeerKey B = OwnKey.generate().open();
    private static final IpAddress AT_A = address(1);
    private static final IpAddress AT_B = address(2);

    private final Origins origins = new Origins(false);

    static {
        OnlyBytes.enforce();
    }

    private static IpAddress address(int port) {
        return address("10.0.0.1", port);
    }

    private static IpAddress address(String host, int port) {
        return new IpAddress(InetAddress.ofLiteral(host), port);
    }

    private static void refused(ThrowableAssert.ThrowingCallable claim) {
        assertThatExceptionOfType(IOException.class).isThrownBy(claim);
    }

    @Test
    void addressBelongsToFirstUser() throws IOException {
        Address member = UUID.randomUUID();
        origins.introduce(AT_A, A);
        origins.introduce(AT_A, A);
        origins.introduce(AT_B, B);
        origins.claim(member, AT_A);
        origins.claim(member, AT_A);

        refused(() -> origins.introduce(AT_A, B));
        refused(() -> origins.claim(member, AT_B));
        refused(() -> origins.claim(UUID.randomUUID(), address(3)));
        refused(() -> origins.claim(AT_B, AT_A)); // no member's address
        assertThat(origins.of(member)).contains(A);
        assertThat(origins.of(UUID.randomUUID())).isEmpty();
        assertThat(origins.isPeer(AT_B)).isTrue();
        assertThat(origins.isPeer(address(3))).isFalse();
        assertThat(origins.isAt(member, AT_A)).isTrue();
        assertThat(origins.isAt(member, AT_B)).isFalse();
    }

    /// Uses as many addresses as it can.
    private static int greed(Origins origins, String host, PeerKey by) {
        int had = 0;
        for (int port = 1; port <= 2000; port++) {
            try {
                IpAddress at = address(host, port);
                origins.introduce(at, by);
                for (had++; ; had++) {
                    origins.claim(UUID.randomUUID(), at);
                }
            } catch (IOException enough) {
                // expected: further addresses are refused
            }
        }
        return had;
    }

    @Test
    void keyWithManyAddressesDoesNotEvictOthers() throws IOException {
        int had = greed(origins, "10.0.0.1", A) + greed(origins, "10.0.0.2", A);

        assertThat(had).isEqualTo(Origins.MAX_PER_KEY * (1 + Origins.MAX_NAMES));
        IpAddress honest = address("10.0.0.1", 3000);
        origins.introduce(honest, B);
        origins.claim(UUID.randomUUID(), honest);
    }

    @Test
    void hostWithManyAddressesDoesNotEvictOthersWithItsKey() throws IOException {
        var shared = new Origins(true);

        assertThat(greed(shared, "10.0.0.1", A))
                .isEqualTo(Origins.MAX_PER_HOST * (1 + Origins.MAX_NAMES));
        IpAddress honest = address("10.0.0.2", 1);
        shared.introduce(honest, A);
        shared.claim(UUID.randomUUID(), honest);
    }

    @Test
    void manyHostsDoNotFillMemory() {
        var shared = new Origins(true);
        int had = 0;
        for (int host = 0; host < 50; host++) {
            had += greed(shared, "10.0.1." + host, A);
        }

        assertThat(had).isEqualTo(Origins.MAX * (1 + Origins.MAX_NAMES));
    }

    /// A packet with one message, or with a list of one message, and the senders that they name.
    ///
    /// @param list sender of the list; empty for a single message
    private static byte[] packet(Optional<From> list, From message) throws IOException {
        var out = new ByteArrayDataOutputStream(100);
        out.writeShort(Version.version);
        out.writeByte(list.isPresent() ? 1 : 0);
        if (list.isPresent()) {
            Util.writeAddress(null, out);
            Util.writeAddress(list.get().address(), out);
            out.writeShort(-1);
            out.writeInt(1);
        }
        out.writeShort(Message.EMPTY_MSG);
        out.writeByte(message.named() ? 2 : 0);
        out.writeShort(0);
        if (message.named()) {
            Util.writeAddress(message.address(), out);
        }
        out.writeShort(0);
        return Arrays.copyOf(out.buffer(), out.position());
    }

    /// @param named whether the message has a field for its sender
    private record From(boolean named, @Nullable Address address) {}

    private static final From NO_SENDER = new From(false, null);
    private static final From NULL = new From(true, null);

    /// A sends messages over its own connection that name other senders.
    @Test
    void peerCannotImpersonateAnother() throws IOException {
        var tcp = new BoundedTcp(Optional.empty(), origins);
        UUID a = UUID.randomUUID();
        UUID b = UUID.randomUUID();
        origins.introduce(AT_A, A);
        origins.introduce(AT_B, B);
        origins.claim(a, AT_A);
        origins.claim(b, AT_B);
        var byA = new From(true, a);
        var byB = new From(true, b);
        List<byte[]> packets =
                List.of(
                        packet(Optional.empty(), byB),
                        packet(Optional.empty(), NO_SENDER),
                        packet(Optional.empty(), NULL),
                        packet(Optional.of(byB), byA),
                        packet(Optional.of(byA), byB),
                        packet(Optional.of(byB), NO_SENDER),
                        packet(Optional.of(NULL), byA),
                        packet(Optional.of(NULL), NO_SENDER),
                        packet(Optional.of(byA), NULL));
        for (byte[] packet : packets) {
            refused(() -> receive(tcp, AT_A, packet));
        }
        for (byte[] honest :
                List.of(packet(Optional.empty(), byA), packet(Optional.of(byA), NO_SENDER))) {
            refused(() -> receive(tcp, address(3), honest));
            refused(() -> receive(tcp, AT_B, honest));
        }
    }

    private static void receive(BoundedTcp tcp, Address from, byte[] packet) throws Exception {
        tcp.receive(from, new DataInputStream(new ByteArrayInputStream(packet)), packet.length);
    }

    @Test
    void peerCannotImpersonateThisProcess() throws IOException {
        UUID own = UUID.randomUUID();
        var tcp = new BoundedTcp(Optional.empty(), origins);
        tcp.setAddress(own);
        origins.introduce(AT_A, A);

        refused(() -> receive(tcp, AT_A, packet(Optional.empty(), new From(true, own))));
    }

    /// Otherwise, messages for B would go to A.
    @Test
    void peerCannotAnnounceAddressOfAnother() throws IOException {
        var tcp = new BoundedTcp(Optional.empty(), origins);
        UUID b = UUID.randomUUID();
        origins.introduce(AT_A, A);
        origins.introduce(AT_B, B);
        origins.claim(b, AT_B);

        assertThat(tcp.addPhysicalAddressToCache(b, AT_A, true)).isFalse();
        assertThat(tcp.addPhysicalAddressToCache(UUID.randomUUID(), AT_A, true)).isFalse();
    }
}
