package dev.jdyno.load.loop;

import dev.jdyno.load.wire.Progress;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.load.wire.SocketSettings;
import dev.jdyno.load.wire.Wire;
import dev.jdyno.load.wire.WireOwner;
import dev.jdyno.measure.load.FailureReason;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Makes the connections of one carrier, one after the other, and measures each: the connect, then
/// the TLS handshake if TLS is used.
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

    /// True if a connection is being made.
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

    /// Continues the connection attempt after the poller reported the wire.
    ///
    /// @return true if the connection is complete
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

    /// While a connection is being made: the step to which the server has not responded.
    FailureReason unanswered() {
        return acceptedNanos == 0
                ? FailureReason.CONNECTION_UNANSWERED
                : FailureReason.TLS_HANDSHAKE_UNANSWERED;
    }

    /// Ends the connection attempt, successful or not.
    void over() {
        if (dialling) {
            dialling = false;
            loop.connecting--;
        }
    }

    /// Closes a wire of this dialer, connected or not.
    void close(@Nullable Wire wire) {
        over();
        if (wire != null) {
            wire.close();
        }
    }
}
