package dev.jdyno.inside.remote;

import java.util.Optional;
import java.util.function.Consumer;

/// A two-way connection to one peer. Messages arrive whole and in order, or are lost.
public interface Link extends AutoCloseable {
    /// Offset of the peer's monotonic clock from ours. Wall clocks are not used.
    ///
    /// @param offsetNanos the peer's clock minus our clock
    /// @param errorNanos maximum error of the offset
    record Offset(long offsetNanos, long errorNanos) {}

    /// Queues a message; never waits for the peer.
    ///
    /// @return false if the message is already lost: the queue is full or the connection is gone
    boolean send(byte[] message);

    /// Sets the receiver of incoming messages, which runs on a thread of the link. Called once,
    /// before anything is sent.
    void receive(Consumer<byte[]> receiver);

    /// The clock offset; empty before the first exchange of messages.
    Optional<Offset> clock();

    /// True if a message of the peer arrived recently.
    boolean isUp();

    @Override
    void close();
}
