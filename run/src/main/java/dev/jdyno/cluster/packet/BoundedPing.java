package dev.jdyno.cluster.packet;

import java.nio.ByteBuffer;
import java.util.List;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.TCPPING;
import org.jspecify.annotations.Nullable;

/// JGroups' discovery. An answer names its number of members, for which JGroups allocates room at
/// once.
public final class BoundedPing extends TCPPING {
    /// Minimum bytes of a member: an address, flags, and the presence of a name, an address and
    /// further members.
    private static final int MIN_MEMBER = 6;

    /// The headers have the protocol number of the superclass, like those of all members.
    public BoundedPing() {
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
    }

    @Override
    protected @Nullable List<PingData> readPingData(
            byte @Nullable [] bytes, int offset, int length) {
        if (bytes == null
                || length < Integer.BYTES
                || !fits(ByteBuffer.wrap(bytes, offset, length).getInt(), length)) {
            return null;
        }
        return super.readPingData(bytes, offset, length);
    }

    private static boolean fits(int members, int length) {
        return members >= 0 && members <= length / MIN_MEMBER;
    }
}
