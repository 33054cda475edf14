package dev.jdyno.load;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection (RFC 9113) with the users of a {@link Http2Group} on it, from its making
/// to its end; then another takes its place. Requests that become ready in one turn leave in one
/// send.
final class Http2Connection implements WireOwner, Http2FrameReader.Handler {
    private enum Phase {
        DIALLING,
        /// Connected; the server's SETTINGS, the proof that it speaks HTTP/2, have not come yet.
        GREETING,
        OPEN,
        /// Replies that are out may still come, but no new stream is opened.
        DRAINING,
        CLOSED
    }

    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] NOTHING = new byte[0];

    /// What the server may send ahead, on a stream and in all: flow control is to slow down nobody
    /// who is measured. h2load's default is the same.
    private static final int WINDOW = 1 << 30;

    private final EventLoop loop;
    private final Http2Group group;
    private final Dialer dialer;
    private final Http2Frames out = new Http2Frames();
    private final Http2FrameReader reader = new Http2FrameReader(this);
    private final Http2Blocks blocks = new Http2Blocks();
    private final Http2Head head = new Http2Head();
    private final Http2Streams streams;

    private Phase phase = Phase.DIALLING;
    private @Nullable Wire wire;
    private int joined;
    private boolean reading;
    private long lastReadNanos;

    /// Why the server ended the connection; empty unless it gave an error.
    private String goaway = "";

    /// Bytes received that the server has not been told to send again.
    private int unacknowledged;

    Http2Connection(EventLoop loop, Http2Group group, Dialer dialer) {
        this.loop = loop;
        this.group = group;
        this.dialer = dialer;
        this.streams = new Http2Streams(out, loop.spec.streams());
    }

    void dial(long now) throws SocketFailure {
        try {
            wire = dialer.start(this, now);
        } catch (SocketFailure e) {
            close();
            throw e;
        }
    }

    /// Takes a user on, who hears when the connection is there.
    void join(Http2Stream stream, long now) {
        stream.connection = this;
        joined++;
        if (phase == Phase.OPEN) {
            stream.user.connected(now);
        }
    }

    /// Sends a user's request, now or when the server allows another stream.
    void send(Http2Stream stream, long now) throws SocketFailure {
        if (streams.isFull()) {
            streams.enqueue(stream);
            loop.stats.streamWaits++;
            return;
        }
        streams.start(stream, now);
        if (!reading) {
            flush();
        }
    }

    private void flush() throws SocketFailure {
        Wire to = Objects.requireNonNull(wire);
        if (out.isEmpty() && to.hasUnsent()) {
            to.write(NOTHING, 0, 0); // moves on what TLS still holds
        }
        loop.stats.bytesWritten += out.sendTo(to, loop.sending);
    }

    @Override
    public void onReady() {
        if (phase == Phase.CLOSED) {
            return;
        }
        Wire from = Objects.requireNonNull(wire);
        reading = true;
        try {
            if (phase == Phase.DIALLING) {
                if (!dialer.advance(from)) {
                    return;
                }
                greet(from);
            }
            flush();
            receive(from);
            if (phase != Phase.CLOSED) {
                flush();
            }
        } catch (SocketFailure e) {
            fail(e);
        } finally {
            reading = false;
        }
    }

    private void greet(Wire made) throws SocketFailure {
        if (loop.spec.isTls() && !made.protocol().equals(TlsSettings.HTTP_2)) {
            String chosen = made.protocol().isEmpty() ? "nothing" : made.protocol();
            throw new SocketFailure(
                    ErrorKind.TLS, "the server does not agree to h2: by ALPN it chose " + chosen);
        }
        phase = Phase.GREETING;
        out.raw(PREFACE, 0, PREFACE.length)
                .header(Http2Frames.SETTINGS, 0, 0, 12)
                .setting(Http2Frames.SETTINGS_ENABLE_PUSH, 0)
                .setting(Http2Frames.SETTINGS_INITIAL_WINDOW_SIZE, WINDOW)
                .header(Http2Frames.WINDOW_UPDATE, 0, 0, 4)
                .integer(WINDOW - Http2Streams.DEFAULT_WINDOW);
    }

    private void receive(Wire from) throws SocketFailure {
        byte[] buffer = loop.buffer;
        int n;
        do {
            n = from.read(buffer, 0, buffer.length);
            if (n == Wire.END) {
                throw ended();
            }
            if (n > 0) {
                lastReadNanos = loop.now;
                loop.stats.bytesRead += n;
                if (phase == Phase.GREETING) {
                    mustBeSettings(buffer, n);
                }
                reader.take(buffer, 0, n);
            }
        } while (phase != Phase.CLOSED && n > 0 && (n == buffer.length || from.mustReadOn()));
    }

    private SocketFailure ended() {
        if (!goaway.isEmpty()) {
            return new SocketFailure(ErrorKind.GOAWAY, goaway);
        }
        return new SocketFailure(
                ErrorKind.CLOSED,
                phase == Phase.GREETING
                        ? "closed before the server's SETTINGS: does it speak HTTP/2 here?"
                        : "the server closed before the reply was whole");
    }

    /// The first frame of a server is SETTINGS; a server of HTTP/1.1 says so in its first bytes.
    private static void mustBeSettings(byte[] b, int length) throws SocketFailure {
        if (length > 3 && b[3] != Http2Frames.SETTINGS) {
            String said = new String(b, 0, Math.min(length, 12), StandardCharsets.ISO_8859_1);
            throw new SocketFailure(
                    ErrorKind.MALFORMED,
                    "the server does not speak HTTP/2 here: its first bytes are '"
                            + said.replaceAll("[^ -~]", "?")
                            + "'");
        }
    }

    @Override
    public boolean isClosed() {
        return phase == Phase.CLOSED;
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
        release(stream);
        if (streams.isExhausted() && phase == Phase.OPEN) {
            retire(Http2Streams.LARGEST_ID, "no stream numbers left");
        }
        stream.user.replied(stream.status, phase == Phase.OPEN);
    }

    private void release(Http2Stream stream) {
        streams.release(stream);
        Http2Stream next;
        while (phase == Phase.OPEN && (next = streams.next()) != null) {
            long now = loop.tick();
            next.user.sentAt(now);
            streams.start(next, now);
        }
    }

    private void reset(int id, int code) throws SocketFailure {
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        release(stream);
        String why = "RST_STREAM: " + Http2Error.name(code);
        long now = loop.tick();
        if (code == Http2Error.REFUSED_STREAM) {
            var refused = new SocketFailure(ErrorKind.STREAM_REFUSED, why);
            stream.user.refused(refused, phase == Phase.OPEN, now);
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
        if (phase == Phase.GREETING) {
            phase = Phase.OPEN;
            long now = loop.tick();
            forEach(s -> s.user.connected(now));
        }
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
        if (code != Http2Error.NO_ERROR) {
            String more = new String(b, from + 8, length - 8, StandardCharsets.ISO_8859_1);
            goaway = more.isEmpty() ? why : why + ", " + more.replaceAll("[^ -~]", "?");
        }
        if (phase == Phase.GREETING) {
            throw new SocketFailure(ErrorKind.GOAWAY, why);
        }
        retire(Http2Frames.integer31(b, from), why);
    }

    /// Opens no more streams here. Users without a request leave; requests above `lastProcessed`
    /// and those not sent yet go over the next connection.
    private void retire(int lastProcessed, String why) {
        phase = Phase.DRAINING;
        group.forget(this);
        long now = loop.tick();
        forEach(s -> {
            if (s.user.isConnected()) {
                s.user.lost(now);
            } else if (s.queued || s.id > lastProcessed) {
                s.user.refused(new SocketFailure(ErrorKind.STREAM_REFUSED, why), false, now);
            }
        });
    }

    private interface StreamAction {
        void on(Http2Stream stream);
    }

    /// Every user on this connection; an action may make users leave.
    private void forEach(StreamAction action) {
        for (int i = 0; i < group.streams.size(); i++) {
            Http2Stream stream = group.streams.get(i);
            if (stream.connection == this) {
                action.on(stream);
            }
        }
    }

    /// The connection is broken.
    private void fail(SocketFailure failure) {
        boolean hadBeenOpen = phase == Phase.OPEN || phase == Phase.DRAINING;
        if (failure.kind() == ErrorKind.MALFORMED && phase != Phase.DIALLING) {
            sayGoodbye(Http2Error.PROTOCOL_ERROR);
        }
        close();
        long now = loop.tick();
        forEach(s -> {
            boolean unsent = s.queued && hadBeenOpen;
            s.connection = null;
            s.queued = false;
            s.id = 0;
            if (s.user.isConnected()) {
                s.user.lost(now);
            } else if (unsent) {
                s.user.refused(failure, false, now);
            } else {
                s.user.fail(failure, now);
            }
        });
    }

    /// A user goes; a request that is out is cancelled. The last one to go closes the connection.
    void leave(Http2Stream stream) {
        joined--;
        streams.dequeue(stream);
        // nothing at all has come since that request: the connection may be dead, not only slow
        boolean silent = stream.isActive() && stream.openedNanos > lastReadNanos;
        if (stream.isActive()) {
            streams.reset(stream.id, Http2Error.CANCEL);
            release(stream);
        }
        if (joined == 0) {
            if (phase != Phase.DIALLING && phase != Phase.CLOSED) {
                sayGoodbye(Http2Error.NO_ERROR);
            }
            close();
        } else if (silent && phase == Phase.OPEN) {
            retire(Http2Streams.LARGEST_ID, "a silent connection");
        } else if (!reading && phase != Phase.CLOSED) {
            try {
                flush();
            } catch (SocketFailure e) {
                fail(e);
            }
        }
    }

    /// Whether it leaves does not matter any more.
    private void sayGoodbye(int code) {
        out.header(Http2Frames.GOAWAY, 0, 0, 8).integer(0).integer(code);
        try {
            flush();
        } catch (SocketFailure gone) {
            loop.idleFailures++;
        }
    }

    private void close() {
        phase = Phase.CLOSED;
        group.forget(this);
        dialer.close(wire);
        wire = null;
    }
}
