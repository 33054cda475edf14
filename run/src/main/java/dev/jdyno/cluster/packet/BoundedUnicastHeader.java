package dev.jdyno.cluster.packet;

import java.io.DataInput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Header;
import org.jgroups.protocols.UnicastHeader3;

/// Header with the sequence number of a message to one member. It refuses high numbers, because
/// JGroups stores messages in a table as long as the highest number. The class is public because
/// JGroups creates it by its name in `magic-map.xml`.
public final class BoundedUnicastHeader extends UnicastHeader3 {
    /// Maximum number: 100 messages a second for 46 hours. JGroups' table of that size takes 64 KB
    /// while it is empty.
    static final long MAX = 1 << 24;

    /// JGroups' number of a message without one.
    private static final long NONE = -1;

    @Override
    public Supplier<? extends Header> create() {
        return BoundedUnicastHeader::new;
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        super.readFrom(in);
        requireNumber(seqno());
    }

    static void requireNumber(long number) throws IOException {
        if (number < NONE || number > MAX) {
            throw new IOException("message number " + number);
        }
    }
}
