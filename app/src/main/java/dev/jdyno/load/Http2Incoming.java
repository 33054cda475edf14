package dev.jdyno.load;

import dev.jdyno.load.reply.ReplyHead;
import dev.jdyno.load.wire.ErrorKind;
import dev.jdyno.load.wire.SocketFailure;
import java.nio.charset.StandardCharsets;

/// What the server says on one connection, frame by frame: puts the replies together for the users,
/// heeds settings and windows, and tells the {@link Http2Connection} what concerns all of it.
final class Http2Incoming implements Http2FrameReader.Handler {
    /// What the server may send ahead, on a stream and in all: flow control is to slow down nobody
    /// who is measured. h2load's default is the same.
    static final int WINDOW = 1 << 30;

    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final EventLoop loop;
    private final Http2Connection connection;
    private final Http2Frames out;
    private final Http2Streams streams;
    private final Http2Blocks blocks = new Http2Blocks();
    private final Http2Head head = new Http2Head();

    /// Bytes received that the server has not been told to send again.
    private int unacknowledged;

    Http2Incoming(
            EventLoop loop, Http2Connection connection, Http2Frames out, Http2Streams streams) {
        this.loop = loop;
        this.connection = connection;
        this.out = out;
        this.streams = streams;
    }

    /// Says what the server may send; the first that goes over the connection.
    void announce() {
        out.raw(PREFACE, 0, PREFACE.length)
                .header(Http2Frames.SETTINGS, 0, 0, 12)
                .setting(Http2Frames.SETTINGS_ENABLE_PUSH, 0)
                .setting(Http2Frames.SETTINGS_INITIAL_WINDOW_SIZE, WINDOW)
                .header(Http2Frames.WINDOW_UPDATE, 0, 0, 4)
                .integer(WINDOW - Http2Streams.DEFAULT_WINDOW);
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed();
    }

    @Override
    public void frame(int type, int flags, int id, byte[] b, int from, int length)
            throws SocketFailure {
        if (blocks.isOpen() && type != Http2Frames.CONTINUATION) {
            throw malformed("a header block that is interrupted");
        }
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
            case Http2Frames.WINDOW_UPDATE -> streams.window(id, integer(b, from, length, 4));
            case Http2Frames.PUSH_PROMISE -> throw malformed("a push that was forbidden");
            default -> {} // PRIORITY says nothing to a client; unknown types are ignored (§4.1)
        }
    }

    private static SocketFailure malformed(String why) {
        return new SocketFailure(ErrorKind.MALFORMED, why);
    }

    private static int integer(byte[] b, int from, int length, int wanted) throws SocketFailure {
        if (length != wanted) {
            throw malformed("a frame of the wrong length");
        }
        return Http2Frames.integer32(b, from);
    }

    private void mustBeOpened(int id) throws SocketFailure {
        if (!streams.wasOpened(id)) {
            throw malformed("a frame on stream " + id + ", which nobody opened");
        }
    }

    private void wholeBlock(int id) throws SocketFailure {
        Http2Stream stream = streams.find(id);
        head.start(stream != null && stream.keep != null);
        blocks.read(head);
        if (stream == null) {
            return;
        }
        String wrong = wrong(stream, blocks.endsStream());
        if (!wrong.isEmpty()) {
            stream.user.fail(malformed(wrong), loop.tick());
            return;
        }
        stream.headBytes += blocks.length();
        if (stream.status == 0 && head.status() >= 200) {
            stream.status = head.status();
            stream.contentLength = head.contentLength();
            if (stream.keep != null) {
                head.giveText(stream.keep);
            }
        }
        if (blocks.endsStream()) {
            end(stream);
        }
    }

    /// What is wrong with the block just read; empty when nothing is.
    private String wrong(Http2Stream stream, boolean last) {
        if (!head.malformed().isEmpty()) {
            return head.malformed();
        }
        if (stream.status != 0) {
            return head.status() != 0 || !last ? "trailers that are not the end of the reply" : "";
        }
        if (head.status() == 0) {
            return "a head without :status";
        }
        return head.status() < 200 && (last || head.status() == 101)
                ? "an interim reply that ends the stream, or an upgrade (101)"
                : "";
    }

    @Override
    public void data(int id, byte[] b, int from, int length) throws SocketFailure {
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        if (stream.status == 0) {
            stream.user.fail(malformed("DATA before the head"), loop.tick());
            return;
        }
        stream.bodyBytes += length;
        if (stream.bodyBytes + stream.headBytes > loop.spec.mostReplyBytes()) {
            String why = "reply longer than " + loop.spec.mostReplyBytes() + " bytes";
            stream.user.fail(new SocketFailure(ErrorKind.TOO_LARGE, why), loop.tick());
        } else if (stream.keep != null) {
            stream.keep.addBody(b, from, length);
        }
    }

    @Override
    public void dataOver(int id, int flags, int length) throws SocketFailure {
        mustBeOpened(id);
        if (blocks.isOpen()) {
            throw malformed("a header block that is interrupted");
        }
        unacknowledged += length;
        if (unacknowledged >= WINDOW / 2) {
            out.header(Http2Frames.WINDOW_UPDATE, 0, 0, 4).integer(unacknowledged);
            unacknowledged = 0;
        }
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        if ((flags & Http2Frames.END_STREAM) != 0) {
            end(stream);
            return;
        }
        stream.unacknowledged += length;
        if (stream.unacknowledged >= WINDOW / 2) {
            out.header(Http2Frames.WINDOW_UPDATE, 0, id, 4).integer(stream.unacknowledged);
            stream.unacknowledged = 0;
        }
    }

    /// The reply is whole.
    private void end(Http2Stream stream) {
        boolean bodyless = stream.headRequest || stream.status == 304;
        long promised = bodyless ? 0 : stream.contentLength;
        if (promised != ReplyHead.UNKNOWN && promised != stream.bodyBytes) {
            String why = stream.bodyBytes + " bytes of a body of " + promised;
            stream.user.fail(malformed(why), loop.tick());
            return;
        }
        if (stream.bodyLeft() > 0) { // the server does not want the rest (§8.1)
            streams.reset(stream.id, Http2Error.NO_ERROR);
        }
        connection.release(stream);
        stream.user.replied(stream.status, connection.isOpen());
    }

    private void reset(int id, int code) throws SocketFailure {
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        connection.release(stream);
        String why = "RST_STREAM: " + Http2Error.name(code);
        long now = loop.tick();
        if (code == Http2Error.REFUSED_STREAM) {
            var refused = new SocketFailure(ErrorKind.STREAM_REFUSED, why);
            stream.user.refused(refused, connection.isOpen(), false, now);
        } else {
            stream.user.fail(new SocketFailure(ErrorKind.STREAM_RESET, why), now);
        }
    }

    private void settings(int flags, byte[] b, int from, int length) throws SocketFailure {
        if ((flags & Http2Frames.ACK) != 0) {
            return;
        }
        if (length % 6 != 0) {
            throw malformed("SETTINGS of the wrong length");
        }
        for (int at = from; at < from + length; at += 6) {
            int id = ((b[at] & 0xff) << 8) | (b[at + 1] & 0xff);
            streams.setting(id, Http2Frames.integer32(b, at + 2));
        }
        out.header(Http2Frames.SETTINGS, Http2Frames.ACK, 0, 0);
        connection.greeted();
    }

    private void ping(int flags, byte[] b, int from, int length) throws SocketFailure {
        if (length != 8) {
            throw malformed("PING of the wrong length");
        }
        if ((flags & Http2Frames.ACK) == 0) {
            out.header(Http2Frames.PING, Http2Frames.ACK, 0, 8).raw(b, from, 8);
        }
    }

    private void goaway(byte[] b, int from, int length) throws SocketFailure {
        if (length < 8) {
            throw malformed("GOAWAY of the wrong length");
        }
        int code = Http2Frames.integer32(b, from + 4);
        String why = "GOAWAY: " + Http2Error.name(code);
        String error = "";
        if (code != Http2Error.NO_ERROR) {
            String more = new String(b, from + 8, length - 8, StandardCharsets.ISO_8859_1);
            error = more.isEmpty() ? why : why + ", " + more.replaceAll("[^ -~]", "?");
        }
        connection.goneAway(Http2Frames.integer31(b, from), why, error);
    }
}
