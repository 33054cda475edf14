package dev.jdyno.inside.remote;

import java.util.Optional;
import java.util.function.Consumer;

/// A two-way connection to one peer that carries messages whole and in order, or loses them.
public interface Link extends AutoCloseable {
    /// How the peer's monotonic clock stands to ours. Wall clocks play no part.
    ///
    /// @param offsetNanos theirs minus ours
    /// @param errorNanos by how much that may be wrong at most
    record Offset(long offsetNanos, long errorNanos) {}

    /// Queues a message; never waits for the peer.
    ///
    /// @return false when it is lost already: the queue is full or the connection is gone
    boolean send(byte[] message);

    /// Who gets what comes in, on a thread of the link's. Set once, before anything is sent.
    void receive(Consumer<byte[]> receiver);

    /// Empty before the first exchange.
    Optional<Offset> clock();

    /// Whether the peer was heard of lately.
    boolean isUp();

    @Override
    void close();
}
