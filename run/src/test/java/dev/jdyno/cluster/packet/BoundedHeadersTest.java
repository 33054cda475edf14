package dev.jdyno.cluster.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jgroups.Header;
import org.jgroups.protocols.UnicastHeader3;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedHeadersTest {
    static {
        OnlyBytes.enforce();
    }

    private static void read(Header sent, Header as) throws Exception {
        var out = new ByteArrayDataOutputStream(100);
        sent.writeTo(out);
        as.readFrom(new ByteArrayDataInputStream(out.buffer(), 0, out.position()));
    }

    private static void unicast(long number) throws Exception {
        read(UnicastHeader3.createDataHeader(number, (short) 1, true), new BoundedUnicastHeader());
    }

    private static void toAll(long number) throws Exception {
        read(NakAckHeader2.createMessageHeader(number), new BoundedNakAckHeader());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, BoundedUnicastHeader.MAX})
    void acceptsPossibleMessageNumber(long number) {
        assertThatCode(() -> unicast(number)).doesNotThrowAnyException();
        assertThatCode(() -> toAll(number)).doesNotThrowAnyException();
    }

    /// JGroups stores the difference of two message numbers in 32 bits.
    @ParameterizedTest
    @ValueSource(
            longs = {
                BoundedUnicastHeader.MAX + 1,
                Integer.MAX_VALUE,
                1L << 32,
                Long.MAX_VALUE,
                -2,
                Long.MIN_VALUE
            })
    void refusesImpossibleMessageNumber(long number) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> unicast(number));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> toAll(number));
    }

    /// JGroups allocates a list for the announced number of members at once.
    @Test
    void refusesMoreMembersThanBytes() {
        for (int count : new int[] {-1, 3, 300 << 20, Integer.MAX_VALUE}) {
            byte[] payload = ByteBuffer.allocate(20).putInt(count).array();
            assertThat(new BoundedPing().readPingData(payload, 0, payload.length)).isNull();
        }
    }
}
