package dev.jdyno.load.reply;

import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyRules;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decodes the replies of one HTTP/1.x connection while their bytes arrive (RFC 9112): where each
/// reply ends, its status, and whether the connection may be used again. Bodies are skipped unless
/// the caller wants to keep them. Allocates nothing unless a head is split across reads.
public final class ReplyDecoder {
    /// Maximum length of a head in bytes; a longer one is malformed. Tomcat and nginx write at most
    /// 8 KiB by default.
    public static final int LONGEST_HEAD = 256 * 1024;

    /// Maximum length of a chunk extension in bytes. This client does not use extensions.
    static final int LONGEST_EXTENSION = 16 * 1024;

    /// Maximum number of interim replies (1xx) before a reply; servers send one or two.
    public static final int MAX_INTERIM = 100;

    /// Memory in bytes that a connection keeps for its next unfinished head. Larger arrays are
    /// released.
    private static final int KEPT_PARTIAL = 2048;

    private static final int TLS_ALERT_RECORD = 21;
    private static final int TLS_HANDSHAKE_RECORD = 22;
    private static final int TLS_MAJOR_VERSION = 3;

    private enum State {
        HEAD,
        FIXED_BODY,
        BODY_UNTIL_CLOSE,
        CHUNK_SIZE,
        CHUNK_EXTENSION,
        CHUNK_DATA,
        CHUNK_END,
        CHUNK_END_LF,
        TRAILER,
        TRAILER_LINE,
        TRAILER_LF,
        DONE,
        BROKEN
    }

    private static final byte[] NOTHING = new byte[0];

    private final HeadMemory memory;
    private final long longestReply;
    private final ReplyRules rules;

    private State state = State.DONE;
    private boolean bodyless;
    private ReplyHead head = new ReplyHead(0, 0, false, false, false);
    private long left;
    private int chunkDigits;
    private long replyBytes;
    private int interim;

    /// True if a head began since the last {@link #takeHead}.
    private boolean headBegan;

    private boolean bodyBegan;

    /// Created with the first reply that has events.
    private @Nullable EventReader reader;

    /// Reader of events while a reply with events arrives; otherwise null.
    private @Nullable EventReader watched;

    /// Number of bytes of the current chunk extension or trailers so far.
    private int lineBytes;

    private byte[] partial = NOTHING;
    private int partialLength;
    private @Nullable ReplyText kept;
    private @Nullable SocketFailure failure;

    /// @param longestReply maximum length of a reply with its head in bytes; a longer one is
    ///   refused
    /// @param rules how events are counted and when a reply ends
    public ReplyDecoder(HeadMemory memory, long longestReply, ReplyRules rules) {
        this.memory = memory;
        this.longestReply = longestReply;
        this.rules = rules;
    }

    /// Prepares for the reply to a request.
    ///
    /// @param headRequest true if the request was a HEAD, whose reply has no body whatever its head
    ///   says
    /// @param keep buffer for head and body; null to skip them
    public void expect(boolean headRequest, @Nullable ReplyText keep) {
        kept = keep;
        state = State.HEAD;
        bodyless = headRequest;
        replyBytes = 0;
        interim = 0;
        headBegan = false;
        bodyBegan = false;
        watched = null;
        forget();
    }

    /// Releases the memory of an unfinished head. Called when the connection is closed or the reply
    /// is over.
    public void forget() {
        partialLength = 0;
        if (partial.length > KEPT_PARTIAL) {
            memory.release(partial.length);
            partial = NOTHING;
        }
    }

    /// Reads the bytes from `from` to `to`.
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
                        case CHUNK_SIZE -> chunkSize(b, at);
                        case CHUNK_EXTENSION -> chunkExtension(b, at, to);
                        case CHUNK_END, CHUNK_END_LF -> chunkEnd(b, at, to);
                        case TRAILER, TRAILER_LF -> trailer(b, at, to);
                        case TRAILER_LINE -> trailerLine(b, at, to);
                        case DONE, BROKEN -> at;
                    };
        }
        replyBytes += at - from;
        if (replyBytes > longestReply) {
            tooLarge();
        }
        return at;
    }

    /// Called when the server has closed its side. This ends a reply whose body lasts until the
    /// close; any other reply is incomplete.
    public void end() {
        if (state == State.BODY_UNTIL_CLOSE) {
            state = State.DONE;
        } else if (state != State.DONE && state != State.BROKEN) {
            fail(cut());
        }
    }

    private SocketFailure cut() {
        if (replyBytes == 0) {
            return new SocketFailure(ErrorKind.CLOSED, FailureReason.CLOSED_BEFORE_REPLY);
        }
        if (state == State.HEAD) {
            return new SocketFailure(ErrorKind.CLOSED, FailureReason.CLOSED_IN_HEAD);
        }
        String missing =
                state == State.FIXED_BODY
                        ? left + " of " + head.contentLength() + " bytes are missing"
                        : "the last chunk is missing";
        return new SocketFailure(ErrorKind.CLOSED, FailureReason.CLOSED_IN_BODY, missing);
    }

    public boolean done() {
        return state == State.DONE;
    }

    public boolean isBroken() {
        return state == State.BROKEN;
    }

    /// The reason why the reply is invalid; empty if it is valid.
    public Optional<SocketFailure> failure() {
        return isBroken() ? Optional.ofNullable(failure) : Optional.empty();
    }

    /// True if a head, possibly of an interim reply, began since the last call.
    public boolean takeHead() {
        boolean began = headBegan;
        headBegan = false;
        return began;
    }

    /// True if a byte of the reply's body has arrived. The size line of a chunk does not count.
    public boolean hasBody() {
        return bodyBegan;
    }

    /// The events of the reply that is arriving; null if they are not counted.
    public @Nullable EventReader watched() {
        return watched;
    }

    /// True if the head has arrived and the body is incomplete.
    public boolean isInBody() {
        return state != State.HEAD && state != State.DONE && state != State.BROKEN;
    }

    public int status() {
        return head.status();
    }

    public boolean keepAlive() {
        return head.keepAlive();
    }

    private int head(byte[] b, int from, int to) {
        if (partialLength == 0) {
            headBegan = true;
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
        if (length > partial.length && !grow(length)) {
            fail(SocketFailure.malformed(FailureReason.HEADS_TOO_LARGE_TOGETHER));
            return to;
        }
        System.arraycopy(b, from, partial, before, to - from);
        partialLength = length;
        if (!ReplyHead.plausible(partial, 0, length)) {
            fail(notHttp(partial, length));
            return to;
        }
        int end = ReplyHead.end(partial, Math.max(0, before - 3), length);
        if ((end == 0 ? length : end) > LONGEST_HEAD) {
            // report the first line only: the fields may hold secrets
            fail(FailureReason.HEAD_TOO_LONG, partial, 0, lineFeed(partial, 0, length));
            return to;
        }
        if (end == 0) {
            return to;
        }
        read(partial, 0, end);
        forget();
        return from + end - before;
    }

    private boolean grow(int length) {
        int wanted = Math.max(512, length * 2);
        int held = partial.length > KEPT_PARTIAL ? partial.length : 0;
        if (wanted > KEPT_PARTIAL && !memory.reserve(wanted - held)) {
            return false;
        }
        partial = Arrays.copyOf(partial, wanted);
        return true;
    }

    /// True if the first bytes of a server are a TLS record. It is mostly an alert, because the
    /// client did not speak TLS.
    public static boolean isTls(byte[] b, int length) {
        return length > 1
                && (b[0] == TLS_ALERT_RECORD || b[0] == TLS_HANDSHAKE_RECORD)
                && b[1] == TLS_MAJOR_VERSION;
    }

    private static SocketFailure notHttp(byte[] b, int length) {
        return isTls(b, length)
                ? SocketFailure.malformed(FailureReason.PLAIN_PORT_SPEAKS_TLS)
                : new SocketFailure(ErrorKind.MALFORMED, FailureReason.NOT_HTTP, b, 0, length);
    }

    private void read(byte[] b, int from, int end) {
        try {
            ReplyHead read = ReplyHead.parse(b, from, end);
            memory.keep(b, from, end, read);
            keepHead(b, from, end);
            begin(read);
        } catch (ReplyHead.Malformed e) {
            fail(SocketFailure.malformed(e.reason(), e.example()));
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
                fail(SocketFailure.malformed(FailureReason.UPGRADE_UNASKED));
            } else if (++interim > MAX_INTERIM) {
                fail(SocketFailure.malformed(FailureReason.INTERIM_REPLIES_TOO_MANY));
            }
            return; // an interim reply: the final one follows, state stays HEAD
        }
        boolean hasNone = bodyless || status == 204 || status == 304;
        if (!hasNone && status / 100 == 2 && (read.eventStream() || rules.watchesAll())) {
            watch(read.eventStream());
        }
        if (hasNone) {
            state = State.DONE;
        } else if (read.chunked()) {
            startChunk();
        } else if (read.contentLength() == ReplyHead.UNKNOWN) {
            head = new ReplyHead(status, ReplyHead.UNKNOWN, false, false, read.eventStream());
            left = Long.MAX_VALUE;
            state = State.BODY_UNTIL_CLOSE;
        } else {
            left = read.contentLength();
            state = left == 0 ? State.DONE : State.FIXED_BODY;
            if (left > longestReply) {
                tooLarge(); // the length is known before the body is read
            }
        }
    }

    private void watch(boolean eventStream) {
        EventReader now = reader;
        if (now == null) {
            now = new EventReader(rules);
            reader = now;
        }
        now.begin(eventStream);
        watched = now;
    }

    private void tooLarge() {
        String limit = "the limit is " + longestReply + " bytes";
        fail(new SocketFailure(ErrorKind.TOO_LARGE, FailureReason.REPLY_TOO_LARGE, limit));
    }

    private int skip(byte[] b, int at, int to) {
        int n = (int) Math.min(left, to - at);
        bodyBegan = true;
        if (kept != null) {
            kept.addBody(b, at, n);
        }
        left -= n;
        if (watched != null) {
            watch(watched, b, at, n);
        }
        if (left == 0 && state != State.BROKEN) {
            state = state == State.CHUNK_DATA ? State.CHUNK_END : State.DONE;
        }
        return at + n;
    }

    private void watch(EventReader events, byte[] b, int at, int n) {
        FailureReason wrong = events.data(b, at, n);
        if (wrong != null) {
            fail(SocketFailure.malformed(wrong));
        } else if (left == 0 && state == State.CHUNK_DATA) {
            events.chunkOver();
        }
    }

    private void startChunk() {
        left = 0;
        chunkDigits = 0;
        lineBytes = 0;
        state = State.CHUNK_SIZE;
    }

    /// Reads the size line of a chunk, `1a;name=value\r\n`: a hexadecimal size; extensions are
    /// ignored.
    private int chunkSize(byte[] b, int at) {
        byte c = b[at];
        int digit = Character.digit(c, 16);
        if (digit >= 0 && chunkDigits < 15) {
            left = left * 16 + digit;
            chunkDigits++;
        } else if (chunkDigits > 0 && c == '\n') {
            startData();
        } else if (chunkDigits > 0 && (c == ';' || c == '\r' || c == ' ' || c == '\t')) {
            state = State.CHUNK_EXTENSION;
        } else {
            fail(FailureReason.CHUNK_SIZE_INVALID, b, at - Math.min(at, chunkDigits), at + 1);
        }
        return at + 1;
    }

    private void startData() {
        lineBytes = 0;
        state = left == 0 ? State.TRAILER : State.CHUNK_DATA;
    }

    private int chunkExtension(byte[] b, int at, int to) {
        int end = lineFeed(b, at, to);
        lineBytes += end - at;
        if (lineBytes > LONGEST_EXTENSION) {
            fail(FailureReason.CHUNK_EXTENSION_TOO_LONG, b, at, end);
        } else if (end < to) {
            startData();
            return end + 1;
        }
        return end;
    }

    /// Reads the line end after a chunk's data.
    private int chunkEnd(byte[] b, int at, int to) {
        byte c = b[at];
        if (c == '\n') {
            startChunk();
        } else if (c == '\r' && state == State.CHUNK_END) {
            state = State.CHUNK_END_LF;
        } else {
            fail(FailureReason.CHUNK_END_MISSING, b, at, to);
        }
        return at + 1;
    }

    /// Reads the start of a trailer line. An empty line is the last one.
    private int trailer(byte[] b, int at, int to) {
        byte c = b[at];
        if (c == '\n') {
            state = State.DONE;
        } else if (state == State.TRAILER_LF) {
            fail(FailureReason.TRAILER_INVALID, b, at, to);
        } else {
            state = c == '\r' ? State.TRAILER_LF : State.TRAILER_LINE;
        }
        return at + 1;
    }

    private int trailerLine(byte[] b, int at, int to) {
        int end = lineFeed(b, at, to);
        lineBytes += end - at + 1;
        if (lineBytes > LONGEST_HEAD) {
            fail(FailureReason.TRAILERS_TOO_LONG, b, at, end);
        } else if (end < to) {
            state = State.TRAILER;
            return end + 1;
        }
        return end;
    }

    /// Position of the next line feed; `to` if there is none yet.
    private static int lineFeed(byte[] b, int at, int to) {
        int i = at;
        while (i < to && b[i] != '\n') {
            i++;
        }
        return i;
    }

    private void fail(FailureReason reason, byte[] b, int from, int to) {
        fail(new SocketFailure(ErrorKind.MALFORMED, reason, b, from, to));
    }

    private void fail(SocketFailure why) {
        state = State.BROKEN;
        failure = why;
    }
}
