package dev.jdyno.cluster.packet;

import java.io.DataInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jgroups.BytesMessage;
import org.jgroups.ObjectMessage;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jgroups.util.SeqnoList;

/// JGroups' messages as this process reads them. A length that a peer claims may be wrong, so bytes
/// are read piece by piece, and no memory is allocated for bytes that have not arrived.
final class Payloads {
    /// Maximum length of a payload in bytes, after its parts are joined.
    static final int MAX_BYTES = 65 << 20;

    /// JGroups' numbers of the classes below, in `magic-map.xml`.
    private static final int DIGEST = 9;

    /// Number of the class that STABLE sends from time to time.
    private static final int MUTABLE_DIGEST = 10;

    private static final int SEQUENCE_NUMBERS = 15;

    private Payloads() {}

    /// @throws IOException if there are fewer bytes, or the length is out of range
    private static byte[] read(DataInput in, int length) throws IOException {
        if (length < 0 || length > MAX_BYTES || !(in instanceof InputStream stream)) {
            throw new IOException("a payload of " + length + " bytes");
        }
        byte[] bytes = stream.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("a payload ends after " + bytes.length + " of " + length);
        }
        return bytes;
    }

    /// A message whose payload is bytes.
    static final class Bytes extends BytesMessage {
        @Override
        public void readPayload(DataInput in) throws IOException {
            int length = in.readInt();
            if (length >= 0) { // JGroups writes -1 for none
                setArray(read(in, length), 0, length);
            }
        }
    }

    /// The objects that JGroups' own protocols send: lists of missing and of received messages. All
    /// other objects are refused unread, also those named by their class.
    static final class Numbers extends ObjectMessage {
        @Override
        public void readPayload(DataInput in) throws IOException, ClassNotFoundException {
            setWrapped(false);
            if (in.readByte() == 0) {
                return;
            }
            switch (in.readShort()) {
                case DIGEST -> setObject(digest(new Digest(), in));
                case MUTABLE_DIGEST -> setObject(digest(new MutableDigest(), in));
                case SEQUENCE_NUMBERS -> setObject(missing(in));
                default -> throw new IOException("a message that is an object");
            }
        }

        private static Digest digest(Digest empty, DataInput in)
                throws IOException, ClassNotFoundException {
            empty.readFrom(in);
            return empty;
        }

        private static SeqnoList missing(DataInput in) throws IOException {
            int count = in.readInt();
            long first = in.readLong();
            if (count < 1) {
                throw new IOException("a list of " + count + " sequence numbers");
            }
            int words = (count - 1) / Long.SIZE + 1;
            byte[] bits = read(in, Math.multiplyExact(words, Long.BYTES));
            byte[] whole =
                    ByteBuffer.allocate(Integer.BYTES + Long.BYTES + bits.length)
                            .putInt(count)
                            .putLong(first)
                            .put(bits)
                            .array();
            var list = new SeqnoList();
            list.readFrom(new ByteArrayDataInputStream(whole));
            return list;
        }
    }
}
