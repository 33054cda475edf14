package dev.jdyno.cluster;

import java.net.InetAddress;
import java.net.Socket;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicBoolean;

/// The handshakes of a {@link Listener} that are in progress, by the address of the peer, oldest
/// first. If there are too many, the oldest one is closed: a legitimate handshake takes some
/// milliseconds.
final class Handshakes implements AutoCloseable {
    /// Maximum number from all addresses.
    static final int MAX = 256;

    /// Maximum number from one address: more agents than join at once from any host.
    static final int MAX_PER_ADDRESS = 64;

    private final Map<InetAddress, SequencedSet<Pending>> byAddress = new LinkedHashMap<>();
    private int count;

    /// One connection that is not authenticated yet.
    static final class Pending {
        private final Socket socket;
        private final InetAddress from;
        private final AtomicBoolean decided = new AtomicBoolean();

        private Pending(Socket socket) {
            this.socket = socket;
            this.from = socket.getInetAddress();
        }

        Socket socket() {
            return socket;
        }

        /// Marks the connection as authenticated.
        ///
        /// @return false if it was ended before
        boolean done() {
            return decided.compareAndSet(false, true);
        }

        /// Closes the connection if it is not authenticated. It closes the TCP socket, because
        /// closing a TLS socket may wait for the peer.
        void end() {
            if (decided.compareAndSet(false, true)) {
                Listener.close(socket);
            }
        }
    }

    /// Adds a connection, and ends others if there are too many.
    Pending begin(Socket socket) {
        var next = new Pending(socket);
        List<Pending> ended;
        synchronized (this) {
            SequencedSet<Pending> same =
                    byAddress.computeIfAbsent(next.from, _ -> new LinkedHashSet<>());
            if (same.size() >= MAX_PER_ADDRESS) {
                ended = List.of(same.getFirst());
            } else if (count >= MAX) {
                ended = List.of(oldestOfBusiestAddress());
            } else {
                ended = List.of();
            }
            ended.forEach(this::remove);
            byAddress.computeIfAbsent(next.from, _ -> same).add(next);
            count++;
        }
        ended.forEach(Pending::end);
        return next;
    }

    private Pending oldestOfBusiestAddress() {
        return byAddress.values().stream()
                .max(Comparator.comparingInt(Collection::size))
                .orElseThrow()
                .getFirst();
    }

    private void remove(Pending gone) {
        SequencedSet<Pending> same = byAddress.get(gone.from);
        if (same != null && same.remove(gone)) {
            count--;
            if (same.isEmpty()) {
                byAddress.remove(gone.from);
            }
        }
    }

    /// Removes a connection whose handshake succeeded or failed.
    synchronized void over(Pending pending) {
        remove(pending);
    }

    /// Number of handshakes in progress.
    synchronized int count() {
        return count;
    }

    @Override
    public synchronized void close() {
        byAddress.values().forEach(of -> of.forEach(Pending::end));
    }
}
