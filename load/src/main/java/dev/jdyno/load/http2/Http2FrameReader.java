package dev.jdyno.load.http2;

import dev.jdyno.load.reply.ReplyDecoder;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.util.Arrays;

/// Splits the bytes of one connection into frames, wherever in a frame a read ends (RFC 9113 §4.1).
/// The content of DATA frames is passed on as it arrives, every other frame once it is complete.
public final class Http2FrameReader {
    /// The default of SETTINGS_MAX_FRAME_SIZE. This client does not send another value.
    public static final int LONGEST = 16_384;

    /// Receives the frames.
    public interface Handler {
        /// A complete frame of any type but DATA. Its payload is `b[from…from+length)`.
        void frame(int type, int flags, int stream, byte[] b, int from, int length)
                throws SocketFailure;

        /// A part of the content of a DATA frame.
        void data(int stream, byte[] b, int from, int length) throws SocketFailure;

        /// A DATA frame is complete.
        ///
        /// @param length length of its payload with padding, as flow control counts it
        void dataOver(int stream, int flags, int length) throws SocketFailure;

        /// True if the connection is closed, so that the remaining bytes are ignored.
        boolean isClosed();
    }

    private final Handler handler;
    private byte[] partial = new byte[256];
    private int partialLength;

    private boolean inData;
    private int dataStream;
    private int dataFlags;
    private int dataLength;
    private int dataLeft;
    private int padding;
    private boolean paddingUnknown;

    public Http2FrameReader(Handler handler) {
        this.handler = handler;
    }

    /// Checks that the first frame of a server is SETTINGS. If the bytes are TLS or HTTP/1.1, the
    /// error names that.
    public static void mustBeSettings(byte[] b, int length) throws SocketFailure {
        if (length > 3 && b[3] != Http2Frames.SETTINGS) {
            int lineEnd = 0;
            while (lineEnd < length && b[lineEnd] != '\n') {
                lineEnd++;
            }
            throw ReplyDecoder.isTls(b, length)
                    ? SocketFailure.malformed(FailureReason.PLAIN_PORT_SPEAKS_TLS)
                    : new SocketFailure(
                            ErrorKind.MALFORMED, FailureReason.NOT_HTTP2, b, 0, lineEnd);
        }
    }

    /// True if no frame is incomplete.
    public boolean isBetweenFrames() {
        return partialLength == 0 && !inData;
    }

    public void take(byte[] b, int from, int to) throws SocketFailure {
        int at = from;
        while (at < to && !handler.isClosed()) {
            if (inData) {
                at = data(b, at, to);
            } else if (partialLength > 0 || to - at < Http2Frames.HEADER_BYTES) {
                at = collect(b, at, to);
            } else {
                int length = length(b, at);
                if (b[at + 3] == Http2Frames.DATA) {
                    startData(b, at);
                    at += Http2Frames.HEADER_BYTES;
                } else if (to - at < Http2Frames.HEADER_BYTES + length) {
                    at = collect(b, at, to);
                } else {
                    whole(b, at);
                    at += Http2Frames.HEADER_BYTES + length;
                }
            }
        }
    }

    private static int length(byte[] b, int at) throws SocketFailure {
        int length = Http2Frames.length(b, at);
        if (length > LONGEST) {
            throw SocketFailure.malformed(FailureReason.FRAME_TOO_LONG, length + " bytes");
        }
        return length;
    }

    /// Stores the beginning of a frame until the rest has arrived.
    private int collect(byte[] b, int at, int to) throws SocketFailure {
        int wanted = Http2Frames.HEADER_BYTES;
        if (partialLength >= wanted) {
            wanted += length(partial, 0);
        }
        int n = Math.min(wanted - partialLength, to - at);
        if (partialLength + n > partial.length) {
            partial = Arrays.copyOf(partial, Math.max(wanted, 2 * (partialLength + n)));
        }
        System.arraycopy(b, at, partial, partialLength, n);
        partialLength += n;
        if (partialLength >= Http2Frames.HEADER_BYTES) {
            boolean isData = partial[3] == Http2Frames.DATA;
            if (isData || partialLength == Http2Frames.HEADER_BYTES + length(partial, 0)) {
                partialLength = 0;
                if (isData) {
                    startData(partial, 0);
                } else {
                    whole(partial, 0);
                }
            }
        }
        return at + n;
    }

    private void whole(byte[] b, int at) throws SocketFailure {
        handler.frame(
                b[at + 3] & 0xff,
                b[at + 4] & 0xff,
                Http2Frames.integer31(b, at + 5),
                b,
                at + Http2Frames.HEADER_BYTES,
                Http2Frames.length(b, at));
    }

    private void startData(byte[] b, int at) throws SocketFailure {
        inData = true;
        dataFlags = b[at + 4] & 0xff;
        dataStream = Http2Frames.integer31(b, at + 5);
        dataLength = length(b, at);
        dataLeft = dataLength;
        padding = 0;
        paddingUnknown = (dataFlags & Http2Frames.PADDED) != 0;
        if (paddingUnknown && dataLength == 0) {
            throw SocketFailure.malformed(FailureReason.FRAME_PADDING_INVALID);
        }
        overIfEmpty();
    }

    private int data(byte[] b, int from, int to) throws SocketFailure {
        int at = from;
        if (paddingUnknown) {
            paddingUnknown = false;
            padding = b[at++] & 0xff;
            dataLeft--;
            if (padding > dataLeft) {
                throw SocketFailure.malformed(FailureReason.FRAME_PADDING_INVALID);
            }
        }
        int n = Math.min(dataLeft, to - at);
        int content = Math.min(dataLeft - padding, n);
        dataLeft -= n;
        if (content > 0) {
            handler.data(dataStream, b, at, content);
        }
        overIfEmpty();
        return at + n;
    }

    private void overIfEmpty() throws SocketFailure {
        if (dataLeft == 0) {
            inData = false;
            handler.dataOver(dataStream, dataFlags, dataLength);
        }
    }
}
