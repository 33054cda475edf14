package dev.jdyno.cluster;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;

/// The only port of a process. A connection must authenticate itself within {@link #PATIENCE}. Only
/// then does our code, or the group's protocol, read a byte of it. All others are closed and
/// counted.
///
/// Peers that are not authenticated can occupy handshakes, but not for long. If an address has
/// {@link Handshakes#MAX_PER_ADDRESS} in progress, its oldest one ends when the next one comes. If
/// there are {@link Handshakes#MAX} in all, the oldest one of the address with most of them ends.
public final class Listener implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int BACKLOG = 128;

    private final ServerSocket server;
    private final Identity identity;
    private final Duration patience;
    private final Thread acceptor;
    private final ScheduledExecutorService deadlines =
            Executors.newSingleThreadScheduledExecutor(
                    r -> Thread.ofPlatform().name("jdyno-deadlines").daemon().unstarted(r));
    private final Handshakes handshakes = new Handshakes();
    private final LongAdder refused = new LongAdder();
    private volatile Optional<Consumer<SSLSocket>> door = Optional.empty();
    private volatile Optional<Reception> group = Optional.empty();
    private volatile Optional<ReturnRelay> returns = Optional.empty();

    /// The next step of a connection that is authenticated.
    @FunctionalInterface
    interface Reception {
        /// Reads what the peer has to send before it is admitted. The handshake's deadline still
        /// applies, because the peer is not authenticated until then.
        ///
        /// @return admits the peer
        /// @throws IOException if the peer is not admitted
        Runnable of(SSLSocket proved) throws IOException;
    }

    private Listener(ServerSocket server, Identity identity, Duration patience) {
        this.server = server;
        this.identity = identity;
        this.patience = patience;
        this.acceptor = Thread.ofPlatform().name("jdyno-listener").daemon().unstarted(this::accept);
    }

    /// @param at address and port to listen on; port 0 selects a free port
    /// @throws UserError if it cannot listen there
    public static Listener open(InetSocketAddress at, Token token) {
        return open(at, Identity.of(token));
    }

    /// @param own key of this process
    /// @param runs the public keys of the runs that may connect
    /// @throws UserError if it cannot listen there
    public static Listener open(InetSocketAddress at, OwnKey own, Set<PeerKey> runs) {
        return open(at, Identity.of(own, runs));
    }

    static Listener open(InetSocketAddress at, Identity identity) {
        return open(at, identity, PATIENCE);
    }

    /// @param patience maximum time for a handshake
    static Listener open(InetSocketAddress at, Identity identity, Duration patience) {
        try {
            var server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(at, BACKLOG);
            var listener = new Listener(server, identity, patience);
            listener.acceptor.start();
            return listener;
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot listen at " + at.getHostString() + ":" + at.getPort(),
                            String.valueOf(e.getMessage()),
                            "choose an address of this host and a free port")
                    .causedBy(e);
        }
    }

    Identity identity() {
        return identity;
    }

    public int port() {
        return server.getLocalPort();
    }

    /// Number of connections that ended before they were authenticated.
    public long refused() {
        return refused.sum();
    }

    /// Sets the receiver of connections with a question. Without a receiver they are closed.
    void door(Consumer<SSLSocket> visitor) {
        door = Optional.of(visitor);
    }

    /// Sets the receiver of connections of the group's protocol. Without a receiver they are
    /// closed.
    void group(Optional<Reception> wanted) {
        group = wanted;
    }

    /// Accepts return connections of a run that reaches this port through a port-forward, so that
    /// the agent can connect to the run. Without this call they are closed.
    public void acceptReturns() {
        returns = Optional.of(new ReturnRelay());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                admit(server.accept());
            } catch (IOException e) {
                if (server.isClosed()) {
                    return;
                }
                refused.increment(); // for example, no file descriptor is free
                pause();
            }
        }
    }

    static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void admit(Socket socket) {
        Handshakes.Pending pending = handshakes.begin(socket);
        ScheduledFuture<?> deadline =
                deadlines.schedule(pending::end, patience.toMillis(), TimeUnit.MILLISECONDS);
        Thread.ofVirtual().name("jdyno-handshake").start(() -> handshake(pending, deadline));
    }

    private void handshake(Handshakes.Pending pending, ScheduledFuture<?> deadline) {
        Optional<Runnable> admitted = Optional.empty();
        Socket stranger = pending.socket();
        try {
            stranger.setTcpNoDelay(true);
            var socket =
                    (SSLSocket)
                            identity.context()
                                    .getSocketFactory()
                                    .createSocket(stranger, null, stranger.getPort(), true);
            socket.setUseClientMode(false);
            Identity.demand(socket, Identity.DOOR, Identity.GROUP, Identity.RETURN);
            socket.startHandshake();
            Optional<Reception> reception = purpose(socket.getApplicationProtocol(), stranger);
            if (reception.isPresent()) {
                Runnable next = reception.get().of(socket);
                admitted = pending.done() ? Optional.of(next) : Optional.empty();
            }
        } catch (IOException | RuntimeException notProved) {
            // counted below; there is no log line, because any process can cause this
        } finally {
            boolean _ = deadline.cancel(false);
            handshakes.over(pending);
        }
        admitted.ifPresentOrElse(Runnable::run, () -> refuse(stranger));
    }

    private Optional<Reception> purpose(String protocol, Socket tcp) {
        return switch (protocol) {
            case Identity.DOOR -> door.map(visited -> visitor -> () -> visited.accept(visitor));
            case Identity.GROUP -> group;
            case Identity.RETURN -> returns.map(r -> proved -> r.offered(new Layered(tcp, proved)));
            default -> Optional.empty();
        };
    }

    private void refuse(Socket socket) {
        refused.increment();
        close(socket);
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // the peer has closed it
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException alreadyGone) {
            // the server socket was closed on purpose
        }
        deadlines.shutdownNow();
        handshakes.close();
        returns.ifPresent(ReturnRelay::close);
    }
}
