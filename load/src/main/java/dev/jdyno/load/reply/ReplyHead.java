package dev.jdyno.load.reply;

import dev.jdyno.measure.load.FailureReason;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The framing of a reply according to its head (RFC 9112 §6).
///
/// @param contentLength length of the body in bytes; {@link #UNKNOWN} without a Content-Length
/// @param chunked true if the last transfer coding is `chunked`
/// @param keepAlive true if the server allows the connection to be used again
/// @param eventStream true if the body is `text/event-stream`
public record ReplyHead(
        int status, long contentLength, boolean chunked, boolean keepAlive, boolean eventStream) {
    public static final long UNKNOWN = Long.MAX_VALUE;

    private static final String EVENT_STREAM = "text/event-stream";

    /// The reason why a head cannot be read.
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        private final FailureReason reason;
        private final String example;

        Malformed(FailureReason reason, String example) {
            super(reason.key(), null, false, false);
            this.reason = reason;
            this.example = example;
        }

        /// @param b array in which the line `b[from…to)` shows the mistake
        Malformed(FailureReason reason, byte[] b, int from, int to) {
            this(
                    reason,
                    new String(b, from, to - from, StandardCharsets.ISO_8859_1).stripTrailing());
        }

        FailureReason reason() {
            return reason;
        }

        /// Text with the mistake, as received.
        String example() {
            return example;
        }
    }

    /// Reads one whole head, from its status line to the empty line. Lines may end with LF alone
    /// (RFC 9112 §2.2).
    static ReplyHead parse(byte[] b, int from, int to) throws Malformed {
        int lineEnd = lineFeed(b, from, to);
        int minor = minorVersion(b, from, lineEnd);
        int status = status(b, from, lineEnd);
        boolean keepAlive = minor >= 1;
        boolean chunked = false;
        boolean otherCoding = false;
        boolean eventStream = false;
        long length = UNKNOWN;
        for (int at = lineEnd + 1; at < to; at = lineEnd + 1) {
            lineEnd = lineFeed(b, at, to);
            int end = lineEnd > at && b[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
            if (end == at) {
                break;
            }
            if (b[at] == ' ' || b[at] == '\t') {
                continue; // an obsolete folded line; no header read here folds
            }
            int colon = colon(b, at, end);
            switch (colon - at) {
                case 10 -> {
                    if (is(b, at, "connection")) {
                        keepAlive = keepAlive(b, colon + 1, end, keepAlive);
                    }
                }
                case 12 -> {
                    if (is(b, at, "content-type")) {
                        eventStream = isEventStream(b, colon + 1, end);
                    }
                }
                case 14 -> {
                    if (is(b, at, "content-length")) {
                        long value = number(b, at, colon + 1, end);
                        if (length != UNKNOWN && length != value) {
                            throw new Malformed(
                                    FailureReason.CONTENT_LENGTH_TWICE,
                                    "Content-Length: " + length + " and " + value);
                        }
                        length = value;
                    }
                }
                case 17 -> {
                    if (is(b, at, "transfer-encoding")) {
                        chunked = endsWith(b, colon + 1, end, "chunked");
                        otherCoding = !chunked;
                    }
                }
                default -> {}
            }
        }
        if (chunked || otherCoding) {
            // Transfer-Encoding overrides Content-Length. Both together may be a smuggling attempt,
            // so the connection is not used again (RFC 9112 §6.3).
            return new ReplyHead(
                    status, UNKNOWN, chunked, keepAlive && length == UNKNOWN, eventStream);
        }
        return new ReplyHead(status, length, false, keepAlive, eventStream);
    }

    /// True if a media type is `text/event-stream`, with any parameters.
    public static boolean isEventStream(byte[] b, int from, int end) {
        int at = from;
        while (at < end && (b[at] == ' ' || b[at] == '\t')) {
            at++;
        }
        int after = at + EVENT_STREAM.length();
        return after <= end
                && is(b, at, EVENT_STREAM)
                && (after == end || b[after] == ';' || b[after] == ' ' || b[after] == '\t');
    }

    /// The trimmed value of a header; null if the head does not have it.
    public static @Nullable String header(byte[] b, int from, int to, String lowerCaseName) {
        int lineEnd;
        for (int at = from; at < to; at = lineEnd + 1) {
            lineEnd = at;
            while (lineEnd < to && b[lineEnd] != '\n') {
                lineEnd++;
            }
            int colon = at + lowerCaseName.length();
            if (colon < lineEnd && b[colon] == ':' && is(b, at, lowerCaseName)) {
                return new String(b, colon + 1, lineEnd - colon - 1, StandardCharsets.ISO_8859_1)
                        .trim();
            }
        }
        return null;
    }

    /// The index after the empty line that ends the head, searched from `scanFrom`; 0 if the head
    /// is incomplete.
    static int end(byte[] b, int scanFrom, int to) {
        for (int i = scanFrom; i < to; i++) {
            if (b[i] == '\n') {
                if (i + 1 < to && b[i + 1] == '\n') {
                    return i + 2;
                }
                if (i + 2 < to && b[i + 1] == '\r' && b[i + 2] == '\n') {
                    return i + 3;
                }
            }
        }
        return 0;
    }

    /// True if the bytes so far can be the start of a reply: `HTTP/1.`.
    static boolean plausible(byte[] b, int from, int to) {
        String start = "HTTP/1.";
        for (int i = 0; i < start.length() && from + i < to; i++) {
            if (b[from + i] != start.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int lineFeed(byte[] b, int from, int to) throws Malformed {
        for (int i = from; i < to; i++) {
            if (b[i] == '\n') {
                return i;
            }
        }
        throw new Malformed(FailureReason.HEADER_LINE_INVALID, b, from, to);
    }

    /// The minor version of a status line such as `HTTP/1.1 200 OK`.
    private static int minorVersion(byte[] b, int from, int end) throws Malformed {
        if (!plausible(b, from, end)) {
            throw new Malformed(FailureReason.NOT_HTTP, b, from, end);
        }
        if (end - from < 12 || b[from + 8] != ' ') {
            throw new Malformed(FailureReason.STATUS_LINE_INVALID, b, from, end);
        }
        int minor = b[from + 7] - '0';
        if (minor < 0 || minor > 9) {
            throw new Malformed(FailureReason.STATUS_LINE_INVALID, b, from, end);
        }
        return minor;
    }

    private static int status(byte[] b, int from, int end) throws Malformed {
        int status = 0;
        for (int i = from + 9; i < from + 12; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new Malformed(FailureReason.STATUS_LINE_INVALID, b, from, end);
            }
            status = status * 10 + digit;
        }
        int after = from + 12 < end ? b[from + 12] : ' ';
        if (status < 100 || (after != ' ' && after != '\r')) {
            throw new Malformed(FailureReason.STATUS_LINE_INVALID, b, from, end);
        }
        return status;
    }

    private static int colon(byte[] b, int at, int end) throws Malformed {
        for (int i = at; i < end; i++) {
            if (b[i] == ':') {
                if (i == at || b[i - 1] == ' ' || b[i - 1] == '\t') {
                    break;
                }
                return i;
            }
        }
        throw new Malformed(FailureReason.HEADER_LINE_INVALID, b, at, end);
    }

    private static boolean is(byte[] b, int at, String lowerCase) {
        for (int i = 0; i < lowerCase.length(); i++) {
            if (lower(b[at + i]) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int lower(byte c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }

    /// @param line start of the header line that contains the number
    private static long number(byte[] b, int line, int from, int end) throws Malformed {
        int i = from;
        while (i < end && (b[i] == ' ' || b[i] == '\t')) {
            i++;
        }
        int last = end;
        while (last > i && (b[last - 1] == ' ' || b[last - 1] == '\t')) {
            last--;
        }
        if (i == last || last - i > 18) {
            throw new Malformed(FailureReason.CONTENT_LENGTH_INVALID, b, line, end);
        }
        long value = 0;
        for (; i < last; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new Malformed(FailureReason.CONTENT_LENGTH_INVALID, b, line, end);
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static boolean endsWith(byte[] b, int from, int end, String lowerCase) {
        int last = end;
        while (last > from && (b[last - 1] == ' ' || b[last - 1] == '\t')) {
            last--;
        }
        int start = last - lowerCase.length();
        return start >= from && is(b, start, lowerCase);
    }

    /// Applies the values of a Connection header. `close` overrides all others; `keep-alive` makes
    /// an HTTP/1.0 connection persistent.
    private static boolean keepAlive(byte[] b, int from, int end, boolean before) {
        boolean result = before;
        int at = from;
        while (at < end) {
            while (at < end && (b[at] == ' ' || b[at] == '\t' || b[at] == ',')) {
                at++;
            }
            int stop = at;
            while (stop < end && b[stop] != ',') {
                stop++;
            }
            int last = stop;
            while (last > at && (b[last - 1] == ' ' || b[last - 1] == '\t')) {
                last--;
            }
            if (last - at == 5 && is(b, at, "close")) {
                return false;
            }
            if (last - at == 10 && is(b, at, "keep-alive")) {
                result = true;
            }
            at = stop;
        }
        return result;
    }
}
