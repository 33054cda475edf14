package dev.jdyno.load.wire;

import java.net.SocketAddress;

/// Waits for many wires at once; each event loop has one. Implementations are {@link EpollPoller}
/// on Linux and {@link NioPoller} on other systems.
///
/// Readiness may be reported only once (edge-triggered). The receiver must therefore read until
/// {@link Wire#read} returns less than requested, and write until the wire accepts less than
/// offered.
public interface Poller extends AutoCloseable {
    /// Called on the polling thread, before anything else and whenever it becomes urgent or stops
    /// being urgent.
    ///
    /// @param urgent true if the thread needs priority over others to keep a schedule
    default void onItsThread(boolean urgent) {}

    /// Starts to connect. {@link #poll} reports the wire when the connection has succeeded or
    /// failed.
    ///
    /// @param owner returned by {@link #ready}
    Wire connect(SocketAddress address, SocketSettings settings, WireOwner owner)
            throws SocketFailure;

    /// Waits at most `timeoutNanos` (0: not at all) for a wire or a {@link #wakeup}.
    ///
    /// @return number of ready wires
    int poll(long timeoutNanos);

    /// The owner of the `i`-th ready wire of the last {@link #poll}; null if the wire was closed
    /// since.
    @org.jspecify.annotations.Nullable
    WireOwner ready(int i);

    /// Ends a waiting {@link #poll}. It is the only method that other threads may call.
    void wakeup();

    /// The name in a result: `epoll` or `nio`.
    String name();

    @Override
    void close();
}
