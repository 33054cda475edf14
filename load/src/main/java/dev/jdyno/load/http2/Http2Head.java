package dev.jdyno.load.http2;

import dev.jdyno.load.hpack.HpackDecoder;
import dev.jdyno.load.hpack.HpackMalformed;
import dev.jdyno.load.reply.ReplyDecoder;
import dev.jdyno.load.reply.ReplyHead;
import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The fields of the current header block that framing needs (RFC 9113 §8.3). Also the text of all
/// fields if the caller asks for it.
public final class Http2Head implements HpackDecoder.Fields {
    private static final byte[] STATUS = ":status".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTENT_LENGTH =
            "content-length".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTENT_TYPE = "content-type".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PROTOCOL = "HTTP/2 ".getBytes(StandardCharsets.US_ASCII);

    /// Size of a field in addition to its bytes, as for SETTINGS_MAX_HEADER_LIST_SIZE (§6.5.2).
    private static final int FIELD_OVERHEAD = 32;

    private static final byte[] GRPC_STATUS = "grpc-status".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GRPC_MESSAGE = "grpc-message".getBytes(StandardCharsets.US_ASCII);

    /// Value of {@link #grpcStatus} for a block without a grpc-status.
    public static final int NO_GRPC_STATUS = -1;

    /// Maximum length of a grpc-message that is kept, in bytes of its percent-encoded form.
    private static final int MAX_GRPC_MESSAGE = 300;

    private final boolean grpc;
    private int grpcStatus;
    private String grpcMessage = "";
    private int status;
    private long contentLength;
    private boolean eventStream;
    private boolean regularSeen;
    private long listBytes;
    private @Nullable SocketFailure malformed;
    private boolean wanted;
    private byte[] text = new byte[512];
    private int textLength;

    /// @param grpc true if the fields of gRPC are read
    public Http2Head(boolean grpc) {
        this.grpc = grpc;
    }

    /// @param keepText true if the text is kept
    public void start(boolean keepText) {
        status = 0;
        grpcStatus = NO_GRPC_STATUS;
        grpcMessage = "";
        contentLength = ReplyHead.UNKNOWN;
        eventStream = false;
        regularSeen = false;
        listBytes = 0;
        malformed = null;
        wanted = keepText;
        textLength = 0;
    }

    /// The HTTP status; 0 if the block has none, as in trailers.
    public int status() {
        return status;
    }

    public long contentLength() {
        return contentLength;
    }

    /// The status of gRPC. A value that is no code of gRPC counts as UNKNOWN, as its specification
    /// says. {@link #NO_GRPC_STATUS} if the block has none.
    public int grpcStatus() {
        return grpcStatus;
    }

    /// The service's message about its status, decoded and shortened; empty if there is none.
    public String grpcMessage() {
        return grpcMessage;
    }

    /// True if the body is `text/event-stream`.
    public boolean isEventStream() {
        return eventStream;
    }

    /// The reason why the block is no valid head; null if it is valid.
    public @Nullable SocketFailure malformed() {
        return malformed;
    }

    /// Copies the head as text in HTTP/1.1's form, for checks and for values taken from it.
    public void giveText(ReplyText to) {
        append("\r\n".getBytes(StandardCharsets.US_ASCII), 0, 2);
        to.startHead(text, 0, textLength);
    }

    @Override
    public void field(
            byte[] nameBytes,
            int name,
            int nameLength,
            byte[] valueBytes,
            int value,
            int valueLength)
            throws HpackMalformed {
        listBytes += nameLength + valueLength + FIELD_OVERHEAD;
        if (listBytes > ReplyDecoder.LONGEST_HEAD) {
            throw new HpackMalformed(
                    FailureReason.HEADER_LIST_TOO_LONG, "more than " + listBytes + " bytes");
        }
        if (nameLength > 0 && nameBytes[name] == ':') {
            pseudo(nameBytes, name, nameLength, valueBytes, value, valueLength);
        } else {
            regularSeen = true;
            if (is(CONTENT_LENGTH, nameBytes, name, nameLength)) {
                contentLength(valueBytes, value, valueLength);
            } else if (grpc && is(GRPC_STATUS, nameBytes, name, nameLength)) {
                long code = number(valueBytes, value, valueLength);
                boolean known = code >= 0 && code <= ErrorKind.MAX_GRPC_CODE;
                grpcStatus = known ? (int) code : ErrorKind.GRPC_UNKNOWN.grpcCode();
            } else if (grpc && is(GRPC_MESSAGE, nameBytes, name, nameLength)) {
                int kept = Math.min(valueLength, MAX_GRPC_MESSAGE);
                grpcMessage = percentDecoded(valueBytes, value, kept);
            } else if (is(CONTENT_TYPE, nameBytes, name, nameLength)) {
                eventStream = ReplyHead.isEventStream(valueBytes, value, value + valueLength);
            }
        }
        if (wanted) {
            boolean isStatus = is(STATUS, nameBytes, name, nameLength);
            if (isStatus) {
                append(PROTOCOL, 0, PROTOCOL.length);
            } else {
                append(nameBytes, name, nameLength);
                append(new byte[] {':', ' '}, 0, 2);
            }
            append(valueBytes, value, valueLength);
            append(new byte[] {'\r', '\n'}, 0, 2);
        }
    }

    /// Decodes percent escapes. Other bytes stay as they are.
    private static String percentDecoded(byte[] b, int from, int length) {
        byte[] out = new byte[length];
        int n = 0;
        for (int i = from; i < from + length; i++) {
            if (b[i] == '%'
                    && i + 2 < from + length
                    && HexFormat.isHexDigit(b[i + 1])
                    && HexFormat.isHexDigit(b[i + 2])) {
                int high = HexFormat.fromHexDigit(b[i + 1]);
                out[n++] = (byte) (high << 4 | HexFormat.fromHexDigit(b[i + 2]));
                i += 2;
            } else {
                out[n++] = b[i];
            }
        }
        return new String(out, 0, n, StandardCharsets.UTF_8);
    }

    private void contentLength(byte[] b, int at, int length) {
        long read = number(b, at, length);
        if (read < 0) {
            wrong(FailureReason.CONTENT_LENGTH_INVALID, b, at, length);
        } else if (contentLength != ReplyHead.UNKNOWN && contentLength != read) {
            wrong(FailureReason.CONTENT_LENGTH_TWICE, b, at, length);
        } else {
            contentLength = read;
        }
    }

    private void pseudo(byte[] nameBytes, int name, int nameLength, byte[] b, int at, int length) {
        if (!is(STATUS, nameBytes, name, nameLength)) {
            wrong(FailureReason.PSEUDO_HEADER_INVALID, nameBytes, name, nameLength);
        } else if (regularSeen || status != 0) {
            wrong(FailureReason.PSEUDO_HEADER_INVALID, nameBytes, name, nameLength);
        } else {
            status = length == 3 ? (int) number(b, at, length) : 0;
            if (status < 100 || status > 999) {
                status = 0;
                wrong(FailureReason.STATUS_INVALID, b, at, length);
            }
        }
    }

    private void wrong(FailureReason reason, byte[] b, int at, int length) {
        malformed = new SocketFailure(ErrorKind.MALFORMED, reason, b, at, at + length);
    }

    /// @return the number; negative unless the bytes are a number of at most 18 digits
    private static long number(byte[] b, int from, int length) {
        if (length == 0 || length > 18) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < from + length; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private void append(byte[] b, int from, int length) {
        if (textLength + length > text.length) {
            text = Arrays.copyOf(text, 2 * (textLength + length));
        }
        System.arraycopy(b, from, text, textLength, length);
        textLength += length;
    }

    private static boolean is(byte[] wanted, byte[] b, int from, int length) {
        return Arrays.equals(wanted, 0, wanted.length, b, from, from + length);
    }
}
