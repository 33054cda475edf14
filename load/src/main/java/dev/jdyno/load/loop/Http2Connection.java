package dev.jdyno.load.loop;

import dev.jdyno.load.http2.Http2Error;
import dev.jdyno.load.http2.Http2FrameReader;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection (RFC 9113) with the users of a {@link Http2Group} on it, from its making
/// to its end; then another takes its place. Requests that become ready in one turn leave in one
/// send.
final class Http2Connection implements WireOwner {
    private enum Phase {
        DIALLING,
        /// Connected; the server's SETTINGS, the proof that it speaks HTTP/2, have not come yet.
        GREETING,
        OPEN,
        /// Replies that are out may still come, but no new stream is opened.
        DRAINING,
        CLOSED
    }

    private static final byte[] NOTHING = new byte[0];

    private final EventLoop loop;
    private final Http2Group group;
    private final Dialer dialer;
    private final Http2Frames out = new Http2Frames();
    private final Http2Streams streams;
    private final Http2Incoming incoming;
    private final Http2FrameReader reader;

    /// Users who wait for the connection, first come first served: a server that takes few requests
    /// per connection would else refuse the same ones again and again.
    private final ArrayDeque<Http2Stream> waiting = new ArrayDeque<>();

    private Phase phase = Phase.DIALLING;
    private @Nullable Wire wire;
    private int joined;
    private boolean reading;
    private long lastReadNanos;

    /// When the first stream was opened after the last read; 0 if none was.
    private long unansweredSinceNanos;

    /// Why the server ended the connection; empty unless it gave an error.
    private String goaway = "";

    Http2Connection(EventLoop loop, Http2Group group, Dialer dialer) {
        this.loop = loop;
        this.group = group;
        this.dialer = dialer;
        this.streams = new Http2Streams(out, loop.spec.streams());
        this.incoming = new Http2Incoming(loop, this, out, streams);
        this.reader = new Http2FrameReader(incoming);
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
        } else {
            waiting.add(stream);
        }
    }

    /// The server's SETTINGS have come.
    void greeted() {
        if (phase != Phase.GREETING) {
            return;
        }
        phase = Phase.OPEN;
        long now = loop.tick();
        Http2Stream first;
        while (phase == Phase.OPEN && (first = waiting.poll()) != null) {
            if (first.connection == this && first.user.isConnecting()) {
                first.user.connected(now);
            }
        }
    }

    /// What the server has not done for the connection that is being made.
    FailureReason unanswered() {
        return phase == Phase.GREETING ? FailureReason.SETTINGS_UNANSWERED : dialer.unanswered();
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /// Sends a user's request, now or when the server allows another stream.
    void send(Http2Stream stream, long now) throws SocketFailure {
        if (streams.isFull()) {
            streams.enqueue(stream);
            loop.stats.waitsForStream(streams.most());
            return;
        }
        streams.start(stream, now);
        opened(now);
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
                    ErrorKind.TLS, FailureReason.TLS_WITHOUT_HTTP2, "it chose " + chosen);
        }
        phase = Phase.GREETING;
        incoming.announce();
    }

    private void receive(Wire from) throws SocketFailure {
        byte[] buffer = loop.buffer;
        int n;
        int reads = 0;
        do {
            if (++reads > Unread.MOST_READS) {
                loop.unread.add(this);
                return;
            }
            n = from.read(buffer, 0, buffer.length);
            if (n == Wire.END) {
                throw ended();
            }
            if (n > 0) {
                lastReadNanos = loop.now;
                unansweredSinceNanos = 0;
                loop.stats.bytesRead += n;
                if (phase == Phase.GREETING && reader.isBetweenFrames()) {
                    Http2FrameReader.mustBeSettings(buffer, n);
                }
                try {
                    reader.take(buffer, 0, n);
                } finally {
                    incoming.readOver();
                }
                answer();
            }
        } while (phase != Phase.CLOSED && n > 0 && (n == buffer.length || from.mustReadOn()));
    }

    /// Sends the answers to what one read brought, in one send: a read may bring thousands of
    /// PINGs, and only the answers that the server then leaves unread count against it.
    private void answer() throws SocketFailure {
        if (phase != Phase.CLOSED && out.hasAcks()) {
            flush();
            out.mustBeRead();
        }
    }

    private SocketFailure ended() {
        if (!goaway.isEmpty()) {
            return new SocketFailure(ErrorKind.GOAWAY, FailureReason.SERVER_GOES_AWAY, goaway);
        }
        return new SocketFailure(
                ErrorKind.CLOSED,
                phase == Phase.GREETING
                        ? FailureReason.CLOSED_BEFORE_SETTINGS
                        : FailureReason.CLOSED_WITH_OPEN_STREAMS);
    }

    /// A request has ended; those that waited for its place leave.
    void release(Http2Stream stream) {
        streams.release(stream);
        if (streams.isExhausted() && phase == Phase.OPEN) {
            retire(Http2Streams.LARGEST_ID, refusal(FailureReason.STREAM_NUMBERS_SPENT, ""));
        }
        sendQueued();
    }

    /// A request goes out on a stream of its own.
    void opened(long now) {
        if (unansweredSinceNanos == 0) {
            unansweredSinceNanos = now;
        }
    }

    private static SocketFailure refusal(FailureReason reason, String example) {
        return new SocketFailure(ErrorKind.STREAM_REFUSED, reason, example);
    }

    /// Sends the requests that waited for a place, as far as the server allows now.
    void sendQueued() {
        Http2Stream next;
        while (phase == Phase.OPEN && (next = streams.next()) != null) {
            long now = loop.tick();
            next.user.sentAt(now);
            streams.start(next, now);
            opened(now);
        }
    }

    /// The server ends the connection.
    ///
    /// @param error why, when something was wrong; empty otherwise
    void goneAway(int lastProcessed, String why, String error) throws SocketFailure {
        goaway = error;
        if (phase == Phase.GREETING) {
            throw new SocketFailure(ErrorKind.GOAWAY, FailureReason.SERVER_GOES_AWAY, why);
        }
        retire(lastProcessed, refusal(FailureReason.SERVER_GOES_AWAY, why));
    }

    /// Opens no more streams here. Users without a request leave; requests above `lastProcessed`
    /// and those not sent yet go over the next connection, in the order in which they were sent: so
    /// each is nearer to being taken there than it was here.
    private void retire(int lastProcessed, SocketFailure failure) {
        phase = Phase.DRAINING;
        group.forget(this);
        long now = loop.tick();
        List<Http2Stream> refused = new ArrayList<>();
        forEach(s -> {
            if (s.user.isConnected()) {
                s.user.lost(now);
            } else if (!s.queued && s.id > lastProcessed) {
                refused.add(s);
            }
        });
        refused.sort(Comparator.comparingInt(s -> s.id));
        streams.addQueued(refused);
        boolean tookSome = lastProcessed > 0;
        refused.forEach(s -> s.user.refused(failure, false, tookSome, now));
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
                s.user.refused(failure, false, false, now);
            } else {
                s.user.fail(failure, now);
            }
        });
    }

    /// Ends a reply that goes on: its stream is cancelled, and the user gets what came as the
    /// reply.
    void cutOff(Http2Stream stream) {
        int status = stream.status;
        streams.reset(stream.id, Http2Error.CANCEL);
        release(stream);
        stream.user.replied(status, isOpen());
        if (!reading && phase != Phase.CLOSED) {
            try {
                flush();
            } catch (SocketFailure e) {
                fail(e);
            }
        }
    }

    /// A user goes; a request that is out is cancelled. The last one to go closes the connection.
    void leave(Http2Stream stream) {
        joined--;
        streams.dequeue(stream);
        // nothing at all has come since that request, and since others before it, for as long as a
        // request may take: the connection may be dead, not only slow. One deadline of gRPC is
        // usually too short to tell
        boolean silent =
                stream.isActive()
                        && stream.openedNanos > lastReadNanos
                        && loop.now - unansweredSinceNanos >= loop.requestTimeoutNanos;
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
            retire(Http2Streams.LARGEST_ID, refusal(FailureReason.CONNECTION_SILENT, ""));
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
        loop.unread.remove(this);
        group.forget(this);
        dialer.close(wire);
        wire = null;
    }
}
