package dev.jdyno.load.loop;

import dev.jdyno.load.reply.EventReader;
import dev.jdyno.load.reply.ReplyDecoder;
import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.SocketSettings;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The HTTP/1.1 connection of one user: one request at a time, no pipelining. It exists as long as
/// its user and makes a new wire for each connection.
final class Http1Connection implements Carrier, WireOwner {
    private final EventLoop loop;
    private final User user;
    private final Dialer dialer;
    private final ReplyDecoder decoder;

    private @Nullable Wire wire;
    private byte[] request = new byte[0];
    private int written;

    Http1Connection(EventLoop loop, User user, SocketAddress address, SocketSettings settings) {
        this.loop = loop;
        this.user = user;
        this.dialer = new Dialer(loop, address, settings);
        this.decoder =
                new ReplyDecoder(loop.heads, loop.spec.mostReplyBytes(), loop.spec.replies());
    }

    @Override
    public void connect(long now) throws SocketFailure {
        wire = dialer.start(this, now);
    }

    private Wire wire() {
        return Objects.requireNonNull(wire);
    }

    @Override
    public void send(byte[] bytes, boolean headRequest, @Nullable ReplyText keep, long now)
            throws SocketFailure {
        request = bytes;
        written = 0;
        decoder.expect(headRequest, keep);
        flush();
    }

    private void flush() throws SocketFailure {
        int n = wire().write(request, written, request.length - written);
        written += n;
        loop.stats.bytesWritten += n;
    }

    @Override
    public void onReady() {
        try {
            if (dialer.dialling()) {
                if (dialer.advance(wire())) {
                    user.connected(loop.tick());
                }
            } else if (user.isBusy()) {
                if (isWhollySent()) {
                    receive();
                } else {
                    sendAndReceive();
                }
            } else if (wire != null) {
                readWhileIdle(wire);
            }
        } catch (SocketFailure e) {
            user.fail(e, loop.tick());
        }
    }

    private boolean isWhollySent() {
        return written == request.length && !wire().hasUnsent();
    }

    /// Sends the request, then reads. A server may reply (with a 413, say) and close before it has
    /// read the whole request. Sending fails then, but the reply can still be read.
    private void sendAndReceive() throws SocketFailure {
        try {
            flush();
        } catch (SocketFailure e) {
            if (!receive()) {
                throw e;
            }
            return;
        }
        receive();
    }

    /// @return true if the reply is complete
    private boolean receive() throws SocketFailure {
        byte[] buffer = loop.buffer;
        Wire from = wire();
        int n;
        int reads = 0;
        do {
            n = from.read(buffer, 0, buffer.length);
            if (n == 0) {
                return false;
            }
            if (n == Wire.END) {
                decoder.end();
            } else {
                loop.stats.bytesRead += n;
                int end = decoder.feed(buffer, 0, n);
                if (end < n) {
                    throw brokenOr(buffer, end, n);
                }
            }
            boolean headCame = decoder.takeHead();
            EventReader events = decoder.watched();
            if (events != null) {
                user.came(events);
            }
            if (decoder.done()) {
                user.mustHaveEnded(events);
                if (headCame) {
                    user.headBegan(0); // it came with the last byte
                }
                boolean stillOpen = n != Wire.END && !from.isEnding();
                // the server would read the next request as the rest of the incomplete one
                boolean reusable = stillOpen && decoder.keepAlive() && isWhollySent();
                user.replied(decoder.status(), reusable);
                return true;
            }
            if (decoder.isBroken()) {
                throw brokenOr(buffer, 0, 0);
            }
            began(headCame);
            if (events != null && events.isOver()) {
                return cutOff();
            }
            if (++reads == Unread.MAX_READS) {
                loop.unread.add(this);
                return false;
            }
        } while (n == buffer.length || from.mustReadOn());
        return false;
    }

    /// Records when the head and the body of an incomplete reply began.
    private void began(boolean headCame) {
        boolean bodyCame = decoder.hasBody() && (headCame || !user.hasBody());
        if (!headCame && !bodyCame) {
            return;
        }
        long now = loop.tick(); // once: bytes of one read arrived at the same time
        if (headCame) {
            user.headBegan(now);
        }
        if (bodyCame) {
            user.bodyBegan(now);
        }
    }

    /// The reason why the decoder gave up. If it did not, the reason is that bytes arrived after
    /// the end of the reply.
    private SocketFailure brokenOr(byte[] b, int from, int to) {
        return decoder.failure()
                .orElseGet(() ->
                        new SocketFailure(
                                ErrorKind.MALFORMED, FailureReason.BYTES_AFTER_REPLY, b, from, to));
    }

    /// Reads while no request is in flight. Bytes or the end of the stream mean that the server
    /// closes, possibly with a 408. This is not an error; the next request gets a new connection.
    private void readWhileIdle(Wire idle) {
        byte[] buffer = loop.buffer;
        try {
            if (idle.read(buffer, 0, buffer.length) == 0) {
                return;
            }
        } catch (SocketFailure e) {
            loop.idleFailures++;
        }
        user.lost(loop.now);
    }

    @Override
    public boolean cutOff() {
        if (!decoder.isInBody()) {
            return false;
        }
        user.replied(decoder.status(), false);
        return true;
    }

    @Override
    public FailureReason unanswered() {
        return dialer.unanswered();
    }

    @Override
    public void close() {
        loop.unread.remove(this);
        decoder.forget();
        dialer.close(wire);
        wire = null;
    }
}
