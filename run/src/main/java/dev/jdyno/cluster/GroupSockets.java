package dev.jdyno.cluster;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.jgroups.util.DefaultSocketFactory;

/// The sockets of the group's protocol. JGroups opens TLS connections with them. It accepts none:
/// all peers connect to the process's {@link Listener}, which passes them on once they are
/// authenticated.
final class GroupSockets extends DefaultSocketFactory {
    /// For each step of a handshake.
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(5);

    private final int port;
    private final Identity outward;

    /// @param port where the process listens
    /// @param outward what is shown, and accepted, where this process connects
    GroupSockets(int port, Identity outward) {
        this.port = port;
        this.outward = outward;
    }

    /// JGroups connects it and starts the handshake.
    @Override
    public Socket createSocket(String service) throws IOException {
        var socket = (SSLSocket) outward.context().getSocketFactory().createSocket();
        socket.setUseClientMode(true);
        Identity.demand(socket, Identity.GROUP);
        socket.setSoTimeout((int) HANDSHAKE_LIMIT.toMillis());
        socket.addHandshakeCompletedListener(_ -> waitForEver(socket));
        return socket;
    }

    /// A group in which nothing is sent is still a group.
    private static void waitForEver(Socket socket) {
        try {
            socket.setSoTimeout(0);
        } catch (SocketException closed) {
            // then nothing is read any more
        }
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        return new Unused(port);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port) throws IOException {
        return createServerSocket(service);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port, int backlog)
            throws IOException {
        return createServerSocket(service);
    }

    @Override
    public ServerSocket createServerSocket(
            String service, int port, int backlog, InetAddress address) throws IOException {
        return createServerSocket(service);
    }

    @Override
    public DatagramSocket createDatagramSocket(String service) throws SocketException {
        throw new SocketException("datagrams are not authenticated");
    }

    @Override
    public MulticastSocket createMulticastSocket(String service) throws IOException {
        throw new SocketException("datagrams are not authenticated");
    }

    @Override
    public MulticastSocket createMulticastSocket(String service, int port) throws IOException {
        throw new SocketException("datagrams are not authenticated");
    }

    /// Listens nowhere and accepts nothing. JGroups' thread that accepts waits for its end.
    private static final class Unused extends ServerSocket {
        private final int port;
        private final CountDownLatch closed = new CountDownLatch(1);

        Unused(int port) throws IOException {
            this.port = port;
        }

        @Override
        public Socket accept() throws IOException {
            try {
                closed.await();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
            throw new SocketException("closed");
        }

        @Override
        public void bind(SocketAddress at) {
            // the listener is bound already
        }

        @Override
        public int getLocalPort() {
            return port;
        }

        @Override
        public void close() throws IOException {
            super.close();
            closed.countDown();
        }
    }
}
