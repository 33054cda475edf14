package dev.jdyno.cluster.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginsTest {
    private static final PeerKey A = OwnKey.generate().open();
    private static final PeerKey B = OwnKey.generate().open();
    private static final Address AT_A = address(1);
    private static final Address AT_B = address(2);

    private final Origins origins = new Origins();

    static {
        OnlyBytes.enforce();
    }

    private static Address address(int port) {
        return new IpAddress(port);
    }

    private void refused(Address address, PeerKey by) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> origins.claim(address, by));
    }

    @Test
    void anAddressIsOfTheFirstThatUsesIt() throws IOException {
        origins.claim(AT_A, A);
        origins.claim(AT_A, A);
        origins.claim(AT_B, A);

        refused(AT_A, B);
        assertThat(origins.of(AT_A)).contains(A);
        assertThat(origins.of(address(3))).isEmpty();
    }

    @Test
    void noPeerCanFillTheMemoryWithAddresses() throws IOException {
        int claimed = 0;
        try {
            for (; claimed < 1_000_000; claimed++) {
                origins.claim(UUID.randomUUID(), A);
            }
        } catch (IOException enough) {
            // as it must be
        }
        assertThat(claimed).isLessThan(100_000);
    }

    private static byte[] packet(boolean list, Address source) throws IOException {
        Message message = new EmptyMessage(null);
        message.setSrc(source);
        var out = new ByteArrayDataOutputStream(100);
        out.writeShort(Version.version);
        out.writeByte(list ? 1 : 0);
        if (list) { // which says that it is of another one than the message in it
            Util.writeAddress(null, out);
            Util.writeAddress(null, out);
            out.writeShort(-1);
            out.writeInt(1);
        }
        out.writeShort(message.getType());
        message.writeTo(out);
        return Arrays.copyOf(out.buffer(), out.position());
    }

    /// What A sends over its own connection says that B has sent it.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nobodySpeaksForAnother(boolean list) throws IOException {
        var tcp = new BoundedTcp(Optional.empty(), origins);
        Address b = UUID.randomUUID();
        origins.claim(AT_A, A);
        origins.claim(AT_B, B);
        origins.claim(b, B);
        byte[] packet = packet(list, b);

        for (Address from : List.of(AT_A, address(3))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() ->
                            tcp.receive(
                                    from,
                                    new DataInputStream(new ByteArrayInputStream(packet)),
                                    packet.length));
        }
    }
}
