package dev.jdyno.cluster.packet;

import java.io.DataInput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Header;
import org.jgroups.protocols.FragHeader;

/// The number of a part and the number of parts of a message; JGroups allocates room for all of
/// them at once. Public for JGroups, which creates it by its name in `magic-map.xml`.
public final class BoundedFragHeader extends FragHeader {
    /// Bytes in a part.
    public static final int FRAGMENT = 60_000;

    private static final int MAX_PARTS = Payloads.MAX_BYTES / FRAGMENT + 1;

    @Override
    public Supplier<? extends Header> create() {
        return BoundedFragHeader::new;
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        super.readFrom(in);
        if (num_frags < 1 || num_frags > MAX_PARTS || frag_id < 0 || frag_id >= num_frags) {
            throw new IOException("part " + frag_id + " of " + num_frags);
        }
    }
}
