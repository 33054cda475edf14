package dev.jdyno.load.wire;

import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// TLS over another wire, using the JDK's SSLEngine. The cryptography of the handshake runs on the
/// event loop, because it is part of the work of the load.
public final class TlsWire implements Wire {
    /// Maximum number of consecutive records without data: tickets, key updates, empty records.
    /// Without this limit, a server could keep the loop busy with them.
    private static final int MAX_EMPTY_RECORDS = 1000;

    private final Wire inner;
    private final SSLEngine engine;

    /// Bytes from the server that are not decrypted yet. Between calls, the buffer is ready for
    /// reading (after `flip`).
    private final ByteBuffer encryptedIn;

    /// Bytes for the server that the socket has not accepted yet. Between calls, the buffer is
    /// ready for reading (after `flip`).
    private final ByteBuffer encryptedOut;

    private final ByteBuffer nothing = ByteBuffer.allocate(0);
    private boolean connected;
    private boolean innerEnded;
    private boolean moreDecrypted;
    private int emptyRecords;

    public TlsWire(Wire inner, SSLEngine engine) {
        this.inner = inner;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        this.encryptedIn = ByteBuffer.allocate(2 * packet).limit(0);
        this.encryptedOut = ByteBuffer.allocate(2 * packet).limit(0);
    }

    @Override
    public Progress finishConnect() throws SocketFailure {
        try {
            if (!connected) {
                if (inner.finishConnect() != Progress.DONE) {
                    return Progress.CONNECTING;
                }
                connected = true;
                engine.beginHandshake();
                return Progress.HANDSHAKING; // return once, so that the caller can time both steps
            }
            return handshake() ? Progress.DONE : Progress.HANDSHAKING;
        } catch (SSLException e) {
            throw broken(e);
        } catch (SocketFailure e) {
            throw connected && e.kind() == ErrorKind.RESET
                    ? new SocketFailure(ErrorKind.RESET, FailureReason.TLS_HANDSHAKE_RESET)
                    : e;
        }
    }

    private SocketFailure broken(SSLException e) {
        return TlsFailures.of(e, encryptedIn, engine);
    }

    private void countEmpty() throws SocketFailure {
        if (++emptyRecords > MAX_EMPTY_RECORDS) {
            throw new SocketFailure(ErrorKind.TLS, FailureReason.TLS_EMPTY_RECORDS);
        }
    }

    /// Continues the handshake as far as the available bytes allow.
    private boolean handshake() throws SSLException, SocketFailure {
        boolean moving = true;
        while (moving) {
            moving =
                    switch (engine.getHandshakeStatus()) {
                        case NEED_TASK -> {
                            runTasks();
                            yield true;
                        }
                        case NEED_WRAP -> {
                            wrap(nothing);
                            yield flush();
                        }
                        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrapHandshake();
                        case FINISHED, NOT_HANDSHAKING -> false;
                    };
        }
        return flush() && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private void runTasks() {
        Runnable task;
        while ((task = engine.getDelegatedTask()) != null) {
            task.run();
        }
    }

    private boolean unwrapHandshake() throws SSLException, SocketFailure {
        return switch (engine.unwrap(encryptedIn, nothing).getStatus()) {
            case OK -> {
                countEmpty();
                yield true;
            }
            case BUFFER_UNDERFLOW -> {
                if (fill() > 0) {
                    yield true;
                }
                if (innerEnded) {
                    throw new SocketFailure(ErrorKind.TLS, FailureReason.TLS_HANDSHAKE_CLOSED);
                }
                yield false;
            }
            // application data follows the handshake directly: the next read returns it
            case BUFFER_OVERFLOW -> {
                countEmpty();
                yield true;
            }
            case CLOSED ->
                    throw new SocketFailure(ErrorKind.TLS, FailureReason.TLS_HANDSHAKE_CLOSED);
        };
    }

    /// Reads more encrypted bytes and appends them; 0 if there are none or the server has closed.
    private int fill() throws SocketFailure {
        encryptedIn.compact();
        int n = inner.read(encryptedIn.array(), encryptedIn.position(), encryptedIn.remaining());
        if (n > 0) {
            encryptedIn.position(encryptedIn.position() + n);
        }
        encryptedIn.flip();
        innerEnded |= n == END;
        return Math.max(0, n);
    }

    private SSLEngineResult wrap(ByteBuffer plain) throws SSLException {
        encryptedOut.compact();
        SSLEngineResult result = engine.wrap(plain, encryptedOut);
        encryptedOut.flip();
        return result;
    }

    private boolean flush() throws SocketFailure {
        while (encryptedOut.hasRemaining()) {
            int n =
                    inner.write(
                            encryptedOut.array(),
                            encryptedOut.position(),
                            encryptedOut.remaining());
            if (n == 0) {
                return false;
            }
            encryptedOut.position(encryptedOut.position() + n);
        }
        return true;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws SocketFailure {
        ByteBuffer target = ByteBuffer.wrap(into, offset, length);
        moreDecrypted = false;
        try {
            while (true) {
                SSLEngineResult result = engine.unwrap(encryptedIn, target);
                if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                    runTasks();
                } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                    wrap(nothing); // answers a key update or a close
                    flush();
                }
                switch (result.getStatus()) {
                    case OK -> {
                        if (result.bytesProduced() > 0) {
                            emptyRecords = 0;
                        } else {
                            countEmpty();
                        }
                    }
                    case BUFFER_OVERFLOW -> {
                        moreDecrypted = true;
                        return target.position() - offset;
                    }
                    case CLOSED -> {
                        return endOr(target.position() - offset);
                    }
                    case BUFFER_UNDERFLOW -> {
                        if (fill() == 0) {
                            int n = target.position() - offset;
                            return innerEnded ? endOr(n) : n;
                        }
                    }
                }
            }
        } catch (SSLException e) {
            throw broken(e);
        }
    }

    /// Reports the end of the stream only after all bytes before it have been read.
    private int endOr(int decrypted) {
        moreDecrypted = decrypted > 0;
        return decrypted > 0 ? decrypted : END;
    }

    @Override
    public int write(byte[] from, int offset, int length) throws SocketFailure {
        try {
            if (!flush()) {
                return 0;
            }
            ByteBuffer plain = ByteBuffer.wrap(from, offset, length);
            while (plain.hasRemaining()) {
                SSLEngineResult result = wrap(plain);
                if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                    throw new SocketFailure(ErrorKind.CLOSED, FailureReason.CLOSED_BEFORE_REPLY);
                }
                if (!flush() || result.bytesConsumed() == 0) {
                    break; // the socket's buffer is full, or handshake messages come first
                }
            }
            return plain.position() - offset;
        } catch (SSLException e) {
            throw broken(e);
        }
    }

    @Override
    public String protocol() {
        return String.valueOf(engine.getApplicationProtocol());
    }

    @Override
    public boolean hasUnsent() {
        return encryptedOut.hasRemaining();
    }

    @Override
    public boolean mustReadOn() {
        return moreDecrypted || inner.mustReadOn();
    }

    @Override
    public boolean isEnding() {
        return innerEnded || engine.isInboundDone() || inner.isEnding();
    }

    @Override
    public void close() {
        if (connected && !innerEnded) {
            sayGoodbye();
        }
        inner.close();
    }

    /// Sends the close_notify that RFC 8446 §6.1 requires. A failure to send it does not matter any
    /// more.
    private void sayGoodbye() {
        engine.closeOutbound();
        try {
            wrap(nothing);
            flush();
        } catch (SSLException | SocketFailure gone) {
            innerEnded = true;
        }
    }
}
