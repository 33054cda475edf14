package dev.jdyno.trial;

import dev.jdyno.measure.text.UserError;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A relay on loopback in front of the target's downstream, which lets what the target sends arrive
/// later on demand. Two virtual threads for each connection; what flows is not looked at.
final class Relay implements AutoCloseable {
    private static final int BUFFER = 16 << 10;
    private static final int BACKLOG = 1024;

    private final ServerSocket listener;
    private final InetSocketAddress downstream;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Duration delay = Duration.ZERO;

    private Relay(ServerSocket listener, InetSocketAddress downstream) {
        this.listener = listener;
        this.downstream = downstream;
    }

    /// @throws UserError when it cannot listen
    static Relay inFrontOf(InetSocketAddress downstream) {
        try {
            var relay =
                    new Relay(
                            new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()),
                            downstream);
            Thread.ofVirtual().name("jdyno-relay").start(relay::accept);
            return relay;
        } catch (IOException noPort) {
            throw UserError.target(
                            "the relay in front of " + downstream + " cannot listen",
                            String.valueOf(noPort.getMessage()),
                            "run without --relay")
                    .causedBy(noPort);
        }
    }

    /// Where the target has to connect to: `127.0.0.1:40123`.
    String address() {
        return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
    }

    /// Everything that the target sends from now on arrives so much later.
    void delay(Duration later) {
        delay = later;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name("jdyno-relay").start(() -> join(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket client) {
        var server = new Socket();
        open.add(client);
        open.add(server);
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(
                    downstream.isUnresolved()
                            ? new InetSocketAddress(
                                    downstream.getHostString(), downstream.getPort())
                            : downstream);
            Thread back = Thread.ofVirtual().start(() -> pump(server, client, false));
            pump(client, server, true);
            back.join();
        } catch (IOException refused) {
            // the target sees a closed connection, as it would see a refused one
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            drop(client);
            drop(server);
        }
    }

    private void pump(Socket from, Socket to, boolean delayed) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (delayed && delay.isPositive()) {
                    Thread.sleep(delay);
                }
                out.write(buffer, 0, n);
            }
            to.shutdownOutput();
        } catch (IOException | InterruptedException ended) {
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
            // nothing is left of it that could be closed
        }
    }

    @Override
    public void close() {
        quietly(listener);
        open.forEach(Relay::quietly);
    }
}
