package dev.jdyno.driver;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Forwards connections of a port on loopback to a server, with two virtual threads for each.
public final class Forwarder implements AutoCloseable {
    private static final int BUFFER = 16 << 10;

    /// Receives the bytes of one connection before they are forwarded. Each direction has its own
    /// thread.
    public interface Watcher {
        /// The client has sent bytes.
        void sent(byte[] bytes, int count) throws InterruptedException;

        /// The server has sent bytes.
        void answered(byte[] bytes, int count);

        /// One side has stopped sending, or its connection is broken.
        void ended(boolean server);
    }

    private final String name;
    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final Supplier<Watcher> watchers;
    private final Runnable refused;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private Forwarder(
            String name,
            ServerSocket listener,
            InetSocketAddress server,
            Supplier<Watcher> watchers,
            Runnable refused) {
        this.name = name;
        this.listener = listener;
        this.server = server;
        this.watchers = watchers;
        this.refused = refused;
    }

    /// @param name of its threads
    /// @param port on loopback; 0 for any
    /// @param backlog maximum number of connections that wait to be accepted
    /// @param watchers creates one watcher for each connection
    /// @param refused called if the server does not accept a connection; the client's is closed
    /// @throws IOException if it cannot listen there
    public static Forwarder start(
            String name,
            int port,
            int backlog,
            InetSocketAddress server,
            Supplier<Watcher> watchers,
            Runnable refused)
            throws IOException {
        var forwarder =
                new Forwarder(
                        name,
                        new ServerSocket(port, backlog, InetAddress.getLoopbackAddress()),
                        server,
                        watchers,
                        refused);
        Thread.ofVirtual().name(name).start(forwarder::accept);
        return forwarder;
    }

    /// Address at which it listens.
    public InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name(name).start(() -> join(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket client) {
        var service = new Socket();
        open.add(client);
        open.add(service);
        Watcher watcher = watchers.get();
        try {
            client.setTcpNoDelay(true);
            service.setTcpNoDelay(true);
            service.connect(
                    server.isUnresolved()
                            ? new InetSocketAddress(server.getHostString(), server.getPort())
                            : server);
            Thread back = Thread.ofVirtual().start(() -> pump(service, client, watcher, true));
            pump(client, service, watcher, false);
            back.join();
        } catch (IOException noConnection) {
            refused.run(); // the client sees a closed connection
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            drop(client);
            drop(service);
        }
    }

    private void pump(Socket from, Socket to, Watcher watcher, boolean answers) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (answers) {
                    watcher.answered(buffer, n);
                } else {
                    watcher.sent(buffer, n);
                }
                out.write(buffer, 0, n);
            }
            watcher.ended(answers);
            to.shutdownOutput();
        } catch (IOException | InterruptedException ended) {
            watcher.ended(answers);
            drop(from);
            drop(to);
        }
    }

    private void drop(Socket socket) {
        open.remove(socket);
        quietly(socket);
    }

    private static void quietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException alreadyBroken) {
            // nothing is left to close
        }
    }

    @Override
    public void close() {
        quietly(listener);
        open.forEach(Forwarder::quietly);
    }
}
