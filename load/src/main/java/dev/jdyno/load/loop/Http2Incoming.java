package dev.jdyno.load.loop;

import dev.jdyno.load.http2.Http2Blocks;
import dev.jdyno.load.http2.Http2Error;
import dev.jdyno.load.http2.Http2FrameReader;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.http2.Http2Head;
import dev.jdyno.load.reply.EventReader;
import dev.jdyno.load.reply.ReplyDecoder;
import dev.jdyno.load.reply.ReplyHead;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Handles the frames that the server sends on one connection. Assembles replies for the users, and
/// applies settings and windows. Reports events of the whole connection to the {@link
/// Http2Connection}.
final class Http2Incoming implements Http2FrameReader.Handler {
    /// Flow-control window for the server, per stream and per connection. It is so large that flow
    /// control does not slow down the server. h2load's default is the same.
    static final int WINDOW = 1 << 30;

    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// Maximum number of frames in a row that neither bring a part of a reply nor allow a part of a
    /// request to be sent. Without this limit, a server could keep the client busy with PING, empty
    /// DATA or frames on closed streams.
    private static final int MAX_USELESS = 100_000;

    /// Maximum number of streams in a row that end with RST_STREAM instead of a reply.
    private static final int MAX_RESETS = 1000;

    /// Maximum number of settings in one frame. Each may change the windows of all streams. nghttp2
    /// has the same limit.
    private static final int MAX_SETTINGS = 32;

    private final EventLoop loop;
    private final Http2Connection connection;
    private final Http2Frames out;
    private final Http2Streams streams;
    private final Http2Blocks blocks = new Http2Blocks();
    private final Http2Head head;

    /// Number of received bytes for which no WINDOW_UPDATE was sent yet.
    private int unacknowledged;

    /// Streams on which a part of a reply began in the read that is being handled.
    private final ArrayList<Http2Stream> begun = new ArrayList<>();

    private int useless;
    private int resets;

    Http2Incoming(
            EventLoop loop, Http2Connection connection, Http2Frames out, Http2Streams streams) {
        this.loop = loop;
        this.connection = connection;
        this.out = out;
        this.streams = streams;
        this.head = new Http2Head(loop.spec.grpc().isPresent());
    }

    /// Sends the preface, the settings and the window, which are the first bytes of the connection.
    void announce() {
        out.raw(PREFACE, 0, PREFACE.length)
                .header(Http2Frames.SETTINGS, 0, 0, 12)
                .setting(Http2Frames.SETTINGS_ENABLE_PUSH, 0)
                .setting(Http2Frames.SETTINGS_INITIAL_WINDOW_SIZE, WINDOW)
                .header(Http2Frames.WINDOW_UPDATE, 0, 0, 4)
                .integer(WINDOW - Http2Streams.DEFAULT_WINDOW);
    }

    /// Called at the end of a read. Replies that began in it and are incomplete get this time as
    /// their start.
    void readOver() {
        long now = 0;
        for (int i = 0; i < begun.size(); i++) {
            Http2Stream stream = begun.get(i);
            stream.began = false;
            if (stream.isActive() && stream.status != 0) {
                now = now == 0 ? loop.tick() : now;
                stream.parted(now);
            }
        }
        begun.clear();
    }

    private void began(Http2Stream stream) {
        if (!stream.began) {
            stream.began = true;
            begun.add(stream);
        }
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed();
    }

    @Override
    public void frame(int type, int flags, int id, byte[] b, int from, int length)
            throws SocketFailure {
        if (blocks.isOpen() && type != Http2Frames.CONTINUATION) {
            throw SocketFailure.malformed(FailureReason.HEADER_BLOCK_INTERRUPTED);
        }
        mayBeUseless();
        switch (type) {
            case Http2Frames.HEADERS -> {
                mustBeOpened(id);
                if (blocks.headers(flags, id, b, from, length)) {
                    wholeBlock(id);
                }
            }
            case Http2Frames.CONTINUATION -> {
                if (blocks.continuation(flags, id, b, from, length)) {
                    wholeBlock(id);
                }
            }
            case Http2Frames.RST_STREAM -> reset(id, integer(b, from, length, 4));
            case Http2Frames.SETTINGS -> settings(flags, b, from, length);
            case Http2Frames.PING -> ping(flags, b, from, length);
            case Http2Frames.GOAWAY -> goaway(b, from, length);
            case Http2Frames.WINDOW_UPDATE -> window(id, integer(b, from, length, 4));
            case Http2Frames.PUSH_PROMISE ->
                    throw SocketFailure.malformed(FailureReason.PUSH_FORBIDDEN);
            default -> {} // PRIORITY means nothing to a client; unknown types are ignored (§4.1)
        }
    }

    /// Counts a frame as useless. A frame that brings a part of a reply resets the count.
    private void mayBeUseless() throws SocketFailure {
        if (++useless > MAX_USELESS) {
            throw SocketFailure.malformed(FailureReason.FRAMES_USELESS_TOO_MANY);
        }
    }

    private void window(int id, int increment) throws SocketFailure {
        long before = streams.bodyBytes();
        streams.window(id, increment);
        if (streams.bodyBytes() > before) {
            useless = 0;
        }
    }

    /// Fails if the server replies to a request that has not been sent. Otherwise requests would
    /// accumulate here for a server that replies in advance and reads nothing.
    private void mustHaveLeft(Http2Stream stream) throws SocketFailure {
        if (stream.headEnd > out.taken()) {
            throw SocketFailure.malformed(FailureReason.REPLY_BEFORE_REQUEST);
        }
    }

    private static int integer(byte[] b, int from, int length, int wanted) throws SocketFailure {
        if (length != wanted) {
            throw SocketFailure.malformed(FailureReason.FRAME_LENGTH_INVALID, length + " bytes");
        }
        return Http2Frames.integer32(b, from);
    }

    private void mustBeOpened(int id) throws SocketFailure {
        if (!streams.wasOpened(id)) {
            throw SocketFailure.malformed(FailureReason.FRAME_ON_UNKNOWN_STREAM, "stream " + id);
        }
    }

    private void wholeBlock(int id) throws SocketFailure {
        Http2Stream stream = streams.find(id);
        head.start(stream != null && stream.keep != null);
        blocks.read(head);
        if (stream == null) {
            return;
        }
        mustHaveLeft(stream);
        SocketFailure wrong = wrong(stream, blocks.endsStream());
        if (wrong != null) {
            stream.user.fail(wrong, loop.tick());
            return;
        }
        stream.headBytes += blocks.length();
        if (stream.status == 0 && head.status() < 200) {
            if (++stream.interim > ReplyDecoder.MAX_INTERIM) {
                throw SocketFailure.malformed(FailureReason.INTERIM_REPLIES_TOO_MANY);
            }
            return;
        }
        useless = 0;
        if (stream.status == 0) {
            stream.status = head.status();
            stream.contentLength = head.contentLength();
            if (stream.keep != null) {
                head.giveText(stream.keep);
            }
            if (!stream.headRequest
                    && head.status() != 204
                    && head.status() / 100 == 2
                    && (head.isEventStream() || loop.spec.replies().watchesAll())) {
                stream.watch(head.isEventStream(), loop.spec.replies());
            }
        }
        if (blocks.endsStream()) {
            if (stream.grpc != null) {
                stream.grpc.endsWith(head);
            }
            end(stream);
        } else {
            began(stream);
        }
    }

    /// Mistake in the last header block; null without a mistake.
    private @Nullable SocketFailure wrong(Http2Stream stream, boolean last) {
        if (head.malformed() != null) {
            return head.malformed();
        }
        if (stream.status != 0) {
            return head.status() != 0 || !last
                    ? SocketFailure.malformed(FailureReason.TRAILERS_NOT_LAST)
                    : null;
        }
        if (head.status() == 0) {
            return SocketFailure.malformed(FailureReason.STATUS_MISSING);
        }
        if (head.status() == 101) {
            return SocketFailure.malformed(FailureReason.UPGRADE_UNASKED);
        }
        return head.status() < 200 && last
                ? SocketFailure.malformed(FailureReason.INTERIM_REPLY_IS_LAST)
                : null;
    }

    @Override
    public void data(int id, byte[] b, int from, int length) throws SocketFailure {
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        if (stream.status == 0) {
            var early = SocketFailure.malformed(FailureReason.DATA_BEFORE_HEAD);
            stream.user.fail(early, loop.tick());
            return;
        }
        useless = 0;
        if (stream.bodyBytes == 0) {
            began(stream);
        }
        stream.bodyBytes += length;
        if (stream.bodyBytes + stream.headBytes > loop.spec.mostReplyBytes()) {
            String limit = "the limit is " + loop.spec.mostReplyBytes() + " bytes";
            stream.user.fail(
                    new SocketFailure(ErrorKind.TOO_LARGE, FailureReason.REPLY_TOO_LARGE, limit),
                    loop.tick());
            return;
        }
        SocketFailure wrong =
                stream.grpc == null
                        ? null
                        : stream.grpc.take(b, from, length, loop.spec.mostReplyBytes());
        if (wrong != null) {
            stream.user.fail(wrong, loop.tick());
            return;
        }
        if (stream.keep != null) {
            stream.keep.addBody(b, from, length);
        }
        if (stream.watched != null) {
            FailureReason reason = stream.watched.data(b, from, length);
            if (reason != null) {
                stream.user.fail(SocketFailure.malformed(reason), loop.tick());
            }
        }
    }

    @Override
    public void dataOver(int id, int flags, int length) throws SocketFailure {
        mustBeOpened(id);
        if (blocks.isOpen()) {
            throw SocketFailure.malformed(FailureReason.HEADER_BLOCK_INTERRUPTED);
        }
        mayBeUseless();
        unacknowledged += length;
        if (unacknowledged >= WINDOW / 2) {
            out.header(Http2Frames.WINDOW_UPDATE, 0, 0, 4).integer(unacknowledged);
            unacknowledged = 0;
        }
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        boolean over = stream.watched != null && events(stream, stream.watched, length);
        if ((flags & Http2Frames.END_STREAM) != 0) {
            end(stream);
            return;
        }
        if (over) {
            connection.cutOff(stream);
            return;
        }
        stream.unacknowledged += length;
        if (stream.unacknowledged >= WINDOW / 2) {
            out.header(Http2Frames.WINDOW_UPDATE, 0, id, 4).integer(stream.unacknowledged);
            stream.unacknowledged = 0;
        }
    }

    /// Called when a frame of a reply with events is complete.
    ///
    /// @return true if the rule of the session ends the reply here
    private static boolean events(Http2Stream stream, EventReader events, int length) {
        if (length > 0) {
            events.chunkOver();
        }
        stream.user.came(events);
        return events.isOver();
    }

    /// Called when the reply is complete.
    private void end(Http2Stream stream) {
        boolean bodyless = stream.headRequest || stream.status == 304;
        long promised = bodyless ? 0 : stream.contentLength;
        if (promised != ReplyHead.UNKNOWN && promised != stream.bodyBytes) {
            String why = stream.bodyBytes + " bytes of a body of " + promised;
            stream.user.fail(
                    SocketFailure.malformed(FailureReason.BODY_LENGTH_DIFFERS, why), loop.tick());
            return;
        }
        GrpcReply call = stream.grpc;
        try {
            stream.user.mustHaveEnded(stream.watched);
            if (call != null) {
                call.mustBeWhole(stream.status, loop.streamed);
            }
        } catch (SocketFailure lacking) {
            stream.user.fail(lacking, loop.tick());
            return;
        }
        useless = 0;
        resets = 0;
        if (stream.bodyLeft() > 0) { // the server does not want the rest (§8.1)
            streams.reset(stream.id, Http2Error.NO_ERROR);
        }
        connection.release(stream);
        if (call != null) {
            loop.stats.messages += call.messages();
        }
        int outcome = call == null ? stream.status : call.outcome(stream.status);
        stream.user.replied(outcome, connection.isOpen());
    }

    private void reset(int id, int code) throws SocketFailure {
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        mustHaveLeft(stream);
        if (++resets > MAX_RESETS) {
            throw SocketFailure.malformed(FailureReason.STREAM_RESETS_TOO_MANY);
        }
        long now = loop.tick();
        boolean late = stream.isPastDeadline(now, loop.spec);
        connection.release(stream);
        String why = Http2Error.name(code);
        if (code == Http2Error.REFUSED_STREAM) {
            var refused =
                    new SocketFailure(ErrorKind.STREAM_REFUSED, FailureReason.STREAM_REFUSED, why);
            stream.user.refused(refused, connection.isOpen(), false, now);
        } else if (late && code == Http2Error.CANCEL) {
            stream.user.fail(Http2Stream.deadlinePassed(), now);
        } else {
            stream.user.fail(
                    new SocketFailure(ErrorKind.STREAM_RESET, FailureReason.STREAM_RESET, why),
                    now);
        }
    }

    private void settings(int flags, byte[] b, int from, int length) throws SocketFailure {
        if ((flags & Http2Frames.ACK) != 0) {
            return;
        }
        if (length % 6 != 0) {
            throw SocketFailure.malformed(FailureReason.FRAME_LENGTH_INVALID, length + " bytes");
        }
        if (length > 6 * MAX_SETTINGS) {
            throw SocketFailure.malformed(FailureReason.SETTINGS_TOO_MANY, length / 6 + " of them");
        }
        for (int at = from; at < from + length; at += 6) {
            int id = ((b[at] & 0xff) << 8) | (b[at + 1] & 0xff);
            streams.setting(id, Http2Frames.integer32(b, at + 2));
        }
        out.ack(Http2Frames.SETTINGS, 0);
        connection.greeted();
        connection.sendQueued();
    }

    private void ping(int flags, byte[] b, int from, int length) throws SocketFailure {
        if (length != 8) {
            throw SocketFailure.malformed(FailureReason.FRAME_LENGTH_INVALID, length + " bytes");
        }
        if ((flags & Http2Frames.ACK) == 0) {
            out.ack(Http2Frames.PING, 8).raw(b, from, 8);
        }
    }

    private void goaway(byte[] b, int from, int length) throws SocketFailure {
        if (length < 8) {
            throw SocketFailure.malformed(FailureReason.FRAME_LENGTH_INVALID, length + " bytes");
        }
        int code = Http2Frames.integer32(b, from + 4);
        String why = Http2Error.name(code);
        String error = "";
        if (code != Http2Error.NO_ERROR) {
            String more = new String(b, from + 8, length - 8, StandardCharsets.ISO_8859_1);
            error = more.isEmpty() ? why : why + ", " + more;
        }
        connection.goneAway(Http2Frames.integer31(b, from), why, error);
    }
}
