package dev.jdyno.load;

import dev.jdyno.load.hpack.HpackDecoder;
import dev.jdyno.load.reply.ReplyHead;
import dev.jdyno.load.reply.ReplyText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The fields of the header block being read: what the framing needs of them (RFC 9113 §8.3), and
/// their text when somebody wants to look at it.
final class Http2Head implements HpackDecoder.Fields {
    private static final byte[] STATUS = ":status".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTENT_LENGTH =
            "content-length".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PROTOCOL = "HTTP/2 ".getBytes(StandardCharsets.US_ASCII);

    private int status;
    private long contentLength;
    private boolean regularSeen;
    private String malformed = "";
    private boolean wanted;
    private byte[] text = new byte[512];
    private int textLength;

    /// @param keepText whether the text is wanted
    void start(boolean keepText) {
        status = 0;
        contentLength = ReplyHead.UNKNOWN;
        regularSeen = false;
        malformed = "";
        wanted = keepText;
        textLength = 0;
    }

    /// 0 when the block has none, as trailers have.
    int status() {
        return status;
    }

    long contentLength() {
        return contentLength;
    }

    /// Why the block is no head; empty when it is one.
    String malformed() {
        return malformed;
    }

    /// Gives the head as text in HTTP/1.1's form, for checks and values.
    void giveText(ReplyText to) {
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
            int valueLength) {
        if (nameLength > 0 && nameBytes[name] == ':') {
            pseudo(nameBytes, name, nameLength, valueBytes, value, valueLength);
        } else {
            regularSeen = true;
            if (is(CONTENT_LENGTH, nameBytes, name, nameLength)) {
                contentLength = number(valueBytes, value, valueLength);
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

    private void pseudo(byte[] nameBytes, int name, int nameLength, byte[] b, int at, int length) {
        if (!is(STATUS, nameBytes, name, nameLength)) {
            malformed = "a pseudo-header other than :status";
        } else if (regularSeen || status != 0) {
            malformed = ":status twice, or behind other fields";
        } else {
            status = length == 3 ? (int) number(b, at, length) : 0;
            if (status < 100 || status > 999) {
                status = 0;
                malformed = "a status that is not three digits";
            }
        }
    }

    private long number(byte[] b, int from, int length) {
        long value = 0;
        for (int i = from; i < from + length; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9 || length > 18) {
                malformed = "a content-length or status that is not a number";
                return 0;
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
