package dev.jdyno.cluster;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

/// An agent's end of the {@link ReturnConnections} of a run that it cannot connect to. It listens
/// on its own loopback device at the run's port number. Each connection that arrives there goes to
/// the run over one of the connections that the run has opened.
///
/// It reads no byte of the connections that it passes on: the run authenticates each of them as if
/// it had come directly.
final class ReturnRelay implements AutoCloseable {
    /// From the agent to the run: this connection is used now.
    static final int GO = 1;

    /// From the run to the agent: its own end is connected.
    static final int CONNECTED = 2;

    /// Maximum number of connections that wait. A run keeps {@link ReturnConnections#SPARE}.
    private static final int MAX_SPARE = 8;

    /// Maximum time until a spare connection of the run is there, and until it is connected.
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final int BACKLOG = 16;

    private final BlockingQueue<SSLSocket> spare = new ArrayBlockingQueue<>(MAX_SPARE);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private Optional<ServerSocket> server = Optional.empty();
    private volatile boolean closed;

    /// Takes a connection of the run. It begins with the run's port, as two bytes.
    ///
    /// @throws IOException if it did not come over the loopback device, or the port is not free
    ///   here
    Runnable offered(SSLSocket proved) throws IOException {
        int port = new DataInputStream(proved.getInputStream()).readUnsignedShort();
        listen(proved.getInetAddress(), port);
        return () -> {
            if (closed || !spare.offer(proved)) {
                Listener.close(proved);
            }
        };
    }

    private synchronized void listen(InetAddress from, int port) throws IOException {
        if (server.isPresent()) {
            if (server.get().getLocalPort() != port) {
                throw new IOException("an agent behind a port-forward works for one run only");
            }
            return;
        }
        if (closed || !from.isLoopbackAddress() || port == 0) {
            throw new IOException("no connection of a port-forward");
        }
        var listening = new ServerSocket();
        try {
            listening.bind(new InetSocketAddress(from, port), BACKLOG);
        } catch (IOException taken) {
            close(listening);
            throw taken;
        }
        server = Optional.of(listening);
        Thread _ = Thread.ofVirtual().name("jdyno-return").start(() -> accept(listening));
    }

    private void accept(ServerSocket listening) {
        while (!closed) {
            try {
                Socket client = listening.accept();
                Thread _ = Thread.ofVirtual().name("jdyno-return").start(() -> join(client));
            } catch (IOException ended) {
                return; // it is closed
            }
        }
    }

    private void join(Socket client) {
        open.add(client);
        try {
            client.setTcpNoDelay(true);
            Optional<SSLSocket> run = connected();
            if (run.isPresent()) {
                passOn(client, run.get());
            }
        } catch (IOException ended) {
            // the client sees a closed connection, and tries again
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
            Listener.close(client);
        }
    }

    private void passOn(Socket client, SSLSocket run) {
        open.add(run);
        try {
            if (!closed) {
                Pumped.between(client, run);
            }
        } finally {
            open.remove(run);
            Listener.close(run);
        }
    }

    /// A connection of the run whose other end is connected; empty if the run has none.
    private Optional<SSLSocket> connected() throws InterruptedException {
        while (!closed) {
            SSLSocket next = spare.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                return Optional.empty();
            }
            if (isConnected(next)) {
                return Optional.of(next);
            }
            Listener.close(next);
        }
        return Optional.empty();
    }

    private static boolean isConnected(SSLSocket next) {
        try {
            next.setSoTimeout((int) LIMIT.toMillis());
            next.getOutputStream().write(GO);
            InputStream in = next.getInputStream();
            if (in.read() != CONNECTED) {
                return false;
            }
            next.setSoTimeout(0);
            return true;
        } catch (IOException ended) {
            return false; // the run, or the port-forward, has ended this one
        }
    }

    private static void close(ServerSocket listening) {
        try {
            listening.close();
        } catch (IOException alreadyGone) {
            // nothing listens any more, as intended
        }
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            server.ifPresent(ReturnRelay::close);
        }
        spare.forEach(Listener::close);
        open.forEach(Listener::close);
    }
}
