package dev.jdyno.cluster;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;

/// How a peer introduces itself that has connected by JGroups' protocol. It first says where it
/// listens: four bytes of a cookie, a version, the address's length, and the address.
///
/// @param at where it says that it listens
/// @param all its bytes, these again and what follows, for JGroups
record Introduced(IpAddress at, InputStream all) {
    private static final int HEAD_BYTES = 8;

    /// An IPv6 address with its scope and port, and some more.
    private static final int MOST_ADDRESS = 64;

    /// Waits for the introduction.
    ///
    /// @throws IOException when it is none
    static Introduced read(InputStream peer) throws IOException {
        var in = new DataInputStream(peer);
        byte[] head = new byte[HEAD_BYTES];
        in.readFully(head);
        int length = ByteBuffer.wrap(head).getShort(HEAD_BYTES - Short.BYTES);
        if (length < 1 || length > MOST_ADDRESS) {
            throw new IOException("an address of " + length + " bytes");
        }
        byte[] whole = new byte[HEAD_BYTES + length];
        System.arraycopy(head, 0, whole, 0, HEAD_BYTES);
        in.readFully(whole, HEAD_BYTES, length);
        var address = new IpAddress();
        address.readFrom(new ByteArrayDataInputStream(whole, HEAD_BYTES, length));
        if (address.getIpAddress() == null) {
            throw new IOException("an address without a host");
        }
        return new Introduced(
                address, new SequenceInputStream(new ByteArrayInputStream(whole), peer));
    }
}
