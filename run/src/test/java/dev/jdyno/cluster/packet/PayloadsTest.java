package dev.jdyno.cluster.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jgroups.util.Range;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.SizeStreamable;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;

class PayloadsTest {
    static {
        OnlyBytes.enforce();
    }

    /// Version and flags, which the transport reads.
    private static final int HEAD_BYTES = 3;

    private static final Address MEMBER = UUID.randomUUID();

    private static Message readBack(SizeStreamable sent) throws Exception {
        var out = new ByteArrayDataOutputStream(1000);
        Util.writeMessage(new ObjectMessage(MEMBER, sent).setSrc(MEMBER), out, false);
        int length = out.position() - HEAD_BYTES;
        return Util.readMessage(new ByteArrayDataInputStream(out.buffer(), HEAD_BYTES, length));
    }

    @Test
    void readsMessagesOfStable() throws Exception {
        var digest = new MutableDigest(new Address[] {MEMBER}).set(MEMBER, 7, 9);

        assertThat(readBack(digest).<Digest>getObject()).isEqualTo(digest);
        var fixed = new Digest(MEMBER, 7, 9);
        assertThat(readBack(fixed).<Digest>getObject()).isEqualTo(fixed);
    }

    @Test
    void readsRetransmissionRequests() throws Exception {
        var missing = new SeqnoList(100, 3).add(5).add(70);

        assertThat(readBack(missing).<SeqnoList>getObject()).containsExactly(5L, 70L);
    }

    @Test
    void refusesOtherObjects() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> readBack(new Range(1, 2)))
                .withMessageContaining("object");
    }
}
