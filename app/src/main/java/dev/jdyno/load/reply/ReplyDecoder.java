package dev.jdyno.load.reply;

import dev.jdyno.load.wire.ErrorKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Follows the replies of one HTTP/1.x connection byte by byte as they come (RFC 9112): where each
/// ends, its status, whether the connection may be used again. Bodies are skipped unless somebody
/// wants to look at them. Allocates nothing unless a head is split across reads.
public final class ReplyDecoder {
    /// A longer head is a malformed reply; Tomcat and nginx write at most 8 KiB by default.
    public static final int LONGEST_HEAD = 256 * 1024;

    private enum State {
        HEAD,
        FIXED_BODY,
        BODY_UNTIL_CLOSE,
        CHUNK_SIZE,
        CHUNK_EXTENSION,
        CHUNK_DATA,
        CHUNK_END,
        TRAILER,
        TRAILER_LINE,
        DONE,
        BROKEN
    }

    private static final byte[] NOTHING = new byte[0];

    private final HeadMemory memory;
    private final long longestReply;

    private State state = State.DONE;
    private boolean bodyless;
    private ReplyHead head = new ReplyHead(0, 0, false, false);
    private long left;
    private int chunkDigits;
    private long replyBytes;
    private byte[] partial = NOTHING;
    private int partialLength;
    private @Nullable ReplyText kept;
    private String broken = "";
    private ErrorKind brokenKind = ErrorKind.MALFORMED;

    /// @param longestReply bytes of a reply, with its head, beyond which it is refused
    public ReplyDecoder(HeadMemory memory, long longestReply) {
        this.memory = memory;
        this.longestReply = longestReply;
    }

    /// Expects the reply to a request.
    ///
    /// @param headRequest whether the request was a HEAD, whose reply has no body whatever it says
    /// @param keep where head and body are kept; null to skip them
    public void expect(boolean headRequest, @Nullable ReplyText keep) {
        kept = keep;
        state = State.HEAD;
        bodyless = headRequest;
        replyBytes = 0;
        partialLength = 0;
    }

    /// Takes the bytes `from`…`to`.
    ///
    /// @return the index after the last byte that belongs to this reply
    public int feed(byte[] b, int from, int to) {
        int at = from;
        while (at < to && state != State.DONE && state != State.BROKEN) {
            at =
                    switch (state) {
                        case HEAD -> head(b, at, to);
                        case FIXED_BODY, CHUNK_DATA -> skip(b, at, to);
                        case BODY_UNTIL_CLOSE -> skip(b, at, to);
                        case CHUNK_SIZE, CHUNK_EXTENSION -> chunkSize(b, at);
                        case CHUNK_END -> chunkEnd(b, at);
                        case TRAILER, TRAILER_LINE -> trailer(b, at);
                        case DONE, BROKEN -> at;
                    };
        }
        replyBytes += at - from;
        if (replyBytes > longestReply) {
            fail(ErrorKind.TOO_LARGE, "reply longer than " + longestReply + " bytes");
        }
        return at;
    }

    /// The server has ended the stream. That ends a reply without Content-Length; any other reply
    /// is cut short.
    public void end() {
        if (state == State.BODY_UNTIL_CLOSE) {
            state = State.DONE;
        } else if (state != State.DONE && state != State.BROKEN) {
            fail(ErrorKind.CLOSED, "the server closed before the reply was whole");
        }
    }

    public boolean done() {
        return state == State.DONE;
    }

    public boolean isBroken() {
        return state == State.BROKEN;
    }

    /// Why the reply is broken.
    public String brokenWhy() {
        return broken;
    }

    public ErrorKind brokenKind() {
        return brokenKind;
    }

    public int status() {
        return head.status();
    }

    public boolean keepAlive() {
        return head.keepAlive();
    }

    private int head(byte[] b, int from, int to) {
        if (partialLength == 0) {
            int known = memory.match(b, from, to);
            if (known > 0) {
                keepHead(b, from, from + known);
                begin(memory.head());
                return from + known;
            }
            int end = ReplyHead.end(b, from, to);
            if (end > 0) {
                read(b, from, end);
                return end;
            }
        }
        return partialHead(b, from, to);
    }

    private int partialHead(byte[] b, int from, int to) {
        int before = partialLength;
        int length = before + to - from;
        if (length > partial.length) {
            partial = Arrays.copyOf(partial, Math.max(512, length * 2));
        }
        System.arraycopy(b, from, partial, before, to - from);
        partialLength = length;
        if (!ReplyHead.plausible(partial, 0, length)) {
            fail(ErrorKind.MALFORMED, "not an HTTP/1.x reply");
            return to;
        }
        int end = ReplyHead.end(partial, Math.max(0, before - 3), length);
        if ((end == 0 ? length : end) > LONGEST_HEAD) {
            fail(ErrorKind.MALFORMED, "head longer than " + LONGEST_HEAD + " bytes");
            return to;
        }
        if (end == 0) {
            return to;
        }
        partialLength = 0;
        read(partial, 0, end);
        return from + end - before;
    }

    private void read(byte[] b, int from, int end) {
        try {
            ReplyHead read = ReplyHead.parse(b, from, end);
            memory.keep(b, from, end, read);
            keepHead(b, from, end);
            begin(read);
        } catch (ReplyHead.Malformed e) {
            fail(ErrorKind.MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    private void keepHead(byte[] b, int from, int to) {
        if (kept != null) {
            kept.startHead(b, from, to);
        }
    }

    private void begin(ReplyHead read) {
        head = read;
        int status = read.status();
        if (status < 200) {
            if (status == 101) {
                fail(ErrorKind.MALFORMED, "an upgrade nobody asked for (101)");
            }
            return; // an interim reply: the final one follows, state stays HEAD
        }
        if (bodyless || status == 204 || status == 304) {
            state = State.DONE;
        } else if (read.chunked()) {
            startChunk();
        } else if (read.contentLength() == ReplyHead.UNKNOWN) {
            head = new ReplyHead(status, ReplyHead.UNKNOWN, false, false);
            left = Long.MAX_VALUE;
            state = State.BODY_UNTIL_CLOSE;
        } else {
            left = read.contentLength();
            state = left == 0 ? State.DONE : State.FIXED_BODY;
        }
    }

    private int skip(byte[] b, int at, int to) {
        int n = (int) Math.min(left, to - at);
        if (kept != null) {
            kept.addBody(b, at, n);
        }
        left -= n;
        if (left == 0) {
            state = state == State.CHUNK_DATA ? State.CHUNK_END : State.DONE;
        }
        return at + n;
    }

    private void startChunk() {
        left = 0;
        chunkDigits = 0;
        state = State.CHUNK_SIZE;
    }

    /// `1a;name=value\r\n`: hexadecimal size, extensions ignored.
    private int chunkSize(byte[] b, int at) {
        byte c = b[at];
        if (c == '\n') {
            if (chunkDigits == 0) {
                fail(ErrorKind.MALFORMED, "a chunk without a size");
            } else {
                state = left == 0 ? State.TRAILER : State.CHUNK_DATA;
            }
        } else if (state == State.CHUNK_SIZE) {
            int digit = Character.digit(c, 16);
            if (digit >= 0 && chunkDigits < 15) {
                left = left * 16 + digit;
                chunkDigits++;
            } else if (chunkDigits > 0 && (c == ';' || c == '\r' || c == ' ' || c == '\t')) {
                state = State.CHUNK_EXTENSION;
            } else {
                fail(ErrorKind.MALFORMED, "a chunk size that is not a hexadecimal number");
            }
        }
        return at + 1;
    }

    private int chunkEnd(byte[] b, int at) {
        byte c = b[at];
        if (c == '\n') {
            startChunk();
        } else if (c != '\r') {
            fail(ErrorKind.MALFORMED, "a chunk longer than its size");
        }
        return at + 1;
    }

    /// Trailer lines until an empty one.
    private int trailer(byte[] b, int at) {
        byte c = b[at];
        if (c == '\n') {
            state = state == State.TRAILER ? State.DONE : State.TRAILER;
        } else if (c != '\r') {
            state = State.TRAILER_LINE;
        }
        return at + 1;
    }

    private void fail(ErrorKind kind, String why) {
        state = State.BROKEN;
        brokenKind = kind;
        broken = why;
    }
}
