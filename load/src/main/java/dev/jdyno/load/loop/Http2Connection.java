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

/// One HTTP/2 connection (RFC 9113) from connect to close, shared by users of a {@link Http2Group}.
/// Requests that become ready in one turn are sent in one write.
final class Http2Connection implements WireOwner {
    private enum Phase {
        DIALLING,
        /// Connected, but the server's SETTINGS have not arrived. They prove that it speaks HTTP/2.
        GREETING,
        OPEN,
        /// Replies to sent requests may still arrive, but no new stream is opened.
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

    /// Users waiting for the connection, in the order of their arrival. In another order, a server
    /// that accepts few requests per connection could refuse the same users again and again.
    private final ArrayDeque<Http2Stream> waiting = new ArrayDeque<>();

    private Phase phase = Phase.DIALLING;
    private @Nullable Wire wire;
    private int joined;
    private boolean reading;
    private long lastReadNanos;

    /// Time at which the first stream after the last read was opened; 0 if no stream was.
    private long unansweredSinceNanos;

    /// Error with which the server ended the connection; empty without an error.
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

    /// Adds a user, who is notified when the connection is open.
    void join(Http2Stream stream, long now) {
        stream.connection = this;
        joined++;
        if (phase == Phase.OPEN) {
            stream.user.connected(now);
        } else {
            waiting.add(stream);
        }
    }

    /// Called when the server's SETTINGS have arrived.
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

    /// While the connection is being made: the step to which the server has not responded.
    FailureReason unanswered() {
        return phase == Phase.GREETING ? FailureReason.SETTINGS_UNANSWERED : dialer.unanswered();
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /// Sends a user's request, at once or when the server allows another stream.
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
            to.write(NOTHING, 0, 0); // sends data that TLS still holds
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
            if (++reads > Unread.MAX_READS) {
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

    /// Sends all answers to one read in one write. A read may bring thousands of PINGs; only
    /// answers that the server leaves unread after this write count against it.
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

    /// Called when a request has ended. Sends requests that waited for a free stream.
    void release(Http2Stream stream) {
        streams.release(stream);
        if (streams.isExhausted() && phase == Phase.OPEN) {
            retire(Http2Streams.LARGEST_ID, refusal(FailureReason.STREAM_NUMBERS_SPENT, ""));
        }
        sendQueued();
    }

    /// Called when a request opens its stream.
    void opened(long now) {
        if (unansweredSinceNanos == 0) {
            unansweredSinceNanos = now;
        }
    }

    private static SocketFailure refusal(FailureReason reason, String example) {
        return new SocketFailure(ErrorKind.STREAM_REFUSED, reason, example);
    }

    /// Sends waiting requests until the server's limit of streams is reached.
    void sendQueued() {
        Http2Stream next;
        while (phase == Phase.OPEN && (next = streams.next()) != null) {
            long now = loop.tick();
            next.user.sentAt(now);
            streams.start(next, now);
            opened(now);
        }
    }

    /// Called when the server ends the connection.
    ///
    /// @param error the error that the server gave; empty if there was none
    void goneAway(int lastProcessed, String why, String error) throws SocketFailure {
        goaway = error;
        if (phase == Phase.GREETING) {
            throw new SocketFailure(ErrorKind.GOAWAY, FailureReason.SERVER_GOES_AWAY, why);
        }
        retire(lastProcessed, refusal(FailureReason.SERVER_GOES_AWAY, why));
    }

    /// Stops opening streams on this connection. Users without a request leave it. Requests above
    /// `lastProcessed` and unsent requests move to the next connection, in the order in which they
    /// were sent. The requests before them were processed here, so each comes nearer to the front
    /// of that order.
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

    /// Runs an action for every user on this connection. An action may make users leave.
    private void forEach(StreamAction action) {
        for (int i = 0; i < group.streams.size(); i++) {
            Http2Stream stream = group.streams.get(i);
            if (stream.connection == this) {
                action.on(stream);
            }
        }
    }

    /// Called when the connection is broken.
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

    /// Ends a reply that is still arriving: its stream is cancelled, and the user gets the part
    /// that has arrived as the reply.
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

    /// Removes a user and cancels its request in flight. The last user to leave closes the
    /// connection.
    void leave(Http2Stream stream) {
        joined--;
        streams.dequeue(stream);
        // No byte has arrived since that request was sent, and the first request after the last
        // read has waited for at least the request timeout. The connection may then be dead, not
        // only slow. One gRPC deadline is usually too short to decide that.
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

    /// Sends GOAWAY. A failure to send it does not matter any more.
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
