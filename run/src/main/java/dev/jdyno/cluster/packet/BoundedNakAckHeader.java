package dev.jdyno.cluster.packet;

import java.io.DataInput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Header;
import org.jgroups.protocols.pbcast.NakAckHeader2;

/// The number of a message to all members. Public for JGroups, which creates it by its name in
/// `magic-map.xml`.
public final class BoundedNakAckHeader extends NakAckHeader2 {
    @Override
    public Supplier<? extends Header> create() {
        return BoundedNakAckHeader::new;
    }

    @Override
    public void readFrom(DataInput in) throws IOException, ClassNotFoundException {
        super.readFrom(in);
        BoundedUnicastHeader.requireNumber(getSeqno());
    }
}
