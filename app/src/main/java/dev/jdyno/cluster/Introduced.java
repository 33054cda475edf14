package dev.jdyno.cluster;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jgroups.Address;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;

/// The bytes of a peer that has connected by JGroups' protocol. It first says where it listens:
/// four bytes of a cookie, a version, the address's length, and the address. That is read here, and
/// then given to JGroups as it came.
final class Introduced extends InputStream {
    private static final int HEAD_BYTES = 8;

    /// An IPv6 address with its scope and port, and some more.
    private static final int MOST_ADDRESS = 64;

    /// Learns where the peer says that it listens.
    interface Claim {
        /// @throws IOException when it cannot be so
        void of(Address address) throws IOException;
    }

    private final InputStream rest;
    private final Claim claim;
    private InputStream now = InputStream.nullInputStream();
    private boolean introduced;

    Introduced(InputStream all, Claim claim) {
        this.rest = all;
        this.claim = claim;
    }

    private void introduce() throws IOException {
        introduced = true;
        var in = new DataInputStream(rest);
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
        claim.of(address);
        now = new ByteArrayInputStream(whole);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (!introduced) {
            introduce();
        }
        int some = now.read(bytes, offset, length);
        if (some >= 0) {
            return some;
        }
        now = rest;
        return rest.read(bytes, offset, length);
    }

    @Override
    public int available() throws IOException {
        return introduced ? now.available() : 0;
    }

    @Override
    public void close() throws IOException {
        rest.close();
    }
}
