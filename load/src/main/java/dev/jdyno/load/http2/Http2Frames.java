package dev.jdyno.load.http2;

import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.measure.load.FailureReason;
import java.util.Arrays;

/// Frames of one HTTP/2 connection (RFC 9113 §4) that the socket has not accepted yet. The windows
/// and the stream limit of the peer bound their number.
public final class Http2Frames {
    public static final int HEADER_BYTES = 9;

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int END_STREAM = 0x1;
    public static final int ACK = 0x1;
    public static final int END_HEADERS = 0x4;
    public static final int PADDED = 0x8;
    static final int WITH_PRIORITY = 0x20;

    public static final int SETTINGS_ENABLE_PUSH = 2;
    public static final int SETTINGS_MAX_CONCURRENT_STREAMS = 3;
    public static final int SETTINGS_INITIAL_WINDOW_SIZE = 4;
    public static final int SETTINGS_MAX_FRAME_SIZE = 5;

    /// Maximum number of answers to PING and SETTINGS that the peer leaves unread; nghttp2 has the
    /// same limit. The answers to one read are allowed in addition.
    private static final int MAX_ACKS = 1000;

    private byte[] bytes = new byte[2048];
    private int sent;
    private int end;

    /// Number of bytes that this connection sent before `bytes[0]`.
    private long before;

    private int acks;

    public boolean isEmpty() {
        return sent == end;
    }

    /// Writes as many bytes to the wire as it accepts.
    ///
    /// @param through array of the event loop for the bytes to write. A wire that always gets the
    ///   same array does not have to wrap it as a memory segment each time.
    /// @return number of bytes that the wire accepted
    public int sendTo(Wire wire, byte[] through) throws SocketFailure {
        int all = 0;
        int taken;
        int piece;
        do {
            piece = Math.min(end - sent, through.length);
            System.arraycopy(bytes, sent, through, 0, piece);
            taken = piece == 0 ? 0 : wire.write(through, 0, piece);
            sent += taken;
            all += taken;
        } while (taken > 0 && taken == piece);
        if (sent == end) {
            before += end;
            sent = 0;
            end = 0;
            acks = 0;
        }
        return all;
    }

    /// Number of bytes that the wire has accepted since the connection began.
    public long taken() {
        return before + sent;
    }

    /// Number of bytes that were added since the connection began.
    public long put() {
        return before + end;
    }

    /// Adds an answer to PING or SETTINGS of the peer.
    public Http2Frames ack(int type, int length) {
        acks++;
        return header(type, ACK, 0, length);
    }

    /// True if answers wait to be sent.
    public boolean hasAcks() {
        return acks > 0;
    }

    /// Refuses a peer that keeps sending PING or SETTINGS without reading the answers, which would
    /// make this buffer grow without limit. Call it after the answers were offered to the wire.
    public void mustBeRead() throws SocketFailure {
        if (acks > MAX_ACKS) {
            throw SocketFailure.malformed(FailureReason.ACKS_UNREAD_TOO_MANY);
        }
    }

    public Http2Frames header(int type, int flags, int stream, int length) {
        ensureCapacity(HEADER_BYTES + length);
        bytes[end] = (byte) (length >>> 16);
        bytes[end + 1] = (byte) (length >>> 8);
        bytes[end + 2] = (byte) length;
        bytes[end + 3] = (byte) type;
        bytes[end + 4] = (byte) flags;
        end += 5;
        return integer(stream);
    }

    public Http2Frames integer(int value) {
        ensureCapacity(4);
        bytes[end] = (byte) (value >>> 24);
        bytes[end + 1] = (byte) (value >>> 16);
        bytes[end + 2] = (byte) (value >>> 8);
        bytes[end + 3] = (byte) value;
        end += 4;
        return this;
    }

    public Http2Frames raw(byte[] b, int from, int length) {
        ensureCapacity(length);
        System.arraycopy(b, from, bytes, end, length);
        end += length;
        return this;
    }

    public Http2Frames setting(int id, int value) {
        ensureCapacity(6);
        bytes[end] = (byte) (id >>> 8);
        bytes[end + 1] = (byte) id;
        end += 2;
        return integer(value);
    }

    private void ensureCapacity(int more) {
        if (end + more > bytes.length) {
            System.arraycopy(bytes, sent, bytes, 0, end - sent);
            end -= sent;
            before += sent;
            sent = 0;
            if (end + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * (end + more));
            }
        }
    }

    /// Reads a 31-bit integer and ignores the reserved bit.
    public static int integer31(byte[] b, int at) {
        return integer32(b, at) & 0x7fff_ffff;
    }

    public static int integer32(byte[] b, int at) {
        return ((b[at] & 0xff) << 24)
                | ((b[at + 1] & 0xff) << 16)
                | ((b[at + 2] & 0xff) << 8)
                | (b[at + 3] & 0xff);
    }

    /// The length of the frame whose header is at `at`.
    public static int length(byte[] b, int at) {
        return ((b[at] & 0xff) << 16) | ((b[at + 1] & 0xff) << 8) | (b[at + 2] & 0xff);
    }
}
