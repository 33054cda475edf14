package dev.jdyno.load.hpack;

import dev.jdyno.load.reply.ReplyDecoder;
import dev.jdyno.measure.load.FailureReason;
import java.util.Arrays;

/// Reads the header blocks of one connection (RFC 7541) in the order in which they arrive.
/// Allocates nothing once its scratch memory has grown. docs/adr says why jdyno has its own
/// decoder.
public final class HpackDecoder {
    /// Receives the fields of a block, one after the other. The bytes are valid only during the
    /// call.
    ///
    /// A block of a few bytes can stand for very many bytes: each byte may name a field of 4 KiB.
    /// The receiver of the fields must therefore set the limit.
    public interface Fields {
        /// @throws HpackMalformed if the decoder must stop reading
        void field(
                byte[] nameBytes,
                int name,
                int nameLength,
                byte[] valueBytes,
                int value,
                int valueLength)
                throws HpackMalformed;
    }

    /// Maximum length of a name and its value together, the same as for heads of HTTP/1.1. Longer
    /// fields are refused.
    static final int LONGEST_FIELD = ReplyDecoder.LONGEST_HEAD;

    private static final int MAX_INTEGER = 1 << 28;

    private final HpackTable table = new HpackTable();
    private byte[] scratch = new byte[1024];
    private int at;
    private int end;

    /// Reads the whole block `b[from…to)`.
    public void decode(byte[] b, int from, int to, Fields fields) throws HpackMalformed {
        at = from;
        end = to;
        boolean first = true;
        while (at < end) {
            int c = b[at] & 0xff;
            if (c >= 0x80) {
                table.give(integer(b, 7), fields);
            } else if (c >= 0x40) {
                literal(b, 6, true, fields);
            } else if (c >= 0x20) {
                if (!first) {
                    throw new HpackMalformed("a change of the table's size behind a field");
                }
                table.resize(integer(b, 5));
                continue; // a second change may follow (§4.2)
            } else {
                literal(b, 4, false, fields);
            }
            first = false;
        }
    }

    private void literal(byte[] b, int prefix, boolean keep, Fields fields) throws HpackMalformed {
        int index = integer(b, prefix);
        int name;
        if (index == 0) {
            name = string(b, 0);
        } else {
            name = table.nameLength(index);
            requireStringSpace(name);
            table.copyName(index, scratch, 0);
        }
        int value = string(b, name) - name;
        fields.field(scratch, 0, name, scratch, name, value);
        if (keep) {
            table.add(scratch, 0, name, name, value);
        }
    }

    /// Reads a string literal into the scratch memory.
    ///
    /// @return the index after its last byte in the scratch memory
    private int string(byte[] b, int into) throws HpackMalformed {
        if (at >= end) {
            throw new HpackMalformed("a block that ends before a string");
        }
        boolean huffman = (b[at] & 0x80) != 0;
        int length = integer(b, 7);
        if (length > end - at) {
            throw new HpackMalformed("a string longer than its block");
        }
        int from = at;
        at += length;
        if (!huffman) {
            requireStringSpace(into + length);
            System.arraycopy(b, from, scratch, into, length);
            return into + length;
        }
        requireStringSpace(into + HpackHuffman.maxDecoded(length));
        return HpackHuffman.decode(b, from, at, scratch, into);
    }

    private void requireStringSpace(int bytes) throws HpackMalformed {
        if (bytes > LONGEST_FIELD) {
            throw new HpackMalformed(
                    FailureReason.HEADER_LIST_TOO_LONG, "a field of " + bytes + " bytes");
        }
        if (bytes > scratch.length) {
            scratch = Arrays.copyOf(scratch, 2 * bytes);
        }
    }

    /// Reads an integer that begins in the low `prefix` bits of the next byte (§5.1).
    private int integer(byte[] b, int prefix) throws HpackMalformed {
        int max = (1 << prefix) - 1;
        int value = b[at++] & max;
        if (value < max) {
            return value;
        }
        for (int shift = 0; at < end && shift <= 21; shift += 7) {
            int c = b[at++];
            value += (c & 0x7f) << shift;
            if (c >= 0) {
                return value;
            }
        }
        throw new HpackMalformed("an integer that does not end or is ≥ " + MAX_INTEGER);
    }
}
