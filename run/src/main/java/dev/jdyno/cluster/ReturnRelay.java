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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// An agent's end of the {@link ReturnConnections} of a run that it cannot connect to. It listens
/// on its own loopback device at the run's port number. Each connection that arrives there goes to
/// the run over one of the connections that the run has opened.
///
/// The relay reads no byte of the forwarded connections. The run authenticates each of them like a
/// direct connection.
final class ReturnRelay implements AutoCloseable {
    /// Byte from the agent to the run: the agent uses this connection now.
    static final int GO = 1;

    /// Byte from the run to the agent: the run's end is connected to its own port.
    static final int CONNECTED = 2;

    /// Maximum number of spare connections of the run. A run keeps {@link ReturnConnections#SPARE}.
    private static final int MAX_SPARE = 8;

    /// Maximum time until the run has a spare connection, and maximum time until that is connected.
    private static final Duration LIMIT = Duration.ofSeconds(2);

    /// Maximum number of connections that wait for one of the run.
    static final int BACKLOG = 16;

    private final BlockingQueue<Layered> spare = new ArrayBlockingQueue<>(MAX_SPARE);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Semaphore waiting = new Semaphore(BACKLOG);
    private Optional<ServerSocket> server = Optional.empty();
    private volatile boolean closed;

    /// Accepts a connection of the run. Its first two bytes are the run's port.
    ///
    /// @throws IOException if it did not come over the loopback device, or the port is not free
    ///   here
    Runnable offered(Layered proved) throws IOException {
        int port = new DataInputStream(proved.data().getInputStream()).readUnsignedShort();
        listen(proved.tcp().getInetAddress(), port);
        return () -> keep(proved);
    }

    private void keep(Layered proved) {
        if (!spare.offer(proved)) {
            proved.close();
        }
        if (closed) { // the end may have been before the offer
            endSpare();
        }
    }

    private void endSpare() {
        for (Layered next = spare.poll(); next != null; next = spare.poll()) {
            next.close();
        }
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

    /// Accepts connections until the server is closed. If {@link #BACKLOG} of them wait for a
    /// connection of the run, further ones wait in the kernel's accept queue.
    void accept(ServerSocket listening) {
        while (!listening.isClosed()) {
            waiting.acquireUninterruptibly();
            try {
                Socket client = listening.accept();
                Thread _ = Thread.ofVirtual().name("jdyno-return").start(() -> join(client));
            } catch (IOException e) {
                waiting.release();
                if (listening.isClosed()) {
                    return;
                }
                Listener.pause(); // for example, no file descriptor is free
            }
        }
    }

    private void join(Socket client) {
        open.add(client);
        Optional<Layered> run = Optional.empty();
        try {
            client.setTcpNoDelay(true);
            run = connected();
        } catch (IOException ended) {
            // the client sees a closed connection, and tries again
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            if (run.isEmpty()) {
                drop(client);
            }
            waiting.release();
        }
        run.ifPresent(to -> passOn(client, to));
    }

    private void passOn(Socket client, Layered run) {
        open.add(run.tcp());
        try {
            if (!closed) {
                Pumped.between(Layered.plain(client), run);
            }
        } finally {
            drop(run.tcp());
            drop(client);
        }
    }

    private void drop(Socket socket) {
        open.remove(socket);
        Listener.close(socket);
    }

    /// A connection of the run whose other end is connected; empty if the run has none.
    private Optional<Layered> connected() throws InterruptedException {
        while (!closed) {
            Layered next = spare.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                return Optional.empty();
            }
            if (isConnected(next)) {
                return Optional.of(next);
            }
            next.close();
        }
        return Optional.empty();
    }

    private static boolean isConnected(Layered next) {
        Socket run = next.data();
        try {
            run.setSoTimeout((int) LIMIT.toMillis());
            run.getOutputStream().write(GO);
            InputStream in = run.getInputStream();
            if (in.read() != CONNECTED) {
                return false;
            }
            run.setSoTimeout(0);
            return true;
        } catch (IOException ended) {
            return false; // the run, or the port-forward, has ended this one
        }
    }

    private static void close(ServerSocket listening) {
        try {
            listening.close();
        } catch (IOException alreadyGone) {
            // the server socket was closed on purpose
        }
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            server.ifPresent(ReturnRelay::close);
        }
        endSpare();
        open.forEach(Listener::close);
    }
}
