package dev.jdyno.load.loop;

import dev.jdyno.load.wire.Progress;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.SocketSettings;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;
import dev.jdyno.measure.load.FailureReason;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Makes the connections of one carrier, one after the other, and times each: the connect, then the
/// TLS handshake if there is one.
final class Dialer {
    private final EventLoop loop;
    private final SocketAddress address;
    private final SocketSettings settings;

    private boolean dialling;
    private long startNanos;
    private long acceptedNanos;

    Dialer(EventLoop loop, SocketAddress address, SocketSettings settings) {
        this.loop = loop;
        this.address = address;
        this.settings = settings;
    }

    /// Whether a connection is being made.
    boolean dialling() {
        return dialling;
    }

    Wire start(WireOwner owner, long now) throws SocketFailure {
        startNanos = now;
        acceptedNanos = 0;
        dialling = true;
        loop.connecting++;
        return loop.wires.connect(address, settings, owner);
    }

    /// Moves the making on after the poller reported the wire.
    ///
    /// @return whether the connection is made
    boolean advance(Wire wire) throws SocketFailure {
        Progress progress = wire.finishConnect();
        if (progress == Progress.CONNECTING) {
            return false;
        }
        if (acceptedNanos == 0) {
            acceptedNanos = loop.tick();
            loop.stats.connected(acceptedNanos - startNanos);
            if (progress == Progress.HANDSHAKING) {
                progress = wire.finishConnect();
            }
        }
        if (progress == Progress.HANDSHAKING) {
            return false;
        }
        if (loop.spec.isTls()) {
            loop.stats.handshaken(loop.tick() - acceptedNanos);
        }
        over();
        return true;
    }

    /// What the server has not done for the connection that is being made.
    FailureReason unanswered() {
        return acceptedNanos == 0
                ? FailureReason.CONNECTION_UNANSWERED
                : FailureReason.TLS_HANDSHAKE_UNANSWERED;
    }

    /// Ends the making, whatever came of it.
    void over() {
        if (dialling) {
            dialling = false;
            loop.connecting--;
        }
    }

    /// Closes a wire of this dialer, made or not.
    void close(@Nullable Wire wire) {
        over();
        if (wire != null) {
            wire.close();
        }
    }
}
