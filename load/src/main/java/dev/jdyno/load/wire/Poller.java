package dev.jdyno.load.wire;

import java.net.SocketAddress;

/// Waits for many wires at once; one per event loop. Two implementations: {@link EpollPoller} on
/// Linux and {@link NioPoller} everywhere else.
///
/// Readiness may be reported once only (edge-triggered): the receiver must read until {@link
/// Wire#read} gives less than asked for, and write until it takes less than given.
public interface Poller extends AutoCloseable {
    /// Called by the thread that polls, before anything else and when it becomes urgent or stops
    /// being so.
    ///
    /// @param urgent whether the thread is to go before others, to keep a schedule
    default void onItsThread(boolean urgent) {}

    /// Starts to connect; {@link #poll} reports the wire when the outcome is known.
    ///
    /// @param owner handed back by {@link #ready}
    Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner)
            throws SocketFailure;

    /// Waits at most `timeoutNanos` (0: not at all) for a wire or a {@link #wakeup}.
    ///
    /// @return how many are ready
    int poll(long timeoutNanos);

    /// The `i`-th ready owner of the last {@link #poll}; null when its wire was closed since.
    @org.jspecify.annotations.Nullable
    WireOwner ready(int i);

    /// Ends a {@link #poll} that waits; the only method that other threads may call.
    void wakeup();

    /// What it is, for the result: `epoll` or `nio`.
    String name();

    @Override
    void close();
}
