package dev.jdyno.load;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One connection of the load and the user on it: connects, sends a request, follows its reply.
/// Lives as long as its loop; its wires come and go.
final class Connection {
    private enum State {
        CLOSED,
        CONNECTING,
        IDLE,
        BUSY
    }

    /// First wait after a server refused or broke a fresh connection; doubles up to the longest.
    private static final long BACKOFF_FIRST_NANOS = 10_000_000L;

    private static final long BACKOFF_LONGEST_NANOS = 1_000_000_000L;

    private final EventLoop loop;
    private final int index;
    private final SocketAddress address;
    private final SocketSettings settings;
    private final ReplyDecoder decoder;
    private final Script script;

    private State state = State.CLOSED;
    private @Nullable Wire wire;

    /// Whether a request waits for the connection that is being made.
    private boolean pending;

    private long intendedNanos;
    private long sentNanos;
    private long connectStartNanos;
    private long handshakeStartNanos;
    private byte[] request = new byte[0];
    private int written;
    private boolean provenGood;
    private long backoffNanos = BACKOFF_FIRST_NANOS;

    /// Whether it waits in the loop's due queue.
    boolean waiting;

    /// Whether it lies in the open model's ring of free connections.
    boolean parked;

    Connection(
            EventLoop loop,
            int index,
            SocketAddress address,
            SocketSettings settings,
            Script script) {
        this.script = script;
        this.loop = loop;
        this.index = index;
        this.address = address;
        this.settings = settings;
        this.decoder = new ReplyDecoder(loop.heads, loop.spec.mostReplyBytes());
    }

    int index() {
        return index;
    }

    boolean isConnected() {
        return state == State.IDLE;
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    /// Free to take a request now: connected and idle, or closed.
    boolean isFree() {
        return !waiting && (state == State.IDLE || state == State.CLOSED);
    }

    boolean hasRequest() {
        return state == State.BUSY || (state == State.CONNECTING && pending);
    }

    /// Connects ahead of any request.
    void open(long now) {
        pending = false;
        startConnect(now);
    }

    /// Starts a request: sends it, connecting first when there is no connection.
    ///
    /// @param intended when it was to start; its latency counts from there
    void begin(long intended, long now) {
        intendedNanos = intended;
        if (state == State.IDLE) {
            transmit(now);
        } else {
            pending = true;
            startConnect(now);
        }
    }

    private void startConnect(long now) {
        provenGood = false;
        connectStartNanos = now;
        handshakeStartNanos = 0;
        state = State.CONNECTING;
        loop.connecting++;
        try {
            wire = loop.connect(address, settings, this);
        } catch (SocketFailure e) {
            fail(e, now);
        }
    }

    private Wire wire() {
        return java.util.Objects.requireNonNull(wire);
    }

    private void transmit(long now) {
        state = State.BUSY;
        sentNanos = now;
        request = script.next();
        written = 0;
        decoder.expect(script.isHead(), script.reply());
        flush(now);
    }

    private void flush(long now) {
        try {
            int n = wire().write(request, written, request.length - written);
            written += n;
            loop.stats.bytesWritten += n;
        } catch (SocketFailure e) {
            fail(e, now);
        }
    }

    /// The poller says that something happened on the wire.
    void onReady() {
        try {
            switch (state) {
                case CONNECTING -> connected();
                case BUSY -> {
                    if (written < request.length || wire().hasUnsent()) {
                        flush(loop.now);
                    }
                    if (state == State.BUSY) {
                        receive();
                    }
                }
                case IDLE -> readWhileIdle();
                case CLOSED -> {}
            }
        } catch (SocketFailure e) {
            fail(e, loop.tick());
        }
    }

    private void connected() throws SocketFailure {
        Progress progress = wire().finishConnect();
        if (progress == Progress.CONNECTING) {
            return;
        }
        long now = loop.tick();
        if (handshakeStartNanos == 0) {
            handshakeStartNanos = now;
            loop.stats.connected(now - connectStartNanos);
            if (progress == Progress.HANDSHAKING) {
                progress = wire().finishConnect();
            }
        }
        if (progress == Progress.HANDSHAKING) {
            return;
        }
        if (loop.spec.isTls()) {
            now = loop.tick();
            loop.stats.handshaken(now - handshakeStartNanos);
        }
        loop.connecting--;
        state = State.IDLE;
        if (pending) {
            pending = false;
            transmit(now);
        } else {
            loop.pacing.free(this, now);
        }
    }

    private void receive() throws SocketFailure {
        byte[] buffer = loop.buffer;
        Wire from = wire();
        int n;
        do {
            n = from.read(buffer, 0, buffer.length);
            if (n == 0) {
                return;
            }
            if (n == Wire.END) {
                decoder.end();
            } else {
                loop.stats.bytesRead += n;
                if (decoder.feed(buffer, 0, n) < n) {
                    failReply(decoder.isBroken() ? decoder.brokenWhy() : "bytes after the reply");
                    return;
                }
            }
            if (decoder.done()) {
                complete(n != Wire.END && !from.isEnding());
                return;
            }
            if (decoder.isBroken()) {
                failReply(decoder.brokenWhy());
                return;
            }
        } while (n == buffer.length || from.mustReadOn());
    }

    private void complete(boolean stillOpen) {
        long now = loop.tick();
        LoopStats stats = loop.stats;
        int status = decoder.status();
        stats.reply(status);
        stats.lastReplyNanos = now;
        stats.lagNanos += now - loop.batchStart;
        switch (script.judge(status)) {
            case GOOD -> stats.good(script.step(), intendedNanos, sentNanos, now);
            case BAD_STATUS -> stats.badStatus(script.step(), status);
            case CHECK_FAILED -> stats.failedCheck(script.step());
        }
        provenGood = true;
        backoffNanos = BACKOFF_FIRST_NANOS;
        state = State.IDLE;
        if (!stillOpen || !decoder.keepAlive() || !loop.spec.keepAlive()) {
            closeWire();
        }
        loop.pacing.free(this, now);
    }

    /// Bytes or the end while no request is out: the server closes (or says 408 and closes). Not an
    /// error; the next request gets a new connection.
    private void readWhileIdle() {
        byte[] buffer = loop.buffer;
        try {
            if (wire().read(buffer, 0, buffer.length) == 0) {
                return;
            }
        } catch (SocketFailure e) {
            loop.idleFailures++;
        }
        closeWire();
        loop.pacing.lost(this, loop.now);
    }

    private void failReply(String why) {
        ErrorKind kind = decoder.isBroken() ? decoder.brokenKind() : ErrorKind.MALFORMED;
        fail(new SocketFailure(kind, why), loop.tick());
    }

    /// Gives up the request, if one is out. A server that refuses or breaks fresh connections is
    /// asked again after a pause only.
    private void fail(SocketFailure failure, long now) {
        boolean mustPause = !provenGood || state == State.CONNECTING;
        loop.stats.reason(failure);
        fail(failure.kind(), now, mustPause);
    }

    private void fail(ErrorKind kind, long now, boolean pause) {
        boolean wasConnecting = state == State.CONNECTING;
        boolean carried = hasRequest();
        if (state == State.BUSY) {
            loop.stats.failedStep(script.step());
            script.failed();
        }
        closeWire();
        loop.stats.error(kind);
        loop.stats.lastReplyNanos = now;
        if (wasConnecting && !carried) {
            loop.pacing.connectFailed();
        }
        if (pause) {
            loop.delay(this, now + backoffNanos);
            backoffNanos = Math.min(BACKOFF_LONGEST_NANOS, backoffNanos * 2);
        } else {
            loop.pacing.free(this, now);
        }
    }

    /// Fails it when it has taken longer than the session allows.
    void checkTimeout(long now, long connectTimeout, long requestTimeout) {
        if (state == State.BUSY && now - sentNanos > requestTimeout) {
            fail(ErrorKind.TIMEOUT, now, false); // it has waited long enough already
        } else if (state == State.CONNECTING && now - connectStartNanos > connectTimeout) {
            fail(ErrorKind.CONNECT_TIMEOUT, now, true);
        }
    }

    void closeWire() {
        if (state == State.CONNECTING) {
            loop.connecting--;
        }
        if (wire != null) {
            wire.close();
            wire = null;
        }
        state = State.CLOSED;
        pending = false;
    }
}
