package dev.jdyno.load.http2;

import dev.jdyno.load.hpack.HpackDecoder;
import dev.jdyno.load.hpack.HpackMalformed;
import dev.jdyno.load.reply.ReplyDecoder;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.FailureReason;
import java.util.Arrays;

/// Assembles the header blocks of one connection from HEADERS and the CONTINUATION frames that
/// follow (RFC 9113 §4.3), and decodes them.
public final class Http2Blocks {
    /// Maximum number of CONTINUATION frames of one block. The longest block that is read needs at
    /// most 16. Without a limit, a server could send empty frames forever.
    private static final int MAX_CONTINUATIONS = 64;

    private final HpackDecoder hpack = new HpackDecoder();

    private byte[] partial = new byte[0];
    private int partialLength;

    /// The stream whose block continues in the next frame; 0 if no block is incomplete.
    private int openStream;

    private int continuations;
    private int flags;
    private byte[] whole = partial;
    private int from;
    private int to;

    /// True if the next frame must be CONTINUATION.
    public boolean isOpen() {
        return openStream != 0;
    }

    /// Length of the complete block in bytes.
    public int length() {
        return to - from;
    }

    /// True if the reply ends with this block.
    public boolean endsStream() {
        return (flags & Http2Frames.END_STREAM) != 0;
    }

    /// @return true if the block is complete
    public boolean headers(int frameFlags, int stream, byte[] b, int payload, int length)
            throws SocketFailure {
        int start = payload;
        int end = payload + length;
        if ((frameFlags & Http2Frames.PADDED) != 0 && length > 0) {
            end -= b[start++] & 0xff;
        }
        if ((frameFlags & Http2Frames.WITH_PRIORITY) != 0) {
            start += 5;
        }
        if (end < start) {
            throw SocketFailure.malformed(FailureReason.FRAME_PADDING_INVALID);
        }
        flags = frameFlags;
        if ((frameFlags & Http2Frames.END_HEADERS) != 0) {
            setWhole(b, start, end);
            return true;
        }
        openStream = stream;
        continuations = 0;
        partialLength = 0;
        collect(b, start, end - start);
        return false;
    }

    /// @return true if the block is complete
    public boolean continuation(int frameFlags, int stream, byte[] b, int payload, int length)
            throws SocketFailure {
        if (openStream == 0 || stream != openStream) {
            throw SocketFailure.malformed(FailureReason.CONTINUATION_UNEXPECTED);
        }
        if (++continuations > MAX_CONTINUATIONS) {
            throw SocketFailure.malformed(FailureReason.CONTINUATIONS_TOO_MANY);
        }
        collect(b, payload, length);
        if ((frameFlags & Http2Frames.END_HEADERS) == 0) {
            return false;
        }
        openStream = 0;
        setWhole(partial, 0, partialLength);
        return true;
    }

    private void setWhole(byte[] b, int start, int end) {
        whole = b;
        from = start;
        to = end;
    }

    private void collect(byte[] b, int start, int length) throws SocketFailure {
        int all = partialLength + length;
        if (all > ReplyDecoder.LONGEST_HEAD) {
            throw SocketFailure.malformed(FailureReason.HEAD_TOO_LONG);
        }
        if (all > partial.length) {
            partial = Arrays.copyOf(partial, 2 * all);
        }
        System.arraycopy(b, start, partial, partialLength, length);
        partialLength = all;
    }

    /// Decodes the complete block. Every block must be decoded, even if its stream was given up,
    /// because it changes the header table.
    public void read(HpackDecoder.Fields fields) throws SocketFailure {
        try {
            hpack.decode(whole, from, to, fields);
        } catch (HpackMalformed e) {
            throw SocketFailure.malformed(e.reason(), String.valueOf(e.getMessage()));
        }
    }
}
